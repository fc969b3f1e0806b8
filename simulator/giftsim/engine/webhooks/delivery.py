"""Deliveries: one event sent to one endpoint, with a ladder of growing retry delays (P-6.16 to P-6.19, B44, G26)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec

from giftsim.engine.kernel.index import Derived, Partitioned
from giftsim.engine.kernel.instants import HOUR, MINUTE
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import Machine, Row
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.kernel.timer import FIRST_PHASE
from giftsim.engine.webhooks.endpoint import DISABLED, ENDPOINT, Endpoint, add_to_counts
from giftsim.engine.webhooks.webhook_settings import LADDER_JITTER

STATE_PHASE = FIRST_PHASE
HOURLY_RUN_PHASE = 1
DELIVERY_PHASE = 2


LADDER_MS = (5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 48 * HOUR)

PENDING, DELIVERED, DEAD, DROPPED = "pending", "delivered", "dead", "dropped"

MAX_SHOWN = 50


class Delivery(Record, frozen=True, gc=False):
    """One event for one endpoint; `event` and `endpoint` are slots.

    `attempts` counts all attempts, `failures` the failed ones of the ladder. `next_attempt_ms` is the time of the
    ladder's next attempt, or None: at its end, while an attempt is in flight or held back, and while the signing key
    is missing. `held_by` is the id of the fault that postpones the delivery until another overtakes it (`reorder`), or
    holds it back until the fault is deleted (`hold`).
    """

    event: int
    endpoint: int
    created_ms: int
    status: str = PENDING
    attempts: int = 0
    failures: int = 0
    last_status: int | None = None
    next_attempt_ms: int | None = None
    held_by: str = ""

    @property
    def is_held_back(self) -> bool:
        """Whether its next attempt waits until the fault that holds it is deleted."""
        return bool(self.held_by) and self.next_attempt_ms is None


def _undelivered(delivery: Delivery) -> int | str | None:
    """The index key: the endpoint of a pending delivery, the status of one that is dead or dropped."""
    status = delivery.status
    return delivery.endpoint if status == PENDING else None if status == DELIVERED else status


DELIVERY: TableSpec[Delivery] = TableSpec(
    "webhooks.delivery",
    Delivery,
    groups={"endpoint": "endpoint"},
    moving={"undelivered": Partitioned(Derived(("status",), _undelivered))},
)


def _count_settled(state: State, delivery: Delivery) -> None:
    add_to_counts(state, delivery.endpoint, pending=-1)


def _count_dead(state: State, delivery: Delivery) -> None:
    add_to_counts(state, delivery.endpoint, pending=-1, dead=1)


def _count_revived(state: State, delivery: Delivery) -> None:
    add_to_counts(state, delivery.endpoint, dead=-1)


MACHINE: Machine[Delivery] = Machine(
    "delivery",
    DELIVERY,
    initial=[PENDING],
    final=[DELIVERED, DROPPED],
    rows=[
        Row(PENDING, "accept", DELIVERED, do=_count_settled),
        Row(PENDING, "fail", PENDING),
        Row(PENDING, "exhaust", DEAD, do=_count_dead),
        Row(PENDING, "drop", DROPPED, do=_count_settled),
        Row(DEAD, "accept", DELIVERED, do=_count_revived),
    ],
)

ATTEMPT_TIMER = "delivery.attempt"


def add_pending(state: State, event: int, endpoint: int) -> Delivery:
    """Add a pending delivery; `schedule` sets its first attempt."""
    add_to_counts(state, endpoint, pending=1)
    return state[DELIVERY].add(Delivery(state[DELIVERY].next_n, event, endpoint, state.now_ms))


def schedule(state: State, delivery: Delivery, at_ms: int, **changes: Any) -> Delivery:
    """Set the time of the ladder's next attempt; an overdue one is made at once (G22)."""
    _start_timer(state, delivery, at_ms)
    return state[DELIVERY].put(msgspec.structs.replace(delivery, next_attempt_ms=at_ms, **changes))


def _start_timer(state: State, delivery: Delivery, at_ms: int) -> None:
    because = f"attempt {delivery.attempts + 1}"
    state.timers.set(max(at_ms, state.now_ms), MACHINE.name, delivery.n, ATTEMPT_TIMER, because, DELIVERY_PHASE)


def apply_ladder_answer(state: State, delivery: Delivery, at_ms: int, accepted: bool, **changes: Any) -> Delivery:
    """Apply the answer to the ladder's attempt made at `at_ms`; each retry delay counts from that instant (B44)."""
    if delivery.status != PENDING:
        return state[DELIVERY].put(msgspec.structs.replace(delivery, **changes))
    if accepted:
        return MACHINE.fire(state, delivery, "accept", next_attempt_ms=None, **changes)
    failures = delivery.failures + 1
    if failures > len(LADDER_MS):
        return MACHINE.fire(state, delivery, "exhaust", next_attempt_ms=None, failures=failures, **changes)
    next_ms = at_ms + LADDER_MS[failures - 1] + _jitter_ms(state)
    new = MACHINE.fire(state, delivery, "fail", next_attempt_ms=next_ms, failures=failures, **changes)
    _start_timer(state, new, next_ms)
    return new


def _jitter_ms(state: State) -> int:
    most_ms = state.setting(LADDER_JITTER)
    return state.draw("ladder jitter") % (most_ms + 1) if most_ms else 0


def apply_extra_answer(state: State, delivery: Delivery, accepted: bool, **changes: Any) -> Delivery:
    """Apply the answer to a duplicate or resend: success completes the delivery, failure changes no status (G26)."""
    if accepted and MACHINE.can(state, delivery, "accept"):
        return MACHINE.fire(state, delivery, "accept", next_attempt_ms=None, **changes)
    return state[DELIVERY].put(msgspec.structs.replace(delivery, **changes))


def list_pending(state: State, endpoint: int) -> list[int]:
    """Slots of an endpoint's pending deliveries, in order of creation."""
    return list(state[DELIVERY].slots_in("undelivered", endpoint))


def undelivered_events(state: State) -> dict[str, set[int]]:
    """The events (slots) with a delivery that is pending, dead or dropped, by that status."""
    found: dict[str, set[int]] = {PENDING: set(), DEAD: set(), DROPPED: set()}
    for row in undelivered(state, PENDING, DEAD, DROPPED):
        found[row.status].add(row.event)
    return found


def undelivered(state: State, *statuses: str) -> Iterator[Delivery]:
    """The deliveries with some of the statuses pending, dead and dropped."""
    table, rows = state[DELIVERY], state[DELIVERY].rows
    pending = [endpoint.n for endpoint in state[ENDPOINT] if endpoint.pending] if PENDING in statuses else []
    keys: tuple[int | str, ...] = (*pending, *(status for status in statuses if status != PENDING))
    slots = chain.from_iterable([table.slots_in("undelivered", key) for key in keys])
    return (row for n in slots if (row := rows[n]) is not None)


def list_latest(state: State, endpoint: int, limit: int = MAX_SHOWN) -> list[Delivery]:
    """An endpoint's last deliveries, newest first (P-4.14, P-8.4)."""
    table = state[DELIVERY]
    return [table.get(n) for n in reversed(table.slots_in("endpoint", endpoint)[-limit:])]


def disable_endpoint(state: State, endpoint: Endpoint) -> Endpoint:
    """Disable an endpoint for good and drop its pending deliveries; idempotent (B28, P-4.15)."""
    for n in list_pending(state, endpoint.n):
        MACHINE.fire(state, state[DELIVERY].get(n), "drop", next_attempt_ms=None)
    endpoint = state[ENDPOINT].get(endpoint.n)
    return state[ENDPOINT].put(msgspec.structs.replace(endpoint, status=DISABLED))
