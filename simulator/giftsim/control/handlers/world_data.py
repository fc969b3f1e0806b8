"""Records of a world, to read (G40)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from giftsim.control.order_lookup import ORDER_MEMBERS, named_orders
from giftsim.control.pagination import filtered_page, page, rows_of_table, search
from giftsim.control.problem import CampaignNotFound, GiftNotFound
from giftsim.control.views import world_data as views
from giftsim.control.world_access import current_state
from giftsim.domain.fulfilment.fulfilment import Fulfilment, parcel_slots
from giftsim.domain.fulfilment.problem import TeamOrderNotFound
from giftsim.domain.fulfilment.products import PRODUCTS, SKUS
from giftsim.domain.fulfilment.shipment import SHIPMENTS
from giftsim.domain.money.account import ACCOUNTS
from giftsim.domain.money.charge import CHARGE, CHARGES
from giftsim.domain.money.ledger import ENTRIES
from giftsim.domain.team.tenant import Id
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, Table
from giftsim.webhooks.endpoint import ENDPOINT

R = TypeVar("R", bound=Record)


def list_parcels(call: Call) -> Response:
    """List all parcels, or those of one order, gift or campaign. An unknown one has none."""
    named = {name: _id(call.query[name]) for name in ORDER_MEMBERS if call.query[name] is not None}
    with current_state(call.world) as state:
        table = state[SHIPMENTS]
        rows = _slots(call, table)
        if named:
            rows = ((n + 1, table.get(n)) for order in _named_orders(state, named) for n in parcel_slots(order))
        return page(call, "parcels", rows, lambda row: views.parcel(call.world, state, row))


def list_payments(call: Call) -> Response:
    """List charges and settlements."""
    with current_state(call.world) as state:
        return filtered_page(
            call, "payments", rows_of_table(state[CHARGES]), lambda row: views.payment(state, row),
            status=lambda row: row.status, statuses=CHARGE.states,
        )  # fmt: skip


def list_ledger(call: Call) -> Response:
    """List the entries of the ledger."""
    with current_state(call.world) as state:
        return filtered_page(
            call, "ledger", rows_of_table(state[ENTRIES]), lambda entry: views.ledger_entry(state, entry)
        )


def list_accounts(call: Call) -> Response:
    """List the accounts of partners. The money of teams is listed with the teams."""
    with current_state(call.world) as state:
        rows = ((number, row) for number, row in _slots(call, state[ACCOUNTS]) if row.team is None)
        return page(call, "accounts", rows, lambda row: views.account(state, row))


def list_endpoints(call: Call) -> Response:
    """List webhook endpoints."""
    with current_state(call.world) as state:
        return page(call, "endpoints", _slots(call, state[ENDPOINT]), lambda row: views.endpoint(state, row))


def list_catalogue(call: Call) -> Response:
    """List products."""
    with current_state(call.world) as state:
        codes = {row.n: [sku.code for sku in state[SKUS].rows_in("product", row.n)] for row in state[PRODUCTS]}
        keep = search(call.query["q"], lambda row: (row.id, row.slug, row.name, *codes[row.n]))
        rows = rows_of_table(state[PRODUCTS])
        return filtered_page(call, "catalogue", rows, lambda row: views.product(state, row), keep=keep)


def _id(text: str) -> Id:
    return int(text) if text.isascii() and text.isdigit() else text


def _named_orders(state: State, named: Mapping[str, Id]) -> list[Fulfilment]:
    try:
        return sorted(named_orders(state, named), key=lambda order: order.first_shipment)
    except (TeamOrderNotFound, GiftNotFound, CampaignNotFound):
        return []


def _slots(call: Call, table: Table[R]) -> Iterable[tuple[int, R]]:
    """The rows of a table after `after`, with their slots counted from 1."""
    for n in range(call.query["after"] or 0, table.next_n):
        row = table.at(n)
        if row is not None:
            yield n + 1, row


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listPayments": list_payments,
        "listLedger": list_ledger,
        "listParcels": list_parcels,
        "listCatalogue": list_catalogue,
        "listAccounts": list_accounts,
        "listEndpoints": list_endpoints,
    }
)
