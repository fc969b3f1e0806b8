"""The state of a world: tables, timers, clock, counters and settings, changed only inside a transaction.

A state knows neither its world's id nor its address, so that a fork is a copy (G1, G2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from giftsim.kernel import random_streams
from giftsim.kernel.setting import InvalidSetting, Setting
from giftsim.kernel.table import Record, Table, TableSpec, Undo
from giftsim.kernel.timer import STATE_PHASE, Timer, Timers

R = TypeVar("R", bound=Record)
T = TypeVar("T")
Verb = Callable[["State", int], None]


@dataclass(frozen=True)
class Definitions:
    """What is the same in every world: its tables, what timers do, who hears of facts, and the settings there are.

    `timers` maps a timer's `kind` to its verb (called with the state and the subject's slot); `hooks` are the seams by
    which one noun tells another of a change without importing it. `perpetual` are the kinds that repeat for ever.
    """

    specs: Sequence[TableSpec[Any]]
    timers: Mapping[str, Verb] = field(default_factory=dict)
    settings: Mapping[str, Setting[Any]] = field(default_factory=dict)
    hooks: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    perpetual: frozenset[str] = frozenset()


class Transaction:
    """A block of writes that commits whole or not at all; inside another one it is a savepoint of it."""

    __slots__ = ("_mark", "_state")

    def __init__(self, state: State) -> None:
        self._state = state

    def __enter__(self) -> None:
        state = self._state
        self._mark = len(state.log)
        state._depth += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        self._state._close(self._mark, kind is not None)


class State:
    """One world's whole content.

    `cells` are counters that roll back with a transaction, `meters` those that do not (calls, rate windows: a refused
    call counts too). `rate` is 0 for a clock that stands. `firing` is true while a state change due now happens, ahead
    of the hourly run of the same instant (B45). `writes` counts the transactions that changed anything.
    """

    def __init__(self, definitions: Definitions, seed: int, now_ms: int) -> None:
        self.definitions = definitions
        self.seed = seed
        self.now_ms = now_ms
        self.log: list[Undo] = []
        self.tables: dict[str, Table[Any]] = {spec.name: Table(spec, self.log) for spec in definitions.specs}
        self.timers = Timers(self.log)
        self.cells: dict[str, int] = {}
        self.meters: dict[str, int] = {}
        self.choices: dict[str, Any] = {}
        self.outbox: list[Any] = []
        self.rate = 0.0
        self.firing = False
        self.writes = 0
        self._depth = 0
        self._parsed: dict[str, Any] = {}

    def __getitem__(self, spec: TableSpec[R]) -> Table[R]:
        return self.tables[spec.name]

    def transaction(self) -> Transaction:
        """All of it or nothing: an exception undoes every write since the block began, and goes on its way."""
        return Transaction(self)

    def checkpoint(self) -> None:
        """Keep what the running transaction has done so far, whatever comes after (a charge in two steps, G28)."""
        if self._depth != 1:
            raise RuntimeError("a checkpoint stands in the outermost transaction only")
        self.log.clear()
        self.writes += 1

    def _close(self, mark: int, failed: bool) -> None:
        log = self.log
        if failed:
            while len(log) > mark:
                revert, argument = log.pop()
                revert(argument)
        self._depth -= 1
        if self._depth == 0 and log:
            log.clear()
            self.writes += 1

    def cell(self, name: str) -> int:
        """A named counter of the world, 0 until it is set."""
        return self.cells.get(name, 0)

    def set_cell(self, name: str, value: int) -> int:
        """Set a named counter; undone with the transaction."""
        self.log.append((self._restore_cell, (name, self.cells.get(name))))
        self.cells[name] = value
        return value

    def _restore_cell(self, was: tuple[str, int | None]) -> None:
        name, value = was
        if value is None:
            self.cells.pop(name, None)
        else:
            self.cells[name] = value

    def draw(self, stream: str) -> int:
        """The next 64-bit value of a stream."""
        return random_streams.draw(
            self.seed, stream, self.set_cell(f"stream {stream}", self.cell(f"stream {stream}") + 1)
        )

    def token(self, stream: str, length: int) -> str:
        """The next token of a stream: `length` hexadecimal digits."""
        counter = self.set_cell(f"stream {stream}", self.cell(f"stream {stream}") + 1)
        return random_streams.token(self.seed, stream, counter, length)

    def setting(self, setting: Setting[T]) -> T:
        """What a setting is in this world, as the code uses it."""
        if setting.name not in self._parsed:
            self._parsed[setting.name] = setting.parse(self.choices.get(setting.name, setting.default))
        value: T = self._parsed[setting.name]
        return value

    def choose(self, name: str, raw: Any) -> None:
        """Change a setting; InvalidSetting for an unknown name or a value it cannot take."""
        setting = self.definitions.settings.get(name)
        if setting is None:
            raise InvalidSetting(f"there is no setting {name}")
        setting.parse(raw)
        self.log.append((self._restore_choice, (name, name in self.choices, self.choices.get(name))))
        self.choices[name] = raw
        self._parsed.pop(name, None)

    def _restore_choice(self, was: tuple[str, bool, Any]) -> None:
        name, chosen, raw = was
        if chosen:
            self.choices[name] = raw
        else:
            self.choices.pop(name, None)
        self._parsed.pop(name, None)

    def emit(self, kind: str, owner: str, subject: int, **facts: Any) -> None:
        """Tell whoever listens that something happened now to the record `subject`; `owner` is like `account 3`."""
        self.definitions.hooks["emit"](self, kind, owner, subject, **facts)

    def idle(self) -> bool:
        """Whether nothing is due but what repeats for ever."""
        perpetual = self.definitions.perpetual
        return all(timer.kind in perpetual for timer in self.timers.live.values())

    def send(self, outgoing: Any) -> None:
        """Leave something for the courier, which takes it once the transaction has committed."""
        self.outbox.append(outgoing)
        self.log.append((self._unsend, None))

    def _unsend(self, _: None) -> None:
        self.outbox.pop()

    def fire(self, timer: Timer) -> None:
        """Let a due timer happen: now = due, and its verb in a transaction that begins with its end as a timer."""
        was, self.firing = self.now_ms, timer.phase == STATE_PHASE
        self.now_ms = max(was, timer.due_ms)
        try:
            with self.transaction():
                self.timers.cancel(timer)
                self.definitions.timers[timer.kind](self, timer.subject)
        except BaseException:
            self.now_ms = was
            raise
        finally:
            self.firing = False

    def share(self) -> State:
        """A copy with the same content and the same future; either side copies a table when it first writes to it."""
        if self._depth or self.outbox:
            raise RuntimeError("a state is shared between transactions, when nothing waits for the courier")
        twin = State.__new__(State)
        twin.definitions, twin.seed, twin.now_ms = self.definitions, self.seed, self.now_ms
        twin.log = []
        twin.tables = {name: table.share(twin.log) for name, table in self.tables.items()}
        twin.timers = self.timers.share(twin.log)
        twin.cells, twin.meters, twin.choices = self.cells.copy(), self.meters.copy(), self.choices.copy()
        twin.outbox, twin.rate, twin.firing = [], self.rate, False
        twin.writes, twin._depth, twin._parsed = self.writes, 0, self._parsed.copy()
        return twin
