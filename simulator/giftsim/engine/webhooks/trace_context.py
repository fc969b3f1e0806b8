"""W3C trace context: what a call sends as `traceparent` and `tracestate` goes out with the webhooks that follow (G484).

A call's context belongs to the records that it makes and to the events that it causes. What has no context of its own,
such as a timer or an act of the control API, takes that of the record that it changes. Each attempt is another span of
the same trace. In worlds without such calls nothing is kept.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.kernel.random_streams import draw_token
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec, Undo, is_addition
from giftsim.engine.kernel.timer import PART as TIMERS
from giftsim.engine.webhooks.delivery import DELIVERY
from giftsim.engine.webhooks.event import EVENT

TRACEPARENT, TRACESTATE = "traceparent", "tracestate"
_PARENT: Final = re.compile(r"(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_MEMBER: Final = re.compile(
    r"[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]"
)
MOST_MEMBERS: Final = 32  # of a tracestate
PASSED_FLAGS: Final = 0x03  # sampled, and random trace id
_LOOKED_AT: Final = 64  # newest changes of a transaction in which an event's record is looked for


class TraceContext(NamedTuple):
    """What a call sent: the id of its trace (32 hexadecimal digits), its flags, and the state, "" for none."""

    trace_id: str
    flags: str
    state: str


class Traced(Record, frozen=True, gc=False):
    """The context of `count` records of a table, from slot `first` on."""

    table: str
    first: int
    count: int
    trace_id: str
    flags: str
    state: str

    @property
    def context(self) -> TraceContext:
        """The context."""
        return TraceContext(self.trace_id, self.flags, self.state)


TRACED: TableSpec[Traced] = TableSpec("webhooks.traced", Traced, groups={"table": "table"}, sparse=True)


def read_context(environ: Mapping[str, Any]) -> TraceContext | None:
    """The context in the headers of a call, as WSGI names them; None without a valid `traceparent`.

    As the recommendation says, an invalid `traceparent` is ignored together with its `tracestate`, and an invalid
    `tracestate` alone. Of a later version only what version 00 knows is read.
    """
    match = _parsed(environ.get("HTTP_TRACEPARENT", ""))
    if match is None:
        return None
    flags = f"{int(match[4], 16) & PASSED_FLAGS:02x}"
    return TraceContext(match[2], flags, _valid_state(environ.get("HTTP_TRACESTATE", "")))


def valid_traceparent(text: str) -> str | None:
    """The text of a `traceparent` if it is a valid one, else None."""
    return None if _parsed(text) is None else text


def _parsed(text: str) -> re.Match[str] | None:
    match = _PARENT.fullmatch(text)
    return None if match is None or (match[5] and match[1] == "00") else match


def _valid_state(text: str) -> str:
    """A `tracestate` as it is passed on, "" for an invalid one."""
    members = [member.strip(" \t") for member in text.split(",") if member.strip(" \t")]
    names = {member.partition("=")[0] for member in members}
    valid = len(names) == len(members) <= MOST_MEMBERS and all(map(_MEMBER.fullmatch, members))
    return ",".join(members) if valid else ""


def trace_headers(state: State, event: int, attempt: int) -> tuple[tuple[str, str], ...]:
    """The headers of an attempt to send an event (both slots); none without a context."""
    found = context_of(state, EVENT.name, event) if state[TRACED].next_n else None
    if found is None:
        return ()
    span = draw_token(state.seed, "span", attempt, 16)
    parent = (TRACEPARENT, f"00-{found.trace_id}-{span}-{found.flags}")
    return (parent, (TRACESTATE, found.state)) if found.state else (parent,)


def context_of(state: State, table: str, n: int) -> TraceContext | None:
    """The context of the record in a slot of a table, or None."""
    traced = state[TRACED]
    slots = traced.slots_in("table", table)
    place = bisect_right(slots, n, key=lambda slot: traced.get(slot).first)
    row = traced.get(slots[place - 1]) if place else None
    return row.context if row is not None and n < row.first + row.count else None


def trace_event(state: State, n: int) -> None:
    """Give the event that is about to be added its context, if it has one."""
    context: TraceContext | None = state.context
    if context is None and state[TRACED].next_n:
        newest = reversed(state.log[-_LOOKED_AT:])
        context = next((found for entry in newest if (found := _context_before(state, entry)) is not None), None)
    if context is not None:
        _note(state, EVENT.name, n, 1, context)


def trace_records(state: State) -> None:
    """Note the contexts of the records that a transaction has added (handles COMMITTING)."""
    if state.context is None and not state[TRACED].next_n:
        return
    for table, first, count, context in list(_added(state)):
        _note(state, table, first, count, context)


def _added(state: State) -> Iterator[tuple[str, int, int, TraceContext]]:
    """The runs of records that a transaction has added to the tables of state machines, with their context."""
    own: TraceContext | None = state.context
    found = (_context_before(state, entry) for entry in state.log)
    context = own or next((each for each in found if each is not None), None)
    if context is None:
        return
    tables, runs = {*state.definitions.machine_tables.values()} - {DELIVERY.name}, dict[str, list[int]]()
    for entry in state.log:
        if own is None and (last := _context_before(state, entry)) is not None and last != context:
            yield from ((table, first, count, context) for table, (first, count) in runs.items())
            context, runs = last, {}
        if entry.part not in tables or not is_addition(entry):
            continue
        run, n = runs.get(entry.part), entry.former.n
        if run is not None and n == run[0] + run[1]:
            run[1] += 1
            continue
        if run is not None:
            yield entry.part, run[0], run[1], context
        runs[entry.part] = [n, 1]
    yield from ((table, first, count, context) for table, (first, count) in runs.items())


def _context_before(state: State, entry: Undo) -> TraceContext | None:
    """The context that the record of a change had before its transaction: a record, or what a timer is about."""
    part, machines = entry.part, state.definitions.machine_tables
    if part == TIMERS:
        table = machines.get(entry.former.owner)
        return None if table is None else context_of(state, table, entry.former.subject)
    return context_of(state, part, entry.former.n) if part in machines.values() else None


def _note(state: State, table: str, first: int, count: int, context: TraceContext) -> None:
    traced = state[TRACED]
    slots = traced.slots_in("table", table)
    last = traced.get(slots[-1]) if slots else None
    if last is not None and last.first + last.count == first and last.context == context:
        traced.put(msgspec.structs.replace(last, count=last.count + count))
    else:
        traced.add(Traced(traced.next_n, table, first, count, *context))
