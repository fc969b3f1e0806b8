"""What a journal file holds, in numbers: its worlds, calls and instants."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from giftsim.event_log.events import (
    Checkpoint,
    ClientCall,
    ControlCall,
    JournalRecord,
    TimePassed,
    WorldCreated,
    WorldDeleted,
    WorldForked,
)
from giftsim.event_log.journal_contents import Contents, read_contents


class WorldSummary(msgspec.Struct):
    """One world of a file, with the instants that its records name (None if they name none)."""

    id: str
    calls: int = 0
    control_calls: int = 0
    first_ms: int | None = None
    last_ms: int | None = None
    deleted: bool = False

    def see(self, at_ms: int) -> None:
        """Take an instant into account. The clock may have gone back, in an undo or a reset."""
        self.first_ms = at_ms if self.first_ms is None else min(self.first_ms, at_ms)
        self.last_ms = at_ms if self.last_ms is None else max(self.last_ms, at_ms)


class JournalSummary(msgspec.Struct):
    """The whole file: `worlds` in the order of their creation, those that are deleted among them."""

    contents: Contents
    records: int = 0
    checkpoints: int = 0
    worlds: list[WorldSummary] = []

    @property
    def calls(self) -> int:
        """The calls of clients in all worlds."""
        return sum(world.calls for world in self.worlds)

    def add(self, world_id: str, record: JournalRecord) -> None:
        """Count one more record."""
        self.records += 1
        if isinstance(record, WorldCreated | WorldForked):
            self._add_world(world_id, record)
        elif (world := self._find(world_id)) is not None:
            if isinstance(record, ClientCall | ControlCall):
                world.see(record.at_ms)
                world.calls += isinstance(record, ClientCall)
                world.control_calls += isinstance(record, ControlCall)
            elif isinstance(record, TimePassed):
                world.see(record.to_ms)
            world.deleted = isinstance(record, WorldDeleted)
        self.checkpoints += isinstance(record, Checkpoint)

    def _add_world(self, world_id: str, record: WorldCreated | WorldForked) -> None:
        world = WorldSummary(world_id)
        if isinstance(record, WorldCreated):
            world.see(record.config.now_ms)
        elif (parent := self._find(record.of)) is not None and parent.last_ms is not None:
            world.see(parent.last_ms)
        self.worlds.append(world)

    def _find(self, world_id: str) -> WorldSummary | None:
        return next((world for world in reversed(self.worlds) if world.id == world_id and not world.deleted), None)


def summarize(path: Path) -> JournalSummary:
    """Read a journal file, which a simulator may be writing, to its end. Unreadable, OSError."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        summary = JournalSummary(read_contents(path, fd))
    finally:
        os.close(fd)
    for world_id, record in summary.contents.records():
        summary.add(world_id, record)
    return summary
