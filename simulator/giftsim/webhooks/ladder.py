"""The retry ladder of a delivery as people read it: rungs that were tried, and those still to come (P-6.18, B44)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from giftsim.kernel.instants import DAY, HOUR, MINUTE
from giftsim.kernel.state import State
from giftsim.webhooks.attempt import LADDER, Attempt
from giftsim.webhooks.delivery import DEAD, DELIVERED, LADDER_MS, PENDING, Delivery
from giftsim.webhooks.fan_out import HOURLY_RUN_TIMER
from giftsim.webhooks.signing_key import is_key_missing

RUNGS = len(LADDER_MS) + 1


class Rung(msgspec.Struct, frozen=True, gc=False):
    """A rung still to come: its number from 1, its instant if that is known, and why it is made then."""

    rung: int
    at_ms: int | None
    because: str


def rungs_tried(delivery: Delivery, attempts: Sequence[Attempt]) -> Mapping[int, int]:
    """The rung of each attempt of the ladder, by the attempts' slots. `attempts` are the delivery's, in order."""
    own = [attempt for attempt in attempts if attempt.mark == LADDER]
    if not own:
        return {}
    is_failed = own[-1].outcome not in (None, DELIVERED)
    last = delivery.failures if is_failed else delivery.failures + 1
    return {attempt.n: last - i for i, attempt in enumerate(reversed(own))}


def planned_rungs(state: State, delivery: Delivery, attempts: Sequence[Attempt]) -> list[Rung]:
    """The rungs still to come if every attempt fails. A delivery that is over has none."""
    if delivery.status != PENDING:
        return []
    current = next((a for a in reversed(attempts) if a.mark == LADDER and a.outcome is None), None)
    number = delivery.failures + 1
    if current is not None:
        return list(_later(number, current.at_ms))
    first = Rung(number, delivery.next_attempt_ms, _reason(state, delivery))
    return [first, *_later(number, first.at_ms)]


def rungs_of_waiting(state: State) -> list[Rung]:
    """The rungs of an event that waits for the hourly run."""
    due = next((timer for timer in state.timers.owned("webhooks", 0) if timer.kind == HOURLY_RUN_TIMER), None)
    first = Rung(1, None if due is None else due.due_ms, "the hourly run sends new events")
    return [first, *_later(1, first.at_ms)]


def gives_up_ms(planned: Sequence[Rung], delivery: Delivery, attempts: Sequence[Attempt]) -> int | None:
    """When the delivery is dead if every attempt fails, or was; None if it cannot be, or the instant is open."""
    if planned:
        return planned[-1].at_ms
    own = [attempt for attempt in attempts if attempt.mark == LADDER]
    if own and (delivery.status == DEAD or own[-1].outcome is None):
        return own[-1].at_ms
    return None


def _later(number: int, at_ms: int | None) -> Iterator[Rung]:
    """The rungs after number `number`, made at `at_ms`."""
    for failures in range(number, RUNGS):
        delay_ms = LADDER_MS[failures - 1]
        at_ms = None if at_ms is None else at_ms + delay_ms
        yield Rung(failures + 1, at_ms, f"{_span(delay_ms)} after rung {failures}, if that fails")


def _reason(state: State, delivery: Delivery) -> str:
    if delivery.held_by:
        return f"the fault {delivery.held_by} postpones it until another delivery overtakes it, for at most an hour"
    if is_key_missing(state):
        return "there is no signing key; it is made as soon as there is one"
    if not delivery.failures:
        return "the first attempt"
    return f"{_span(LADDER_MS[delivery.failures - 1])} after rung {delivery.failures}, which failed"


def _span(delay_ms: int) -> str:
    for unit_ms, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if delay_ms >= unit_ms:
            count = delay_ms // unit_ms
            return f"{count} {name}{'' if count == 1 else 's'}"
    raise ValueError(f"a delay of {delay_ms} ms is shorter than a minute")
