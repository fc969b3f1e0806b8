"""The plan of a recovery: which lines of a journal file must be applied, and which checkpoints to start from (G5)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from giftsim.event_log.events import (
    Checkpoint,
    CheckpointsComplete,
    EventsUndone,
    JournalRecord,
    LogEvent,
    WorldCreated,
    WorldDeleted,
    WorldForked,
    WorldReset,
)

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
        elif isinstance(record, EventsUndone):
            self.floor = at
            self.lowest_undone = min(self.lowest_undone, record.n) if not self.was_reset else self.lowest_undone
            self.checkpoints = [each for each in self.checkpoints if each[1].n <= record.n]
            self.numbered = [line for line in self.numbered if line[1] < record.n]
            self.last_is_reset = False
        elif isinstance(record, LogEvent):
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
    """The lines of a journal file by world, with the checkpoint that each world starts from."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._world_of: list[WorldLines | None] = []
        current: dict[str, WorldLines] = {}
        worlds: list[WorldLines] = []
        for at, (world_id, record) in enumerate(lines):
            if isinstance(record, WorldCreated | WorldForked):
                parent = current.get(record.of) if isinstance(record, WorldForked) else None
                worlds.append(WorldLines(world_id, at, parent))
                current[world_id] = worlds[-1]
            elif world_id not in current and not isinstance(record, CheckpointsComplete):
                worlds.append(WorldLines(world_id, at - 1, None, is_born=False))
                current[world_id] = worlds[-1]
            world = current.get(world_id)
            self._world_of.append(world)
            if world is not None:
                world.add(at, record)
            if isinstance(record, WorldDeleted) and world is not None:
                world.needed = False
                del current[world_id]
        _choose_starts(worlds, len(lines))
        self._worlds = worlds

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
