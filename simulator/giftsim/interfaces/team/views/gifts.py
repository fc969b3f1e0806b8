"""Gift sends as the team interface shows them: recipients by id and name, never by email (A7.1, T-4.38)."""

from __future__ import annotations

from typing import Any

import msgspec

from giftsim.domain.fulfilment.fulfilment import Fulfilment
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.fulfilment.shipment import Shipment
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.approval import latest
from giftsim.domain.team.orders.gift import COLLECTION, ITEM, ITEMS, RESOURCE, Gift, Source, fulfilment_of, row_status
from giftsim.domain.team.orders.gift_timeline import Moment
from giftsim.domain.team.orders.payment_summary import money
from giftsim.domain.team.tenant import Tenant
from giftsim.interfaces.team.views.orders import bundle, menu, totals
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State


def sent(state: State, tenant: Tenant, gift: Gift) -> dict[str, Any]:
    """The answer to a send: identifiers and status only."""
    asked, placed = latest(state, RESOURCE, gift.n), fulfilment_of(state, gift)
    return {
        "id": gift.id,
        "status": gift.status,
        "approval_id": asked.id if asked else None,
        "recipients": [
            {"id": order_fulfilment.recipient_id(state, placed, recipient.n), "status": row_status(gift, shipment)}
            for recipient, shipment in order_fulfilment.named(state, placed)
        ],
        "livemode": tenant.livemode,
    }


def gift(state: State, tenant: Tenant, gift: Gift) -> dict[str, Any]:
    """A gift send with its recipients and what tells of its money."""
    placed, paid, asked = fulfilment_of(state, gift), money(state, RESOURCE, gift.n), latest(state, RESOURCE, gift.n)
    recipients = zip(order_fulfilment.named(state, placed), gift.sources, strict=True)
    return {
        "id": gift.id,
        "status": gift.status,
        "payment_status": paid.payment_status,
        "gift": _content(state, gift, placed),
        "message": gift.message,
        "mode": gift.mode,
        "gift_choices": menu(state, placed.menu),
        "recipients": [_recipient(state, gift, placed, row, source) for row, source in recipients],
        "totals": totals(placed.subtotal_cents, placed.shipping_cents),
        "approval_id": asked.id if asked else None,
        "rule_id": gift.rule,
        "invoice_id": paid.invoice_id,
        "receipt_id": paid.receipt_id,
        "payment_id": paid.payment_id,
        "livemode": tenant.livemode,
        "created_at": format_instant(gift.created_ms),
    }


def moment(state: State, gift: Gift, moment: Moment) -> dict[str, Any]:
    """An entry of a gift's timeline."""
    recipient, placed = moment.recipient, fulfilment_of(state, gift)
    return {
        "at": format_instant(moment.at_ms),
        "kind": moment.kind,
        "recipient_id": None if recipient is None else order_fulfilment.recipient_id(state, placed, recipient),
        "status": moment.status,
    }


def _content(state: State, gift: Gift, placed: Fulfilment) -> dict[str, Any]:
    return {
        COLLECTION: gift.slug if gift.chosen == COLLECTION else None,
        ITEM: gift.slug if gift.chosen == ITEM else None,
        ITEMS: bundle(state, placed.items) if gift.chosen == ITEMS else None,
    }


def _recipient(
    state: State, gift: Gift, placed: Fulfilment, row: tuple[Recipient, Shipment], source: Source
) -> dict[str, Any]:
    recipient, shipment = row
    return {
        "id": order_fulfilment.recipient_id(state, placed, recipient.n),
        "name": recipient.name,
        "person_id": source.person,
        "crm": msgspec.to_builtins(source.crm),
        "status": row_status(gift, shipment),
        "carrier": shipment.carrier,
        "tracking_number": shipment.tracking_number,
        "shipped_at": instant_or_null(shipment.shipped_at_ms),
        "delivered_at": instant_or_null(shipment.delivered_at_ms),
    }
