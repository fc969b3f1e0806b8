"""State machines as tables of rows: checked when they are built, then executed, drawn and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.kernel.timer import FIRST_PHASE

R = TypeVar("R", bound=Record)


class InvalidMachine(Exception):
    """The rows do not make a valid machine; raised when it is built."""


class After(msgspec.Struct, frozen=True):
    """The delay after which a row fires on a timer: `due(state, record)` gives the instant in ms, or None for never.

    `least_ms` is the shortest possible delay; rows without a delay must not form a cycle. In a world with settings of
    its own, `note(state, record, due)` is added to the reason `because`.
    """

    due: Callable[[State, Any], int | None]
    least_ms: int
    because: str
    phase: int = FIRST_PHASE
    note: Callable[[State, Any, int], str] | None = None


class Row(msgspec.Struct, frozen=True):
    """A transition from `state` by `trigger` to `target`, if `guard` allows; then `do(state, record)` is called."""

    state: str
    trigger: str
    target: str
    after: After | None = None
    guard: Callable[[State, Any], bool] | None = None
    do: Callable[[State, Any], None] | None = None


class Machine(Generic[R]):
    """The states and transitions of one record type, whose column `field` holds the state."""

    def __init__(
        self,
        name: str,
        spec: TableSpec[R],
        *,
        initial: Iterable[str],
        final: Iterable[str],
        rows: Sequence[Row],
        field: str = "status",
    ) -> None:
        self.name, self.spec, self.field = name, spec, field
        self.initial, self.final, self.rows = tuple(initial), tuple(final), tuple(rows)
        check(self)
        self.states = states(self)
        self.rows_by_trigger: dict[tuple[str, str], list[tuple[int, Row]]] = {}
        self.timed_rows: dict[str, list[tuple[str, After]]] = {}  # by state: the kind of the row's timer, and its delay
        for i, row in enumerate(self.rows):
            self.rows_by_trigger.setdefault((row.state, row.trigger), []).append((i, row))
            if row.after:
                self.timed_rows.setdefault(row.state, []).append((f"{name}.{row.trigger}", row.after))
        self.counters = tuple(f"row {name} {row.state}>{row.trigger}>{row.target}" for row in self.rows)

    def can(self, state: State, record: R, trigger: str) -> bool:
        """Whether the trigger applies to the record in its present state."""
        return self._row(state, record, trigger) is not None

    def refusal(self, record: R, trigger: str) -> str:
        """The message for a trigger that does not apply to the record."""
        status = getattr(record, self.field)
        return f"this {self.name.replace('_', ' ')} is {status}: {trigger} does not fit that state"

    def fire(self, state: State, record: R, trigger: str, **changes: Any) -> R:
        """Take the row for the trigger, with `changes` to other columns. InvalidTransition when there is none.

        A record that is not in its table yet is added as it is then.
        """
        match = self._row(state, record, trigger)
        if match is None:
            raise state.definitions.errors.invalid_transition(self.refusal(record, trigger))
        i, row = match
        changes[self.field] = row.target
        table, new = state[self.spec], msgspec.structs.replace(record, **changes)
        if new.n == table.next_n:
            table.add(new)
        else:
            table.put(new)
        state.increase(self.counters[i])
        self.enter(state, new)
        if row.do:
            row.do(state, new)
        return new

    def enter(self, state: State, record: R) -> None:
        """Start the timer of the soonest timed row of the record's state; taking it cancels the others."""
        state.timers.clear(self.name, record.n)
        best: tuple[int, str, After] | None = None
        for kind, after in self.timed_rows.get(getattr(record, self.field), ()):
            due = after.due(state, record)
            if due is not None and (best is None or due < best[0]):
                best = (due, kind, after)
        if best:
            due, kind, after = best
            if due < state.now_ms:
                due = state.now_ms
            because = after.because
            if after.note is not None and state.setting_values:
                because += after.note(state, record, due)
            state.timers.set(due, self.name, record.n, kind, because, after.phase)

    def timer_handlers(self) -> dict[str, Callable[[State, int], None]]:
        """The handlers of the machine's own timers, by timer kind (for Definitions.timers)."""
        return {f"{self.name}.{row.trigger}": self._timer_handler(row.trigger) for row in self.rows if row.after}

    def _timer_handler(self, trigger: str) -> Callable[[State, int], None]:
        def fire(state: State, n: int) -> None:
            self.fire(state, state[self.spec].get(n), trigger)

        return fire

    def _row(self, state: State, record: R, trigger: str) -> tuple[int, Row] | None:
        for i, row in self.rows_by_trigger.get((getattr(record, self.field), trigger), ()):
            if row.guard is None or row.guard(state, record):
                return i, row
        return None


def states(machine: Machine[Any]) -> tuple[str, ...]:
    """Every state of the machine, in the order of the rows."""
    named = [*machine.initial]
    for row in machine.rows:
        named += (row.state, row.target)
    return tuple(dict.fromkeys([*named, *machine.final]))


def check(machine: Machine[Any]) -> None:
    """Refuse duplicate rows, rows that leave final states, unreachable or dead-end states, and endless instants."""
    seen: dict[tuple[str, str], Row] = {}
    for row in machine.rows:
        if row.state in machine.final:
            raise InvalidMachine(f"{machine.name}: {row.state} is final, but a row leaves it by {row.trigger}")
        earlier = seen.setdefault((row.state, row.trigger), row)
        if earlier is not row and (earlier.guard is None or earlier.guard is row.guard):
            raise InvalidMachine(f"{machine.name}: two rows for {row.trigger} in {row.state}")
    reached = _reachable(machine)
    for name in states(machine):
        if name not in reached:
            raise InvalidMachine(f"{machine.name}: no row leads to {name}")
        if name not in machine.final and not any(row.state == name for row in machine.rows):
            raise InvalidMachine(f"{machine.name}: no row leaves {name}, and it is not final")
    _no_endless_instant(machine)


def _reachable(machine: Machine[Any]) -> tuple[str, ...]:
    reached = list(machine.initial)
    for name in reached:
        reached += [row.target for row in machine.rows if row.state == name and row.target not in reached]
    return tuple(reached)


def _no_endless_instant(machine: Machine[Any]) -> None:
    at_once: dict[str, list[str]] = {}
    for row in machine.rows:
        if row.after and row.after.least_ms <= 0:
            at_once.setdefault(row.state, []).append(row.target)
    for start, first in at_once.items():
        trail = list(first)
        for name in trail:
            trail += [target for target in at_once.get(name, ()) if target not in trail]
        if start in trail:
            raise InvalidMachine(f"{machine.name}: {start} returns to itself without any time passing")
