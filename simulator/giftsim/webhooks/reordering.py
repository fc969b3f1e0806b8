"""The fault `reorder`: postpones a delivery until the next one to its endpoint overtakes it, at most an hour (G16)."""

from __future__ import annotations

import msgspec

from giftsim.kernel.instants import HOUR
from giftsim.kernel.state import State
from giftsim.webhooks.delivery import DELIVERY, MACHINE, PENDING, Delivery, schedule

MAX_DELAY_MS = HOUR


def postpone(state: State, delivery: Delivery, fault: str) -> bool:
    """Postpone a delivery. Return False if another of its endpoint is postponed: this one is sent and overtakes it."""
    if _postponed(state, delivery.endpoint) is not None:
        return False
    state.timers.clear(MACHINE.name, delivery.n)
    schedule(state, delivery, state.now_ms + MAX_DELAY_MS, held_by=fault)
    state.set_counter(_counter_name(delivery.endpoint), delivery.n + 1)
    return True


def end_postponement(state: State, delivery: Delivery) -> Delivery:
    """The delivery, no longer postponed if it was."""
    if not delivery.held_by:
        return delivery
    state.set_counter(_counter_name(delivery.endpoint), 0)
    state.timers.clear(MACHINE.name, delivery.n)
    return state[DELIVERY].put(msgspec.structs.replace(delivery, held_by=""))


def find_overtaken(state: State, passing: Delivery) -> int | None:
    """The slot of the postponed delivery that a sent one of its endpoint overtakes, or None."""
    postponed = _postponed(state, passing.endpoint)
    return None if postponed is None or postponed.n == passing.n else postponed.n


def _postponed(state: State, endpoint: int) -> Delivery | None:
    n = state.counter(_counter_name(endpoint))
    delivery = state[DELIVERY].get(n - 1) if n else None
    return delivery if delivery is not None and delivery.status == PENDING and delivery.held_by else None


def _counter_name(endpoint: int) -> str:
    return f"webhooks.held {endpoint}"
