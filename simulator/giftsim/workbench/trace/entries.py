"""The entries of a trace: what happened in order, what each changed, and what caused it.

An entry that changes the world (a call, a verb, a timer) is followed by those for what it made in the same transaction:
events, other outputs and attempts. They have no changes of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from giftsim.engine.gateway.faults.table import FAULTS
from giftsim.engine.gateway.own_kinds import ATTEMPT, EVENT
from giftsim.engine.gateway.simulated_service import Output, service_of
from giftsim.engine.kernel.instants import format_exact
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.log import inputs
from giftsim.engine.provenance.record_changes import (
    Written,
    changed_records,
    former_versions,
    money_moves,
    rows_of,
    written_between,
)
from giftsim.engine.provenance.record_json import key_of_record
from giftsim.engine.webhooks.delivery import MACHINE as DELIVERIES
from giftsim.engine.webhooks.event import PING_SUBJECT
from giftsim.engine.worlds.advance import subject_label
from giftsim.workbench.trace.playback import Input, Moment, Playback
from giftsim.workbench.trace.trace_calls import Calls, same_call
from giftsim.workbench.trace.trace_deliveries import attempt_facts, event_facts, outcome_facts

if TYPE_CHECKING:
    from giftsim.workbench.why.index import Index

Entry = dict[str, Any]
# How the cause of an entry led to it.
MADE, TIMER, EVENT_, RETRY, ANSWERS = "made", "timer", "event", "retry", "answers"
DURING, FAULT, REPEATS, RESUMES = "during", "fault", "repeats", "resumes"
_ACTS, _FAULTS = ("/simulate/", "/rehearse"), "/faults"


class Known:
    """The number of the entry that made each timer, event and record, for later entries that refer to it."""

    def __init__(self) -> None:
        self.timers: dict[Timer, int] = {}  # their ids
        self.set_by: dict[Timer, int] = {}
        self.calls: dict[int, int] = {}
        self.events: dict[int, int] = {}
        self.attempts: dict[int, int] = {}
        self.last_attempts: dict[int, int] = {}  # by delivery
        self.numbered: dict[tuple[str, int], int] = {}  # attempts, by event and number
        self.faults: dict[str, int] = {}
        self.outputs: dict[str, tuple[int, str]] = {}  # by a text in one, with its word
        self.requests: dict[object, int] = {}


class Entries:
    """Makes the entries of a playback. `touched` has all records that changed, as they were before the first change."""

    def __init__(self, playback: Playback, calls: Calls) -> None:
        self.rows: list[Entry] = []
        self.touched: dict[tuple[str, int], Record | None] = {}
        self._playback, self._calls, self._known = playback, calls, Known()
        self._service = service_of(playback.state)
        self._outputs = {output.kind.table.name: output for output in self._service.outputs}
        self._indexed = 0

    @property
    def _state(self) -> State:
        return self._playback.state

    def begin(self, title: str) -> list[dict[str, Any]]:
        """Add the first entry, for the world that was made; the timers that it begins with."""
        self._add("world", title)
        return [self._set_timer(timer) for _, timer in sorted(self._state.timers.live.items())]

    def advance(self, from_ms: int, to_ms: int) -> None:
        """Add an advance, before what fires in it."""
        entry = self._add("advance", f"advance to {format_exact(to_ms)}")
        entry["at"], entry["advance"] = format_exact(from_ms), {"to": format_exact(to_ms)}

    def add(self, moment: Moment) -> None:
        """Add the entries of a moment."""
        if moment.timer is not None:
            entry = self._fired(moment.timer)
        else:
            make = _ROOTS.get(type(moment.input.event))
            made = make(self, moment.input, moment.input.event) if make is not None else None
            if made is None:
                return
            entry = made
        if moment.former is not None:
            self._changed(entry, written_between(moment.former, self._state))
        elif moment.written is None:
            entry["changes_unknown"] = True
        else:
            found = former_versions(moment.written)
            self._changed(entry, found)
            self._made(entry, found)

    def add_to(self, index: Index) -> None:
        """Add to an index what was added here since the last time."""
        for row in self.rows[self._indexed :]:
            index.add(row)
        self._indexed = len(self.rows)

    def _add(self, kind: str, title: str, *causes: tuple[int | None, str]) -> Entry:
        entry: Entry = {"n": len(self.rows) + 1, "kind": kind, "at": format_exact(self._state.now_ms), "title": title}
        known = [{"n": n, "how": how} for n, how in causes if n is not None]
        self.rows.append(entry | ({"causes": known} if known else {}))
        return self.rows[-1]

    def _cause(self, entry: Entry, n: int | None, how: str) -> None:
        if n is not None:
            entry.setdefault("causes", []).append({"n": n, "how": how})

    # What an entry changed, and what it made.

    def _changed(self, entry: Entry, found: Written) -> None:
        state = self._state
        find = rows_of(state)
        for key, former in found.rows.items():
            self.touched.setdefault(key, former)
        fired = entry.get("timer", {}).get("id")
        began = [self._set_timer(timer, entry["n"]) for timer in found.set]
        canceled = [n for timer in found.canceled if (n := self._known.timers.get(timer)) not in (fired, None)]
        more = {
            "changes": list(changed_records(self._service, find, found.rows)),
            "ledger": money_moves(self._service, find, found.rows),
            "set": began,
            "canceled": canceled,
            "settings": {name: [was, state.setting_values.get(name)] for name, was in found.settings.items()},
        }
        entry.update((name, value) for name, value in more.items() if value)

    def _set_timer(self, timer: Timer, by: int = 1) -> dict[str, Any]:
        known, kind = self._known, self._service.kind_of_timer.get(timer.owner)
        known.set_by[timer] = by
        number = known.timers.setdefault(timer, len(known.timers) + 1)
        shown = {
            "id": number,
            "due": format_exact(timer.due_ms),
            "kind": timer.kind,
            "because": timer.because,
            "subject": subject_label(self._state, timer),
        }
        return shown | ({"about": key_of_record(self._service, kind.table.name, timer.subject)} if kind else {})

    def _made(self, entry: Entry, found: Written) -> None:
        """Add the entries for the events, other outputs and attempts that an entry made."""
        for (table, n), former in found.rows.items():
            if former is not None:
                self._used(entry, table, n, former)
                continue
            if table == FAULTS.name and (fault := self._state[FAULTS].at(n)):
                self._known.faults[fault.id] = entry["n"]
            elif (make := _EFFECTS.get(table)) is not None:
                make(self, entry, n)
            elif (output := self._outputs.get(table)) is not None:
                self._sent(entry, output, n)

    def _used(self, entry: Entry, table: str, n: int, former: Any) -> None:
        """What was done with a text of an output, such as a link in it, was caused by that output."""
        kind = self._service.kind_of_table.get(table)
        if kind is not None and kind.used is not None and (row := self._state.table(table).at(n)) is not None:
            known = self._known.outputs.get(kind.used(former, row) or "")
            if known is not None:
                self._cause(entry, *known)

    def _event(self, cause: Entry, n: int) -> None:
        event = self._state[EVENT.table].get(n)
        if event.subject == PING_SUBJECT:
            return
        entry = self._add("event", event.kind, (cause["n"], MADE))
        entry["event"] = event_facts(self._state, event)
        self._known.events[n] = entry["n"]

    def _sent(self, cause: Entry, output: Output, n: int) -> None:
        row = self._state[output.kind.table].at(n)
        if row is None:
            return
        entry = self._add(output.name, output.title(row), (cause["n"], MADE))
        entry[output.name] = output.facts(row)
        self._known.outputs |= dict.fromkeys(output.tokens(row), (entry["n"], output.name))

    def _attempt(self, cause: Entry, n: int) -> None:
        attempt, known = self._state[ATTEMPT.table].at(n), self._known
        if attempt is None:
            return
        event = known.events.get(attempt.event)
        own = None if event is not None and cause["kind"] != "timer" and not attempt.mark else cause["n"]
        how = TIMER if cause["kind"] == "timer" else MADE
        entry = self._add("attempt", f"{attempt.kind} to {attempt.host}", (event, EVENT_), (own, how))
        self._cause(entry, known.faults.get(attempt.fault), FAULT)
        entry["attempt"] = attempt_facts(self._state, attempt, self._calls.fill, event)
        known.attempts[n] = known.last_attempts[attempt.delivery] = entry["n"]
        known.numbered[entry["attempt"]["event_id"], attempt.number] = entry["n"]

    # What happened.

    def _fired(self, timer: Timer) -> Entry:
        known = self._known
        retried = known.last_attempts.get(timer.subject) if timer.owner == DELIVERIES.name else None
        cause = (known.set_by.get(timer), TIMER) if retried is None else (retried, RETRY)
        entry = self._add("timer", timer.because, cause)
        shown = self._set_timer(timer, entry["n"]) if timer not in known.timers else None
        entry["timer"] = shown or {"id": known.timers[timer]}
        return entry

    def _call(self, each: Input, call: inputs.ClientCall) -> Entry:
        known, path = self._known, call.path.partition("?")[0]
        page = self._service.page(path)
        entry = self._add("call" if page is None else page.name, f"{call.method} {path}")
        entry["call"] = facts = self._calls.facts(self._state, each, call)
        if call.during is not None:
            self._cause(entry, known.numbered.get(call.during), DURING)
        self._cause(entry, known.faults.get(facts.get("fault", "")), FAULT)
        if (key := same_call(call)) is not None:
            self._cause(entry, known.requests.get(key), REPEATS)
            known.requests[key] = entry["n"]
        known.calls[call.n] = entry["n"]
        return entry

    def _control(self, each: Input, call: inputs.ControlCall) -> Entry:
        kind = "act" if call.path.startswith(_ACTS) else "fault" if call.path.startswith(_FAULTS) else "control"
        facts = self._calls.control_facts(each, call)
        entry = self._add(kind, facts["summary"])
        entry["control"] = facts
        if call.during is not None:
            self._cause(entry, self._known.numbered.get(call.during), DURING)
        return entry

    def _resumed(self, _: Input, event: inputs.CallResumed) -> Entry:
        return self._add("resumed", "the call goes on", (self._known.calls.get(event.call), RESUMES))

    def _answered(self, _: Input, event: inputs.AttemptCompleted) -> Entry:
        n = self._known.attempts.get(event.attempt)
        entry = self._add("answer", f"{event.outcome} from {event.host}", (n, ANSWERS))
        entry["answer"] = outcome_facts(event)
        if n is not None:
            self.rows[n - 1]["attempt"] |= {name: entry["answer"][name] for name in ("outcome", "status")}
            self.rows[n - 1]["attempt"]["answered_by"] = entry["n"]
        return entry

    def _clock(self, _: Input, event: inputs.ClockRateSet) -> Entry:
        text = f"the clock runs at {event.rate:g} x real time" if event.rate else "the clock was stopped"
        return self._add("clock", text)

    def _snapshot(self, what: str, name: str) -> Entry:
        return self._add("snapshot", f"the snapshot {name} was {what}")


_EFFECTS: Final[Mapping[str, Callable[[Entries, Entry, int], None]]] = {
    EVENT.table.name: Entries._event,
    ATTEMPT.table.name: Entries._attempt,
}
_ROOTS: Final[Mapping[type[inputs.AnyInput], Callable[[Entries, Input, Any], Entry]]] = {
    inputs.ClientCall: Entries._call,
    inputs.ControlCall: Entries._control,
    inputs.CallResumed: Entries._resumed,
    inputs.AttemptCompleted: Entries._answered,
    inputs.ClockRateSet: Entries._clock,
    inputs.SnapshotSaved: lambda entries, _, event: entries._snapshot("saved", event.name),
    inputs.SnapshotDeleted: lambda entries, _, event: entries._snapshot("deleted", event.name),
    inputs.SnapshotRestored: lambda entries, _, event: entries._snapshot("restored", event.name),
    inputs.WorldReset: lambda entries, _, _event: entries._add("reset", "the world was reset"),
}
