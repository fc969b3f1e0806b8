"""The retry ladder of a delivery: the places of its attempts, and the attempts still to come (P-6.18, B44)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from giftsim.engine.kernel.instants import DAY, HOUR, MINUTE
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.attempt import LADDER, Attempt
from giftsim.engine.webhooks.delivery import DEAD, DELIVERED, LADDER_MS, PENDING, Delivery
from giftsim.engine.webhooks.fan_out import HOURLY_RUN_OWNER, HOURLY_RUN_TIMER
from giftsim.engine.webhooks.outgoing import is_key_missing

MOST_ATTEMPTS = len(LADDER_MS) + 1


class PlannedAttempt(msgspec.Struct, frozen=True, gc=False):
    """An attempt still to come: its place in the ladder from 1, its instant if known, and why it is made then."""

    place: int
    at_ms: int | None
    because: str


def places_in_ladder(delivery: Delivery, attempts: Sequence[Attempt]) -> Mapping[int, int]:
    """The place of each attempt in the ladder, by the attempts' slots. `attempts` are the delivery's, in order."""
    own = [attempt for attempt in attempts if attempt.mark == LADDER]
    if not own:
        return {}
    is_failed = own[-1].outcome not in (None, DELIVERED)
    last = delivery.failures if is_failed else delivery.failures + 1
    return {attempt.n: last - i for i, attempt in enumerate(reversed(own))}


def planned_attempts(state: State, delivery: Delivery, attempts: Sequence[Attempt]) -> list[PlannedAttempt]:
    """The attempts still to come if each of them fails. A delivery that has ended has none."""
    if delivery.status != PENDING:
        return []
    current = next((a for a in reversed(attempts) if a.mark == LADDER and a.outcome is None), None)
    number = delivery.failures + 1
    if current is not None:
        return list(_later(number, current.at_ms))
    first = PlannedAttempt(number, delivery.next_attempt_ms, _reason(state, delivery))
    return [first, *_later(number, first.at_ms)]


def planned_while_waiting(state: State) -> list[PlannedAttempt]:
    """The attempts of an event that waits for the hourly run."""
    due = next((timer for timer in state.timers.owned(HOURLY_RUN_OWNER, 0) if timer.kind == HOURLY_RUN_TIMER), None)
    first = PlannedAttempt(1, None if due is None else due.due_ms, "the hourly run sends new events")
    return [first, *_later(1, first.at_ms)]


def gives_up_ms(planned: Sequence[PlannedAttempt], delivery: Delivery, attempts: Sequence[Attempt]) -> int | None:
    """When the delivery died, or dies if every attempt fails. None if it cannot, or if that is not known."""
    if planned:
        return planned[-1].at_ms
    own = [attempt for attempt in attempts if attempt.mark == LADDER]
    if own and (delivery.status == DEAD or own[-1].outcome is None):
        return own[-1].at_ms
    return None


def _later(number: int, at_ms: int | None) -> Iterator[PlannedAttempt]:
    """The attempts after number `number`, which is made at `at_ms`."""
    for failures in range(number, MOST_ATTEMPTS):
        delay_ms = LADDER_MS[failures - 1]
        at_ms = None if at_ms is None else at_ms + delay_ms
        yield PlannedAttempt(failures + 1, at_ms, f"{_span(delay_ms)} after attempt {failures}, if that fails")


def _reason(state: State, delivery: Delivery) -> str:
    if delivery.is_held_back:
        return f"the fault {delivery.held_by} holds it until the fault is deleted"
    if delivery.held_by:
        return f"the fault {delivery.held_by} postpones it until another delivery overtakes it, for at most an hour"
    if is_key_missing(state):
        return "the world has no signing key; the attempt is made as soon as there is one"
    if not delivery.failures:
        return "the first attempt"
    return f"{_span(LADDER_MS[delivery.failures - 1])} after attempt {delivery.failures}, which failed"


def _span(delay_ms: int) -> str:
    for unit_ms, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if delay_ms >= unit_ms:
            count = delay_ms // unit_ms
            return f"{count} {name}{'' if count == 1 else 's'}"
    raise ValueError(f"a delay of {delay_ms} ms is shorter than a minute")
