"""The manifest of a team order as CSV: one row per recipient, without email and claim link (T-4.54, A7.13)."""

from __future__ import annotations

import csv
import io

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment
from giftsim.services.gifting.domain.fulfilment.manifest import describe_item, escape_formula, instant_cell
from giftsim.services.gifting.domain.fulfilment.offer import MENU_VARIATION_ID
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.team.billing.billing_profile import COST_CENTERS
from giftsim.services.gifting.domain.team.free_text_redaction import remove_private_or_none
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.team_order import TeamOrder, fulfilment_of

COLUMNS = (
    "recipient_id",
    "name",
    "status",
    "carrier",
    "tracking_number",
    "shipped_at",
    "delivered_at",
    "items",
    "po_number",
    "cost_center",
)


def render_manifest(state: State, order: TeamOrder) -> str:
    """The CSV text: a header and one row per named recipient. All cells are quoted, with formulas in them
    escaped and addresses removed."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(COLUMNS)
    fulfilment = fulfilment_of(state, order)
    code = None if order.cost_center is None else state[COST_CENTERS].get(order.cost_center).code
    for recipient, shipment in team_fulfilment.named_recipients(state, fulfilment):
        writer.writerow(
            (
                team_fulfilment.recipient_id(state, fulfilment, recipient.n),
                _cell(recipient.name),
                shipment.status,
                _cell(shipment.carrier),
                _cell(shipment.tracking_number),
                instant_cell(shipment.shipped_at_ms),
                instant_cell(shipment.delivered_at_ms),
                _cell(_items(state, fulfilment, recipient)),
                _cell(order.po_number),
                _cell(code),
            )
        )
    return out.getvalue()


def _cell(text: str | None) -> str | None:
    return escape_formula(remove_private_or_none(text))


def _items(state: State, fulfilment: Fulfilment, recipient: Recipient) -> str:
    """What the recipient gets, including the choice from the menu if it was made."""
    selection = recipient.selection or ()
    texts = [describe_item(state, item, item.quantity, selection) for item in fulfilment.items]
    picked = dict(selection).get(MENU_VARIATION_ID)
    if picked is not None:
        texts += [describe_item(state, item, item.quantity) for item in fulfilment.menu[picked - 1].items]
    return "; ".join(texts)
