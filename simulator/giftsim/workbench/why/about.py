"""What a question is about: a record or a call, and the event, status or answer that was expected of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.gateway.problem import InvalidParameter
from giftsim.engine.gateway.record_kind import Kind
from giftsim.engine.gateway.simulated_service import Service, service_of
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.problem import Problem

# The kinds of questions, and the kinds under which answers refer to such records.
KINDS: Final = {
    "order": ("team_order", "order"),
    "gift": ("gift",),
    "campaign": ("campaign",),
    "event": ("event",),
    "approval": ("approval",),
    "call": ("call",),
}
EVENT, STATUS, ANSWER = "event", "status", "answer"
_ANSWER: Final = re.compile(r"[1-5][0-9][0-9]")


class NothingKnown(Problem, status=404, code="record_not_found"):
    """The world has no record or call of that kind with that id."""


class Expected(NamedTuple):
    """What was expected: the type of an `event`, a `status`, or the HTTP status of an `answer`."""

    kind: str
    value: str


class About(msgspec.Struct, frozen=True):
    """A question: the kind and id of a record as people call it, and what was expected of it, if anything."""

    kind: str
    id: str
    expected: Expected | None = None


def read_about(text: str, expected: str | None, state: State, calls: int) -> About:
    """The question `KIND:ID` with what was expected. InvalidParameter, NothingKnown. `calls` is the number of calls."""
    kind, colon, id_ = text.partition(":")
    if kind not in KINDS or not colon or not id_:
        known = ", ".join(KINDS)
        hint = f"; {suggest_name(kind, [*KINDS])}" if colon and id_ else ""
        raise InvalidParameter(f"about: Expected KIND:ID with a kind of {known}, not {text[:60]!r}{hint}")
    wanted = None if expected is None else read_expected(expected, state)
    if not _exists(kind, id_, state, calls):
        raise NothingKnown(f"about: {_missing(kind, id_, state, calls)}")
    return About(kind, id_, wanted)


def read_expected(text: str, state: State) -> Expected:
    """What was expected, as people write it. InvalidParameter names the nearest event type or status."""
    types, statuses = event_types(state), statuses_of(service_of(state))
    if text in types:
        return Expected(EVENT, text)
    if text in statuses:
        return Expected(STATUS, text)
    if _ANSWER.fullmatch(text):
        return Expected(ANSWER, text)
    raise InvalidParameter(
        f"expected: {text[:60]!r} is neither a type of event, nor a status of a record, nor an HTTP status;"
        f" {suggest_name(text, [*types, *statuses])}"
    )


def event_types(state: State) -> tuple[str, ...]:
    """The types of webhook events."""
    return tuple(service_of(state).webhook_kinds)


def statuses_of(service: Service) -> tuple[str, ...]:
    """The statuses that records can have."""
    found = (
        each for kind in service.kinds for each in (*kind.statuses, *(kind.machine.states if kind.machine else ()))
    )
    return tuple(dict.fromkeys(found))


def _ids(kind: str, state: State) -> Iterator[Any]:
    """The public ids of the records that a question of a kind can be about."""
    for each in service_of(state).kinds:
        if each.name == kind:
            yield from (_id(each, state, row.n) for row in state[each.table])


def _id(kind: Kind[Any], state: State, n: int) -> Any:
    ref = kind.ref_of(state, n)
    return ref.id if ref is not None and ref.kind in KINDS.get(kind.name, ()) else None


def _exists(kind: str, id_: str, state: State, calls: int) -> bool:
    if kind == "call":
        return id_.isdecimal() and 1 <= int(id_) <= calls
    return any(str(each) == id_ for each in _ids(kind, state) if each is not None)


def _missing(kind: str, id_: str, state: State, calls: int) -> str:
    if kind == "call":
        return f"there is no call {id_[:60]!r}; the calls so far are 1 to {calls}" if calls else "nobody has called yet"
    known = [str(each) for each in _ids(kind, state) if each is not None]
    otherwise = None if len(known) <= 12 else f"there are {len(known):,}"
    return f"there is no {kind} {id_[:60]!r}; {suggest_name(id_, known, otherwise)}"
