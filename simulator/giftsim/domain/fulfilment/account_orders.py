"""The orders of an account: one by its public id, and all of them, newest first and page by page."""

from __future__ import annotations

from giftsim.domain.fulfilment.fulfilment import FIRST_ID, FULFILMENTS, Fulfilment, PartnerOrder
from giftsim.domain.fulfilment.problem import TeamOrderNotFound
from giftsim.domain.money.account import Account
from giftsim.kernel.state import State


def find_order(state: State, account: Account, order_id: int) -> PartnerOrder:
    """The account's order with a public id; TeamOrderNotFound if it has none (P-1.9, P-7.18)."""
    order = state[FULFILMENTS].at(order_id - FIRST_ID)
    if not isinstance(order, PartnerOrder) or order.account != account.n:
        raise TeamOrderNotFound(f"there is no team order {order_id} on this account")
    return order


def list_orders(
    state: State, account: Account, *, limit: int, offset: int, status: str | None = None
) -> tuple[list[Fulfilment], int]:
    """A page of the account's orders, newest first, and the number of all of them (P-4.2 to P-4.4)."""
    table = state[FULFILMENTS]
    if status is None:
        slots = table.slots_in("account", account.n)
    else:
        slots = table.slots_in("status", f"{account.n} {status}")
    total = len(slots)
    end = max(0, total - offset)
    return [table.get(n) for n in reversed(slots[max(0, end - limit) : end])], total
