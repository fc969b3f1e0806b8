"""State machines as tables of rows, which are executed, checked when they are built, drawn and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from giftsim.kernel.problem import InvalidTransition
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

R = TypeVar("R", bound=Record)


class BadMachine(Exception):
    """A table of rows that cannot be a machine; raised when it is built."""


@dataclass(frozen=True)
class After:
    """When a row happens by itself: `due(state, record)` gives the instant in ms, or None for never.

    `least_ms` is the shortest delay possible; rows that may all be due at once must not form a cycle.
    """

    due: Callable[[State, Any], int | None]
    least_ms: int
    because: str
    phase: int = 0


@dataclass(frozen=True)
class Row:
    """From `state` by `trigger` to `target`, when `guard` allows; `do(state, record)` follows with the new record."""

    state: str
    trigger: str
    target: str
    after: After | None = None
    guard: Callable[[State, Any], bool] | None = None
    do: Callable[[State, Any], None] | None = None


class Machine(Generic[R]):
    """The life of one kind of record, whose column `field` holds its state."""

    def __init__(
        self, name: str, spec: TableSpec[R], *, initial: Iterable[str], final: Iterable[str], rows: Sequence[Row],
        field: str = "status",
    ) -> None:  # fmt: skip
        self.name, self.spec, self.field = name, spec, field
        self.initial, self.final, self.rows = tuple(initial), tuple(final), tuple(rows)
        check(self)
        self.states = states(self)
        self.steps: dict[tuple[str, str], list[tuple[int, Row]]] = {}
        self.arms: dict[str, list[Row]] = {}
        for i, row in enumerate(self.rows):
            self.steps.setdefault((row.state, row.trigger), []).append((i, row))
            if row.after:
                self.arms.setdefault(row.state, []).append(row)
        self.counters = tuple(f"row {name} {row.state}>{row.trigger}>{row.target}" for row in self.rows)

    def can(self, state: State, record: R, trigger: str) -> bool:
        """Whether the trigger would do anything to the record as it stands."""
        return self._row(state, record, trigger) is not None

    def fire(self, state: State, record: R, trigger: str, **changes: Any) -> R:
        """Take the row for the trigger, with `changes` to other columns; InvalidTransition where there is none."""
        found = self._row(state, record, trigger)
        if found is None:
            status = getattr(record, self.field)
            thing = self.name.replace("_", " ")
            raise InvalidTransition(f"this {thing} is {status}: {trigger} does not fit that state")
        i, row = found
        changes[self.field] = row.target
        new = state[self.spec].put(msgspec.structs.replace(record, **changes))
        state.set_cell(self.counters[i], state.cell(self.counters[i]) + 1)
        self.enter(state, new)
        if row.do:
            row.do(state, new)
        return new

    def enter(self, state: State, record: R) -> None:
        """Arm what a record in this state is due for: the soonest row alone, since it disarms the others."""
        state.timers.clear(self.name, record.n)
        best: tuple[int, Row, After] | None = None
        for row in self.arms.get(getattr(record, self.field), ()):
            after = row.after
            if after is None:
                continue
            due = after.due(state, record)
            if due is not None and (best is None or due < best[0]):
                best = (due, row, after)
        if best:
            due, row, after = best
            due = max(due, state.now_ms)
            state.timers.set(due, self.name, record.n, f"{self.name}.{row.trigger}", after.because, after.phase)

    def verbs(self) -> dict[str, Callable[[State, int], None]]:
        """What the machine's own timers do, by timer kind (for Laws.timers)."""
        return {f"{self.name}.{row.trigger}": self._verb(row.trigger) for row in self.rows if row.after}

    def _verb(self, trigger: str) -> Callable[[State, int], None]:
        def happen(state: State, n: int) -> None:
            self.fire(state, state[self.spec].get(n), trigger)

        return happen

    def _row(self, state: State, record: R, trigger: str) -> tuple[int, Row] | None:
        for i, row in self.steps.get((getattr(record, self.field), trigger), ()):
            if row.guard is None or row.guard(state, record):
                return i, row
        return None


def states(machine: Machine[Any]) -> tuple[str, ...]:
    """Every state that the machine names, in the order in which its table first names them."""
    named = [*machine.initial]
    for row in machine.rows:
        named += (row.state, row.target)
    return tuple(dict.fromkeys([*named, *machine.final]))


def check(machine: Machine[Any]) -> None:
    """Refuse duplicate rows, rows out of final states, unreachable or dead-end states, and endless instants."""
    seen: dict[tuple[str, str], Row] = {}
    for row in machine.rows:
        if row.state in machine.final:
            raise BadMachine(f"{machine.name}: {row.state} is final, yet a row leaves it by {row.trigger}")
        earlier = seen.setdefault((row.state, row.trigger), row)
        if earlier is not row and (earlier.guard is None or earlier.guard is row.guard):
            raise BadMachine(f"{machine.name}: two rows for {row.trigger} in {row.state}")
    reached = _reachable(machine)
    for name in states(machine):
        if name not in reached:
            raise BadMachine(f"{machine.name}: nothing leads to {name}")
        if name not in machine.final and not any(row.state == name for row in machine.rows):
            raise BadMachine(f"{machine.name}: nothing leaves {name}, and it is not final")
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
            raise BadMachine(f"{machine.name}: {start} comes back to itself without any time passing")
