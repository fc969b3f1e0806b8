"""What a world has done, to read (G40)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from simulator.control.page import page
from simulator.control.present import present
from simulator.control.views import record as views
from simulator.domain.money.account import ACCOUNTS
from simulator.domain.money.charge import CHARGES
from simulator.domain.money.ledger import ENTRIES
from simulator.domain.orders.catalogue import PRODUCTS
from simulator.domain.orders.order import CHANNEL, ORDERS
from simulator.domain.orders.order import FIRST_ID as FIRST_ORDER
from simulator.domain.orders.shipment import SHIPMENTS
from simulator.gateway.call import Call, Reply
from simulator.kernel.table import Record, Table
from simulator.webhooks.event import happened

R = TypeVar("R", bound=Record)


def list_orders(call: Call) -> Reply:
    """Every team order of every account."""
    with present(call.here) as state:
        rows = ((number, row) for number, row in _slots(call, state[ORDERS]) if row.channel == CHANNEL)
        return page(call, "orders", rows, lambda row: views.order(call.here, state, row))


def list_parcels(call: Call) -> Reply:
    """Every parcel, or those of one team order."""
    order_id = call.query["team_order_id"]
    with present(call.here) as state:
        rows = _slots(call, state[SHIPMENTS])
        if order_id is not None:
            owner = (CHANNEL, order_id - FIRST_ORDER)
            rows = ((number, row) for number, row in rows if (row.channel, row.owner) == owner)
        return page(call, "parcels", rows, lambda row: views.parcel(call.here, state, row))


def list_payments(call: Call) -> Reply:
    """Charges and settlements."""
    with present(call.here) as state:
        return page(call, "payments", _slots(call, state[CHARGES]), lambda row: views.payment(state, row))


def list_ledger(call: Call) -> Reply:
    """Every movement of money."""
    with present(call.here) as state:
        return page(call, "ledger", _slots(call, state[ENTRIES]), views.ledger_entry)


def list_accounts(call: Call) -> Reply:
    """Every account; what teams have is in their own views."""
    with present(call.here) as state:
        rows = ((number, row) for number, row in _slots(call, state[ACCOUNTS]) if row.team is None)
        return page(call, "accounts", rows, lambda row: views.account(state, row))


def list_catalogue(call: Call) -> Reply:
    """Every product."""
    with present(call.here) as state:
        return page(call, "catalogue", _slots(call, state[PRODUCTS]), lambda row: views.product(state, row))


def list_events(call: Call) -> Reply:
    """What happened, or what happened of one kind."""
    kind = call.query["type"]
    with present(call.here) as state:
        found = (event for event in happened(state, call.query["after"] or 0) if kind in (None, event.kind))
        rows = ((event.n + 1, event) for event in found)
        return page(call, "events", rows, lambda row: views.event(call.here, state, row))


def _slots(call: Call, table: Table[R]) -> Iterable[tuple[int, R]]:
    """The rows of a table behind `after`, numbered from 1 by their slots."""
    for n in range(call.query["after"] or 0, table.next_n):
        row = table.at(n)
        if row is not None:
            yield n + 1, row
