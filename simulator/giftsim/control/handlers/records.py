"""What a world has done, to read (G40)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from giftsim.control.order_lookup import PLACED, placed
from giftsim.control.pagination import page
from giftsim.control.problem import GiftNotFound
from giftsim.control.views import records as views
from giftsim.control.world_access import present
from giftsim.domain.fulfilment.catalogue import PRODUCTS
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.problem import TeamOrderNotFound
from giftsim.domain.fulfilment.shipment import SHIPMENTS
from giftsim.domain.money.account import ACCOUNTS
from giftsim.domain.money.charge import CHARGES
from giftsim.domain.money.ledger import ENTRIES
from giftsim.domain.team.orders.team_order import RESOURCE
from giftsim.domain.team.tenant import Id
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, Table
from giftsim.webhooks.endpoint import ENDPOINT
from giftsim.webhooks.event import iter_events

R = TypeVar("R", bound=Record)


def list_orders(call: Call) -> Response:
    """Every team order of every account and team."""
    with present(call.world) as state:
        rows = ((number, row) for number, row in _slots(call, state[FULFILMENTS]) if row.resource in (None, RESOURCE))
        return page(call, "orders", rows, lambda row: views.order(call.world, state, row))


def list_parcels(call: Call) -> Response:
    """Every parcel, or those of one team order or gift; one that is not there has none."""
    named = {name: _id(call.query[name]) for name in PLACED if call.query[name] is not None}
    with present(call.world) as state:
        rows = _slots(call, state[SHIPMENTS])
        if named:
            slot = _placed(state, named)
            rows = ((number, row) for number, row in rows if row.recipient is not None and row.owner == slot)
        return page(call, "parcels", rows, lambda row: views.parcel(call.world, state, row))


def list_payments(call: Call) -> Response:
    """Charges and settlements."""
    with present(call.world) as state:
        return page(call, "payments", _slots(call, state[CHARGES]), lambda row: views.payment(state, row))


def list_ledger(call: Call) -> Response:
    """Every movement of money."""
    with present(call.world) as state:
        return page(call, "ledger", _slots(call, state[ENTRIES]), views.ledger_entry)


def list_accounts(call: Call) -> Response:
    """Every account; what teams have is in their own views."""
    with present(call.world) as state:
        rows = ((number, row) for number, row in _slots(call, state[ACCOUNTS]) if row.team is None)
        return page(call, "accounts", rows, lambda row: views.account(state, row))


def list_endpoints(call: Call) -> Response:
    """Every webhook endpoint."""
    with present(call.world) as state:
        return page(call, "endpoints", _slots(call, state[ENDPOINT]), lambda row: views.endpoint(state, row))


def list_catalogue(call: Call) -> Response:
    """Every product."""
    with present(call.world) as state:
        return page(call, "catalogue", _slots(call, state[PRODUCTS]), lambda row: views.product(state, row))


def list_events(call: Call) -> Response:
    """What happened, or what happened of one kind."""
    kind = call.query["type"]
    with present(call.world) as state:
        found = (event for event in iter_events(state, call.query["after"] or 0) if kind in (None, event.kind))
        rows = ((event.n + 1, event) for event in found)
        return page(call, "events", rows, lambda row: views.event(call.world, state, row))


def _id(text: str) -> Id:
    return int(text) if text.isascii() and text.isdigit() else text


def _placed(state: State, named: Mapping[str, Id]) -> int | None:
    try:
        return placed(state, named).n
    except (TeamOrderNotFound, GiftNotFound):
        return None


def _slots(call: Call, table: Table[R]) -> Iterable[tuple[int, R]]:
    """The rows of a table behind `after`, numbered from 1 by their slots."""
    for n in range(call.query["after"] or 0, table.next_n):
        row = table.at(n)
        if row is not None:
            yield n + 1, row


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listEvents": list_events,
        "listPayments": list_payments,
        "listLedger": list_ledger,
        "listParcels": list_parcels,
        "listOrders": list_orders,
        "listCatalogue": list_catalogue,
        "listAccounts": list_accounts,
        "listEndpoints": list_endpoints,
    }
)
