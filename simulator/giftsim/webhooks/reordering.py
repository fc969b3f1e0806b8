"""Deliveries that a fault lets the next one to the same endpoint overtake; alone, they go an hour late (G16)."""

from __future__ import annotations

import msgspec

from giftsim.kernel.instants import HOUR
from giftsim.kernel.state import State
from giftsim.webhooks.delivery import DELIVERY, MACHINE, PENDING, Delivery, schedule

MAX_DELAY_MS = HOUR


def postpone(state: State, delivery: Delivery, fault: str) -> bool:
    """Hold a delivery back, unless another of its endpoint is: then it goes, and so overtakes that one."""
    if _held(state, delivery.endpoint) is not None:
        return False
    state.timers.clear(MACHINE.name, delivery.n)
    schedule(state, delivery, state.now_ms + MAX_DELAY_MS, held_by=fault)
    state.set_counter(_counter_name(delivery.endpoint), delivery.n + 1)
    return True


def end_postponement(state: State, delivery: Delivery) -> Delivery:
    """The delivery as it is tried: held back no more."""
    if not delivery.held_by:
        return delivery
    state.set_counter(_counter_name(delivery.endpoint), 0)
    state.timers.clear(MACHINE.name, delivery.n)
    return state[DELIVERY].put(msgspec.structs.replace(delivery, held_by=""))


def find_overtaken(state: State, passing: Delivery) -> int | None:
    """The slot of the delivery that another one of its endpoint has just overtaken, or None."""
    held = _held(state, passing.endpoint)
    return None if held is None or held.n == passing.n else held.n


def _held(state: State, endpoint: int) -> Delivery | None:
    n = state.counter(_counter_name(endpoint))
    held = state[DELIVERY].get(n - 1) if n else None
    return held if held is not None and held.status == PENDING and held.held_by else None


def _counter_name(endpoint: int) -> str:
    return f"webhooks.held {endpoint}"
