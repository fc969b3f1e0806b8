"""Recovery: bring a registry to where its journal file ends, and send again what was in flight (G5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from giftsim.event_log.inputs import (
    CallAbandoned,
    CallSuspended,
    Checkpoint,
    CheckpointsComplete,
    ClientCall,
    Input,
    InputsUndone,
    JournalRecord,
    WorldCreated,
    WorldDeleted,
    WorldForked,
    WorldReset,
)
from giftsim.event_log.journal_contents import Contents, Header, Unreadable
from giftsim.event_log.journal_file import JournalFile
from giftsim.gateway.wsgi_app import WsgiApp
from giftsim.kernel.garbage_collection import without_garbage_collection
from giftsim.kernel.serializer import Damaged
from giftsim.kernel.state import Definitions
from giftsim.problem import Problem
from giftsim.replay.apply import Replayer, ReplayMismatch
from giftsim.replay.truncate import truncate
from giftsim.worlds import checkpoint
from giftsim.worlds.changes import Changes

Line = tuple[str, JournalRecord]
NO_LIMIT = 2**63


class WorldLines(msgspec.Struct):
    """The lines of one world, from its creation (or its fork from `parent`) to its end.

    A reset starts a new round, in which events are numbered again: `numbered` are the lines and event numbers of this
    round. Each checkpoint is kept with the first line that it can precede: `checkpoints` of this round,
    `earlier_checkpoints` of former ones. No later checkpoint precedes line `floor`, the last line at which numbers
    went back. `lowest_undone` is the lowest event number undone before a reset, which may be a parent's event. The
    creation of a world that is not `is_born` here is not among the lines.
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
    was_reset: bool = False
    last_is_reset: bool = False
    needed: bool = True
    start: tuple[int, Checkpoint] | None = None

    def add(self, at: int, record: JournalRecord) -> None:
        """Take one more line into account."""
        if isinstance(record, Checkpoint):
            if self.last_is_reset and record.n <= self.numbered[-1][1]:
                self._begin_round()
            before = max((line for line, n in self.numbered if n < record.n), default=-1)
            self.checkpoints.append((max(before, self.floor, self.first_line) + 1, record))
        elif isinstance(record, InputsUndone):
            self.floor = at
            self.lowest_undone = min(self.lowest_undone, record.n) if not self.was_reset else self.lowest_undone
            self.checkpoints = [each for each in self.checkpoints if each[1].n <= record.n]
            self.numbered = [line for line in self.numbered if line[1] < record.n]
            self.last_is_reset = False
        elif isinstance(record, Input):
            if self.numbered and record.n <= self.numbered[-1][1]:
                self._begin_round()
            self.numbered.append((at, record.n))
            self.last_is_reset = isinstance(record, WorldReset)

    def _begin_round(self) -> None:
        self.floor, self.was_reset, self.last_is_reset = self.numbered[-1][0], True, False
        self.earlier_checkpoints = [*self.earlier_checkpoints, *self.checkpoints]
        self.checkpoints, self.numbered = [], []

    def choose_start(self, last_line: int, last_n: int) -> None:
        """Choose the last checkpoint that precedes both a line and an event number."""
        candidates = (*self.earlier_checkpoints, *self.checkpoints)
        usable = [each for each in candidates if each[0] <= last_line and each[1].n <= last_n]
        self.start = usable[-1] if usable else None


class ReplayPlan:
    """The lines of a journal file by world, with the checkpoint that each world starts from.

    The worlds that exist at the end are needed, or `only` the one with an id, and those that they were forked from.
    """

    def __init__(self, lines: Sequence[Line], only: str | None = None) -> None:
        self._world_of: list[WorldLines | None] = []
        self._worlds: list[WorldLines] = []
        self._current: dict[str, WorldLines] = {}
        for at, (world_id, record) in enumerate(lines):
            if isinstance(record, CheckpointsComplete):
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
                world.needed = world is self._current.get(only)
        _choose_starts(self._worlds, len(lines))

    def _world_at(self, at: int, world_id: str, record: JournalRecord) -> WorldLines:
        """The world of a line, which begins there or before it: a fork begins after its parent."""
        match record:
            case WorldCreated():
                return self._begin(WorldLines(world_id, at, None))
            case WorldForked(of):
                return self._begin(WorldLines(world_id, at, self._known(at, of)))
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
        """Which worlds start from which checkpoint, by the line before which they are put in place."""
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
        suspended = [(world, n) for world in app.registry.worlds.values() for n in sorted(world.calls.suspended)]
    journal_file.go_on(contents)
    journal_file.lines = len(selection.lines)
    app.registry.write_to(journal_file)
    for world in app.registry.worlds.values():
        world.changes = Changes(world.state, world.changes.added)  # those of the former process have other numbers
        world.event_log.begin_changes()
    for world, n in suspended:
        world.add_event(CallAbandoned(call=n))
    return True


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
        start = completion.since if completion else contents.content.find(b"\n") + 1
        earlier = [(name, at) for name, at in completion.worlds.items() if at < start] if completion else []
        found: list[tuple[int, Line]] = [(at, (name, contents.checkpoint_at(at))) for name, at in earlier]
        found += contents.records_from(start)
        self.starts, self.lines = [at for at, _ in found], [line for _, line in found]
        self.names = dict.fromkeys(completion.worlds) if completion else {}
        self.ids = completion.ids if completion else 0
        self.plan = ReplayPlan(self.lines, self.only)


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
    """What must be the same in every start with a file, by name."""
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
                truncate(app, registry.worlds[world_id], n)
        case Checkpoint() | CheckpointsComplete():
            return
        case _:
            replayer.apply(registry.worlds[world_id], record, suspends=suspends)


def _suspending_calls(lines: list[Line]) -> set[int]:
    """The lines with calls that release their world's lock: the next line of the same world says so."""
    last: dict[str, int] = {}
    suspending: set[int] = set()
    for i, (world_id, record) in enumerate(lines):
        before = last.get(world_id)
        if isinstance(record, CallSuspended) and before is not None and isinstance(lines[before][1], ClientCall):
            suspending.add(before)
        last[world_id] = i
    return suspending
