"""Recovery: bring a registry to where its journal file ends, and send again what was in flight (G5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from giftsim.engine.gateway.wsgi_app import WsgiApp
from giftsim.engine.kernel.garbage_collection import without_garbage_collection
from giftsim.engine.kernel.serializer import Damaged
from giftsim.engine.kernel.state import Definitions
from giftsim.engine.log.inputs import (
    CallAbandoned,
    CallResumed,
    Checkpoint,
    CheckpointsComplete,
    Input,
    InputsRedone,
    InputsUndone,
    JournalRecord,
    WholeState,
    WorldCreated,
    WorldDeleted,
    WorldForked,
    WorldReset,
)
from giftsim.engine.log.journal_contents import Contents, Header, Unreadable
from giftsim.engine.log.journal_file import JournalFile
from giftsim.engine.problem import Problem
from giftsim.engine.replay.apply import Replayer, ReplayMismatch, stays_suspended
from giftsim.engine.replay.truncate import undo_events
from giftsim.engine.worlds import checkpoint
from giftsim.engine.worlds.changes import Changes
from giftsim.engine.worlds.world import World

Line = tuple[str, JournalRecord]
NO_LIMIT = 2**63


class WorldLines(msgspec.Struct):
    """The lines of one world, from its creation (or its fork from `parent`) to its end.

    A reset starts a new round, in which events are numbered again: `numbered` are the lines and event numbers of this
    round. Each checkpoint is kept with the first line that it can precede: `checkpoints` of this round,
    `earlier_checkpoints` of former ones. No later checkpoint precedes line `floor`, the last line at which numbers
    went back. `lowest_undone` is the lowest event number undone before a reset, which may be a parent's event. The
    creation of a world that is not `is_born` here is not among the lines. `continued` are the lines at which suspended
    calls continue, with their numbers, and `ends_there` says that the last line is one; `last` is the last input.
    """

    world_id: str
    first_line: int
    parent: WorldLines | None
    is_born: bool = True
    earlier_checkpoints: list[tuple[int, Checkpoint]] = []
    checkpoints: list[tuple[int, Checkpoint]] = []
    numbered: list[tuple[int, int]] = []
    floor: int = -1
    lowest_undone: int = NO_LIMIT
    continued: list[tuple[int, int]] = []
    ends_there: bool = False
    was_reset: bool = False
    last: Input | None = None
    needed: bool = True
    start: tuple[int, Checkpoint] | None = None

    def add(self, at: int, record: JournalRecord) -> None:
        """Take one more line into account."""
        self.ends_there = isinstance(record, CallResumed)
        if isinstance(record, Checkpoint):
            if isinstance(self.last, WorldReset) and record.n <= self.numbered[-1][1]:
                self._begin_round()
            before = max((line for line, n in self.numbered if n < record.n), default=-1)
            self.checkpoints.append((max(before, self.floor, self.first_line) + 1, record))
        elif isinstance(record, InputsUndone):
            self.floor = at
            self.lowest_undone = min(self.lowest_undone, record.n) if not self.was_reset else self.lowest_undone
            self.checkpoints = [each for each in self.checkpoints if each[1].n <= record.n]
            self.numbered = [line for line in self.numbered if line[1] < record.n]
            self.last = None
        elif isinstance(record, Input):
            if self.numbered and record.n <= self.numbered[-1][1]:
                self._begin_round()
            self.numbered.append((at, record.n))
            if isinstance(record, CallResumed):
                self.continued.append((at, record.call))
            elif self.last is not None and stays_suspended(self.last, record) and isinstance(self.last, CallResumed):
                self.continued.pop()
            self.last = record

    def _begin_round(self) -> None:
        self.floor, self.was_reset, self.last = self.numbered[-1][0], True, None
        self.earlier_checkpoints = [*self.earlier_checkpoints, *self.checkpoints]
        self.checkpoints, self.numbered = [], []

    def choose_start(self, last_line: int, last_n: int) -> None:
        """Choose the last checkpoint that precedes both a line and an event number.

        A checkpoint with a suspended call that continues later is not enough: it lacks the beginning of the call. If
        the file ends there it is enough: the process ended before the call did, and the call is dropped.
        """
        candidates = (*self.earlier_checkpoints, *self.checkpoints)
        usable = [each for each in candidates if each[0] <= last_line and each[1].n <= last_n]
        continued = self.continued[:-1] if self.ends_there else self.continued
        for line, call in continued:
            usable = [each for each in usable if line < each[0] or call not in each[1].suspended]
        self.start = usable[-1] if usable else None


class ReplayPlan:
    """The lines of a journal file by world, with the checkpoint that each world starts from.

    It needs the worlds that exist at the end (with `only`, just the world of that id) and the worlds that these were
    forked from.
    """

    def __init__(self, lines: Sequence[Line], only: str | None = None) -> None:
        self._world_of: list[WorldLines | None] = []
        self._worlds: list[WorldLines] = []
        self._current: dict[str, WorldLines] = {}
        for at, (world_id, record) in enumerate(lines):
            if isinstance(record, CheckpointsComplete | WholeState):
                self._world_of.append(None)
                continue
            world = self._world_at(at, world_id, record)
            self._world_of.append(world)
            world.add(at, record)
            if isinstance(record, WorldDeleted):
                world.needed = False
                del self._current[world_id]
        if only is not None:
            for world in self._worlds:
                world.needed, world.ends_there = world is self._current.get(only), False
        _choose_starts(self._worlds, len(lines))

    def _world_at(self, at: int, world_id: str, record: JournalRecord) -> WorldLines:
        """The world of a line, which begins there or before it: a fork begins after its parent."""
        match record:
            case WorldCreated():
                return self._begin(WorldLines(world_id, at, None))
            case WorldForked(of):
                parent = self._known(at, of)
                parent.ends_there = False
                return self._begin(WorldLines(world_id, at, parent))
        return self._known(at, world_id)

    def _known(self, at: int, world_id: str) -> WorldLines:
        """The world that has an id at a line. If it has no line before it, it was created before the first one."""
        return self._current.get(world_id) or self._begin(WorldLines(world_id, at - 1, None, is_born=False))

    def _begin(self, world: WorldLines) -> WorldLines:
        self._worlds.append(world)
        self._current[world.world_id] = world
        return world

    @property
    def is_complete(self) -> bool:
        """Whether the lines are enough: every world is created among them, or has a checkpoint to start from."""
        return all(world.is_born or world.start is not None for world in self._worlds if world.needed)

    def checkpoints_by_line(self) -> dict[int, list[tuple[str, Checkpoint]]]:
        """The worlds and the checkpoints that they start from, by the line before which each is restored."""
        starts: dict[int, list[tuple[str, Checkpoint]]] = {}
        for world in self._worlds:
            if world.needed and world.start is not None:
                at, checkpoint = world.start
                starts.setdefault(at, []).append((world.world_id, checkpoint))
        return starts

    def needs(self, at: int) -> bool:
        """Whether a line must be applied."""
        world = self._world_of[at]
        return world is None or (world.needed and (world.start is None or at >= world.start[0]))


def _choose_starts(worlds: Sequence[WorldLines], end: int) -> None:
    """Choose from the last world to the first: a fork without a checkpoint needs its parent as it was at the fork."""
    bounds: dict[int, tuple[int, int]] = {}
    for world in reversed(worlds):
        if not world.needed:
            continue
        last_line, last_n = bounds.get(id(world), (end, NO_LIMIT))
        world.choose_start(last_line, last_n)
        if world.start is None and world.parent is not None:
            world.parent.needed = True
            line, n = bounds.get(id(world.parent), (end, NO_LIMIT))
            bounds[id(world.parent)] = (min(world.first_line, line), min(world.lowest_undone, last_n, n))


FORWARD, FORWARD_ALLOW = OPTIONS = ("forward", "forward-allow")


def recover(app: WsgiApp, definitions: Definitions, journal_file: JournalFile, header: Header) -> bool:
    """Bring an empty registry to where the file ends, and append to the file from then on.

    Returns False for an empty file, which gets the header. Downtime does not count: every world continues at its last
    recorded instant. Unreadable when the file was written with other options or by another version, or does not fit.
    """
    contents = journal_file.read()
    if contents.header is None:
        journal_file.begin(header)
        app.registry.write_to(journal_file)
        return False
    _compare(journal_file, contents.header, header)
    with without_garbage_collection(), Replayer(app) as replayer:
        selection = Selection(contents)
        replay_lines(app, definitions, replayer, selection)
        suspended = [(world, n) for world in app.registry.worlds.values() for n in _suspended(world)]
    journal_file.go_on(contents)
    journal_file.lines = len(selection.lines)
    app.registry.write_to(journal_file)
    for world in app.registry.worlds.values():
        world.changes = Changes(world.state, world.changes.added)  # those of the former process have other numbers
        world.event_log.begin_changes()
    for world, n in suspended:
        world.add_event(CallAbandoned(call=n))
    return True


def _suspended(world: World) -> list[int]:
    """The calls that the restart drops, first one that was about to continue, so that no replay continues it (G184)."""
    last = next(world.event_log.newest_first(world.event_log.next_n - 1), None)
    continued = last[1].call if last is not None and isinstance(last[1], CallResumed) else None
    return sorted(world.calls.suspended, key=lambda call: (call != continued, call))


class Selection:
    """The lines of a journal file that a start needs, and where they begin: those since all worlds had checkpoints.

    If something was undone that a checkpoint has, the lines since earlier checkpoints are needed, or all. With `only`,
    the lines that one world needs.
    """

    def __init__(self, contents: Contents, only: str | None = None) -> None:
        self.contents, self.only = contents, only
        self.names: dict[str, None] = {}
        self.ids = 0
        for completion in contents.completions():
            self._select(completion)
            if self.plan.is_complete:
                return
        self._select(None)

    def _select(self, completion: CheckpointsComplete | None) -> None:
        contents = self.contents
        start = completion.since if completion else contents.first
        earlier = [(name, at) for name, at in completion.worlds.items() if at < start] if completion else []
        found: list[tuple[int, Line]] = [(at, (name, contents.checkpoint_at(at))) for name, at in earlier]
        found += _apart(contents.records_from(start))
        self.starts, self.lines = [at for at, _ in found], [line for _, line in found]
        self.names = dict.fromkeys(completion.worlds) if completion else {}
        self.ids = completion.ids if completion else 0
        self.plan = ReplayPlan(self.lines, self.only)


def _apart(found: Iterable[tuple[int, Line]]) -> Iterator[tuple[int, Line]]:
    """Lines with a redo as what it amounts to: an undo, and then the events that came back."""
    for at, (world_id, record) in found:
        if isinstance(record, InputsRedone):
            yield at, (world_id, InputsUndone(record.n))
            yield from ((at, (world_id, event)) for event in record.events)
        else:
            yield at, (world_id, record)


WAY_ON = "Start with the version of giftsim that wrote the file, or with a new file"


def replay_lines(app: WsgiApp, definitions: Definitions, replayer: Replayer, selection: Selection) -> None:
    """Apply selected lines to an app without worlds. Unreadable if they do not fit."""
    contents, plan, lines, registry = selection.contents, selection.plan, selection.lines, app.registry
    suspending, checkpoints = _suspending_calls(lines), plan.checkpoints_by_line()
    places = {id(record): at for at, (_, record) in zip(selection.starts, lines, strict=True)}
    registry.ids.generated, names = selection.ids, selection.names
    for world_id, record in lines:
        if isinstance(record, WorldCreated | WorldForked):
            registry.ids.reserve(world_id)
            names.pop(world_id, None)
            names[world_id] = None
    for at in range(len(lines) + 1):
        try:
            for world_id, kept in checkpoints.get(at, ()):
                checkpoint.restore(registry, definitions, contents, world_id, kept, places[id(kept)])
            if at < len(lines) and plan.needs(at):
                _apply(app, replayer, *lines[at], suspends=at in suspending)
        except (ReplayMismatch, Problem, KeyError, Damaged) as error:
            number = contents.line_number(selection.starts[min(at, len(lines) - 1)]) + (at == len(lines))
            message = f"{contents.path}:{number}: this line does not follow from the lines before it: {error}. {WAY_ON}"
            raise Unreadable(message) from None
    registry.worlds = {name: registry.worlds[name] for name in names if name in registry.worlds}


def _compare(journal_file: JournalFile, written: Header, header: Header) -> None:
    for (name, then), (_, now) in zip(_options(written), _options(header), strict=True):
        if then != now:
            raise Unreadable(
                f"{journal_file.path}:1: this file was started with {name} {then}, and this start has {now}; "
                "start with the same options and version, or with a new file"
            )


def _options(header: Header) -> Iterator[tuple[str, object]]:
    """The options that must be the same in every start with a file, by name."""
    yield from (("version", header.version), ("seed", header.seed), ("fixture", header.fixture))
    yield from ((f"--{name}", ", ".join(header.options.get(name, [])) or "none") for name in OPTIONS)


def _apply(app: WsgiApp, replayer: Replayer, world_id: str, record: JournalRecord, *, suspends: bool) -> None:
    registry = app.registry
    match record:
        case WorldCreated(config, print_, ttl_s):
            if print_ != registry.hash_fixture(config.fixture):
                raise ReplayMismatch(f"the fixture {config.fixture} of world {world_id} has changed")
            registry.create(config, world_id, ttl_s=ttl_s)
        case WorldForked(of):
            registry.fork(registry.worlds[of], world_id)
        case WorldDeleted():
            registry.delete(registry.worlds[world_id])
        case InputsUndone(n):
            with registry.worlds[world_id].settled():
                undo_events(app, registry.worlds[world_id], n)
        case Checkpoint() | WholeState() | CheckpointsComplete() | InputsRedone():
            return
        case _:
            replayer.apply(registry.worlds[world_id], record, suspends=suspends)


def _suspending_calls(lines: list[Line]) -> set[int]:
    """The lines after which a call is suspended: the next input of the same world says so."""
    last: dict[str, int] = {}
    suspending: set[int] = set()
    for i, (world_id, record) in enumerate(lines):
        if isinstance(record, Checkpoint):
            continue
        before = last.get(world_id)
        if before is not None and stays_suspended(lines[before][1], record):
            suspending.add(before)
        last[world_id] = i
    return suspending
