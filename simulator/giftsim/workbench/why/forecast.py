"""When something comes by itself: a copy of the world whose timers about one record fire, and nobody does anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from giftsim.engine.control.kinds import kind_and_slot_of
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.event import EVENT as EVENTS
from giftsim.engine.webhooks.event import PING_SUBJECT, Event
from giftsim.workbench.why.about import EVENT, STATUS, Expected
from giftsim.workbench.why.facts import WORDS, Subject

MOST = 100  # timers of one record that fire, one after the other
PARCEL = "parcel"  # whose status a question can be about, after that of what it belongs to


class Forecast(NamedTuple):
    """The instant at which something comes, and the event if it is one."""

    at_ms: int
    event: Event | None = None


def forecast(state: State, subject: Subject, expected: Expected) -> Forecast | None:
    """When a subject has what is expected of it, if time passes and nobody acts; None if that never comes."""
    copy = state.share()
    copy.rate = 0.0
    for _ in range(MOST):
        timer = min(_timers(copy, subject), key=lambda each: (each.due_ms, each.phase, each.serial), default=None)
        if timer is None:
            return None
        first = copy[EVENTS].next_n
        try:
            copy.fire(timer)
        except Problem:
            return None
        copy.outbox.clear()
        found = _reached(copy, subject, expected, first)
        if found is not None and (found.event is not None or not _goes_on(copy, subject)):
            return found
    return None


def status_of(state: State, subject: Subject, statuses: str | None = None) -> str | None:
    """The status of a subject as answers show it; with `statuses`, that of its record which can have this one."""
    service = service_of(state)
    kinds = {kind.name: kind for kind in service.kinds}
    for name in (WORDS[subject.ref], PARCEL):
        kind = kinds.get(name)
        known = () if kind is None else (*kind.statuses, *(kind.machine.states if kind.machine else ()))
        key = next((key for key in subject.keys if key.startswith(f"{name}/")), None)
        if kind is None or key is None or (statuses is not None and statuses not in known):
            continue
        row = state[kind.table].at(int(key.partition("/")[2]))
        if row is not None:
            return str(kind.status(state, row))
    return None


def _goes_on(state: State, subject: Subject) -> bool:
    """Whether more timers of a subject are due at this instant, so that nobody sees a status which it has before."""
    return any(timer.due_ms <= state.now_ms for timer in _timers(state, subject))


def _timers(state: State, subject: Subject) -> Iterator[Timer]:
    """The timers about a subject, and about all that belongs to it."""
    owners = {kind.name: kind.timer_owners for kind in service_of(state).kinds}
    for key in subject.keys:
        kind, _, slot = key.partition("/")
        for owner in owners.get(kind, ()):
            yield from state.timers.owned(owner, int(slot))


def _reached(state: State, subject: Subject, expected: Expected, first: int) -> Forecast | None:
    if expected.kind == STATUS:
        return Forecast(state.now_ms) if status_of(state, subject, expected.value) == expected.value else None
    if expected.kind != EVENT:
        return None
    for n in range(first, state[EVENTS].next_n):
        event = state[EVENTS].get(n)
        if event.kind == expected.value and event.subject != PING_SUBJECT and _is_about(state, event, subject):
            return Forecast(state.now_ms, event)
    return None


def _is_about(state: State, event: Event, subject: Subject) -> bool:
    found = kind_and_slot_of(state, event)
    ref = found[0].ref_of(state, found[1]) if found else None
    return ref is not None and (ref.kind, ref.id) == (subject.ref, subject.id)
