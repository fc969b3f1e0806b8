"""The state of a world: tables, timers, clock, counters and settings, changed only inside a transaction.

A state knows neither its world's id nor its address, so a fork is a plain copy (G1, G2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import ref

from msgspec import UNSET

from giftsim.engine.kernel import random_streams, reverts
from giftsim.engine.kernel.errors import PLAIN, ErrorTypes, InvalidSetting
from giftsim.engine.kernel.setting import Setting
from giftsim.engine.kernel.signals import Connection, Handlers, KeyedSignal, Signal, ignore
from giftsim.engine.kernel.table import Record, Table, TableSpec, Undo
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.kernel.timer import PART as TIMERS
from giftsim.engine.kernel.timer import Timer, Timers

R = TypeVar("R", bound=Record)
T = TypeVar("T")
H = TypeVar("H")
TimerHandler = Callable[["State", int], None]
STATE = "state"  # the name of the state itself in undo entries
MAX_UNDO_ENTRIES = 50_000  # undo entries of one event that are kept


class Emit(Protocol):
    """Record that something happened to the record `subject`; `owner` is like `account 3`."""

    def __call__(self, state: State, kind: str, owner: str, subject: int, /, **facts: Any) -> object: ...


EMITTED: Signal[Emit] = Signal("emitted")

# A transaction is about to become permanent. A handler may write, and raises nothing.
COMMITTING: Signal[Callable[[State], None]] = Signal("committing", ignore)

# Keyed by a timer's `owner`, called with its `subject`: returns the label of the record.
TIMER_SUBJECT: KeyedSignal[Callable[[State, int], str]] = KeyedSignal("timer_subject")


class Definitions:
    """The parts that are the same in every world: tables, handlers of timers, settings, and handlers of signals.

    `timers` maps a timer's `kind` to its handler, which is called with the state and the subject's slot. `perpetual`
    are the kinds that repeat for ever. `errors` are the classes that a state raises. `machine_tables` has the table of
    each state machine, by their names. AlreadyConnected when two connections handle one signal.
    """

    __slots__ = ("errors", "handlers", "machine_tables", "perpetual", "settings", "tables", "timers")

    def __init__(
        self,
        tables: Sequence[TableSpec[Any]],
        timers: Mapping[str, TimerHandler] = {},
        settings: Mapping[str, Setting[Any]] = {},
        connections: Sequence[Connection] = (),
        perpetual: frozenset[str] = frozenset(),
        errors: ErrorTypes = PLAIN,
        machine_tables: Mapping[str, str] = {},
    ) -> None:
        self.tables = {spec.name: spec for spec in tables}
        self.timers, self.settings = timers, settings
        self.perpetual, self.errors, self.machine_tables = perpetual, errors, machine_tables
        self.handlers = Handlers(connections)


class SealedTables(dict[TableSpec[Any], Table[Any]]):
    """Tables that copies of a state have in common, and that nobody writes to."""

    __slots__ = ("__weakref__",)


class State(dict[TableSpec[Any], Table[Any]]):
    """The whole content of one world: its tables, as `state[SPEC]`, its timers, counters, meters and settings.

    A copy makes a table when it is first asked for, from those that it shares with the original. `counters` roll back
    with a transaction; `meters` do not (calls, rate windows: a refused call counts too). `rate` is 0 while the clock is
    stopped. `firing_phase` is the phase of the timer that fires now, or None. `writes` counts the transactions that
    changed anything. `log` is the undo log of the running transaction, `undo_log` that of everything committed since it
    was last taken; None once it was too long. `context` is what the running call passes on to what follows from it.
    """

    __slots__ = (
        "_marks",
        "_offered",
        "_sealed",
        "context",
        "counters",
        "definitions",
        "firing_phase",
        "log",
        "meters",
        "now_ms",
        "outbox",
        "parsed_settings",
        "rate",
        "seed",
        "setting_values",
        "timers",
        "undo_log",
        "writes",
    )

    def __init__(self, definitions: Definitions, seed: int, now_ms: int) -> None:
        super().__init__()
        self.definitions = definitions
        self.seed = seed
        self.now_ms = now_ms
        self.log: list[Undo] = []
        self.undo_log: UndoLog | None = []
        self.update({spec: Table(spec, self.log) for spec in definitions.tables.values()})
        self._sealed = SealedTables()
        self._offered: ref[SealedTables] | None = None
        self.timers = Timers(self.log)
        self.counters: dict[str, int] = {}
        self.meters: dict[str, int] = {}
        self.setting_values: dict[str, Any] = {}
        self.outbox: list[Any] = []
        self.rate = 0.0
        self.firing_phase: int | None = None
        self.writes = 0
        self._marks: list[int] = []  # where in `log` the running transactions began
        self.parsed_settings: dict[str, Any] = {}
        self.context: Any = None

    if TYPE_CHECKING:  # a table has the record type of its specification, which a dict cannot say

        def __getitem__(self, spec: TableSpec[R], /) -> Table[R]: ...

    def __missing__(self, spec: TableSpec[R]) -> Table[R]:
        table = self[spec] = self._sealed[spec].share(self.log)
        return table

    def tables(self) -> Iterator[Table[Any]]:
        """All tables in the order of their definitions, for reading."""
        return (self[spec] if spec in self else self._sealed[spec] for spec in self.definitions.tables.values())

    def table(self, name: str) -> Table[Any]:
        """The table of that name; KeyError if there is none."""
        return self[self.definitions.tables[name]]

    def transaction(self) -> AbstractContextManager[None]:
        """A block that an exception undoes completely, and then leaves. Inside another one, a savepoint."""
        return self

    def __enter__(self) -> None:
        self._marks.append(len(self.log))

    def commit_so_far(self) -> None:
        """Make permanent what the running transaction has done until now (a charge in two steps, G28)."""
        if len(self._marks) != 1:
            raise RuntimeError("only the outermost transaction can commit before its end")
        self._commit()

    def __exit__(self, kind: type[BaseException] | None, _error: BaseException | None, _trace: object) -> None:
        log, mark = self.log, self._marks.pop()
        if kind is not None:
            while len(log) > mark:
                self.revert(log.pop())
        if log and not self._marks:
            self._commit()

    def _commit(self) -> None:
        self.definitions.handlers[COMMITTING](self)
        if self.undo_log is not None:
            self.undo_log += self.log
            if len(self.undo_log) > MAX_UNDO_ENTRIES:
                self.undo_log = None
        self.log.clear()
        self.writes += 1

    def revert(self, entry: Undo) -> None:
        """Take back one write, the newest that was not taken back yet."""
        spec = self.definitions.tables.get(entry.part)
        part = self[spec] if spec else self.timers if entry.part == TIMERS else self
        entry.revert(part, entry.former)

    def take_undo_log(self) -> UndoLog | None:
        """The undo log since it was last taken; None if it was too long to keep."""
        undo_log, self.undo_log = self.undo_log, []
        if self.log and not self._marks:  # written outside a transaction
            undo_log = None if undo_log is None else [*undo_log, *self.log]
            self.log.clear()
        return undo_log

    def counter(self, name: str) -> int:
        """The value of a named counter; 0 until it is set."""
        return self.counters.get(name, 0)

    def set_counter(self, name: str, value: int) -> int:
        """Set a named counter and return its value; undone with the transaction."""
        self.log.append(Undo(reverts.restore_counter, STATE, (name, self.counters.get(name, UNSET))))
        self.counters[name] = value
        return value

    def increase(self, name: str) -> int:
        """Add one to a named counter that is never 0, and return its value; undone with the transaction."""
        value = self.counters.get(name, 0) + 1
        self.log.append(Undo(reverts.decrease, STATE, name))
        self.counters[name] = value
        return value

    def set_meter(self, name: str, value: int) -> int:
        """Set a named meter and return its value. A rollback leaves it; an undo of the call takes it back."""
        if self.undo_log is not None:
            self.undo_log.append(Undo(reverts.restore_meter, STATE, (name, self.meters.get(name, UNSET))))
        self.meters[name] = value
        return value

    def count(self, name: str) -> int:
        """Add one to a named meter and return its value. This is `set_meter` with an undo entry of half the size."""
        value = self.meters.get(name, 0) + 1
        if self.undo_log is not None:
            self.undo_log.append(Undo(reverts.uncount, STATE, name))
        self.meters[name] = value
        return value

    def set_rate(self, rate: float) -> None:
        """Run the clock at another rate; 0 stops it."""
        if self.undo_log is not None:
            self.undo_log.append(Undo(reverts.restore_rate, STATE, self.rate))
        self.rate = rate

    def note_instant(self) -> None:
        """Before the clock moves: keep the instant for undo. A transaction does not take the time back."""
        if self.undo_log is not None:
            self.undo_log.append(Undo(reverts.restore_instant, STATE, self.now_ms))

    def draw(self, stream: str) -> int:
        """The next 64-bit value of a random stream."""
        return random_streams.draw_number(self.seed, stream, self._next_of(stream))

    def token(self, stream: str, length: int) -> str:
        """The next token of a random stream: `length` hexadecimal digits."""
        return random_streams.draw_token(self.seed, stream, self._next_of(stream), length)

    def _next_of(self, stream: str) -> int:
        return self.increase(f"stream {stream}")

    def setting(self, setting: Setting[T]) -> T:
        """The value of a setting in this world, as the code uses it."""
        value: T = self.parsed_settings.get(setting.name, UNSET)
        if value is UNSET:
            value = setting.parse(self.setting_values.get(setting.name, setting.default))
            self.parsed_settings[setting.name] = value
        return value

    def set_setting(self, name: str, raw: Any) -> None:
        """Change a setting. InvalidSetting for an unknown name or a value that it cannot take."""
        setting = self.definitions.settings.get(name)
        if setting is None:
            hint = suggest_name(name, list(self.definitions.settings), f"there are {len(self.definitions.settings)}")
            raise self.definitions.errors.invalid_setting(f"there is no setting {name[:80]!r}; {hint}")
        try:
            setting.parse(raw)
        except InvalidSetting as error:
            raise self.definitions.errors.invalid_setting(str(error)) from None
        self.log.append(Undo(reverts.restore_setting, STATE, (name, self.setting_values.get(name, UNSET))))
        self.setting_values[name] = raw
        self.parsed_settings.pop(name, None)

    def emit(self, kind: str, owner: str, subject: int, **facts: Any) -> None:
        """Report that something happened now to the record `subject`; `owner` is like `account 3`."""
        self.handler(EMITTED)(self, kind, owner, subject, **facts)

    def handler(self, signal: Signal[H]) -> H:
        """The handler of a signal. NotConnected when it has none."""
        handler: H = self.definitions.handlers[signal]
        return handler

    def handler_of(self, signal: KeyedSignal[H], key: str) -> H:
        """The handler of one key of a keyed signal. NotConnected when it has none."""
        handler: H = self.definitions.handlers[signal, key]
        return handler

    def connected(self, signal: KeyedSignal[H], key: str) -> H | None:
        """The handler of one key of a keyed signal, or None."""
        handler: H | None = self.definitions.handlers.get((signal, key))
        return handler

    def idle(self) -> bool:
        """Whether all remaining timers repeat for ever."""
        perpetual = self.definitions.perpetual
        return all(timer.kind in perpetual for timer in self.timers.live.values())

    def send(self, outgoing: Any) -> None:
        """Put something in the outbox; the courier takes it after the transaction has committed."""
        self.outbox.append(outgoing)
        self.log.append(Undo(reverts.unsend, STATE, None))

    def fire(self, timer: Timer) -> None:
        """Fire a due timer: set the clock to its instant, and run its handler in a transaction without the timer."""
        before_ms, self.firing_phase = self.now_ms, timer.phase
        self.now_ms = max(before_ms, timer.due_ms)
        try:
            with self:
                self.timers.cancel(timer)
                self.definitions.timers[timer.kind](self, timer.subject)
        except BaseException:
            self.now_ms = before_ms
            raise
        finally:
            self.firing_phase = None

    def _seal(self) -> SealedTables:
        """The tables as they are now. Copies made one after the other get the same, as long as one of them is left."""
        last = None if self._offered is None else self._offered()
        changed = {spec: table.share([]) for spec, table in self.items() if last is None or not table.is_shared}
        if last is not None and not changed:
            return last
        sealed = SealedTables(self._sealed if last is None else last)
        sealed.update(changed)
        self._offered = ref(sealed)
        return sealed

    def share(self) -> State:
        """A copy with the same content and the same future. Either side copies a table when it first writes to it."""
        if self._marks or self.outbox:
            raise RuntimeError("a state can be shared only between transactions and with an empty outbox")
        twin = State.__new__(State)
        twin.definitions, twin.seed, twin.now_ms = self.definitions, self.seed, self.now_ms
        twin.log, twin.undo_log = [], []
        twin._sealed = self._seal()
        twin._offered = ref(twin._sealed)
        twin.timers = self.timers.share(twin.log)
        twin.counters, twin.meters = self.counters.copy(), self.meters.copy()
        twin.setting_values, twin.parsed_settings = self.setting_values.copy(), self.parsed_settings.copy()
        twin.outbox, twin.rate, twin.firing_phase = [], self.rate, None
        twin.writes, twin._marks, twin.context = self.writes, [], None
        return twin


UndoLog = list[Undo | State]  # undo entries, and states that were replaced
