"""Checkpoints: states of worlds in the journal file, so that a start does not replay all their events (G5, G77).

Now and then, by the number of lines written, every world that has changed gets a checkpoint in the background: what
has changed since its last one, or its whole state if that is not known or has become as long. Once all worlds have
theirs, a line says so, and a start needs nothing before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from giftsim.event_log.inputs import Checkpoint, CheckpointsComplete
from giftsim.event_log.journal_contents import Contents
from giftsim.event_log.journal_file import JournalFile, NotWritten
from giftsim.event_log.log import EventLog
from giftsim.event_log.segment import CheckpointMark
from giftsim.kernel.serializer import Content, changed_content, content_of, deserialize, row_count, serialize
from giftsim.kernel.state import Definitions, State
from giftsim.worlds.registry import Registry
from giftsim.worlds.snapshots import Snapshot
from giftsim.worlds.world import World

LINES_PER_ROW = 0.2  # lines for each row of the last checkpoints, so that checkpoints take a few percent of the time
TIMES = 2
MOST_ROWS_WITH_LOCK = 50_000  # which takes about 100 ms


class _Cut(msgspec.Struct):
    """A world at one moment. `first` and `snapshots` are states, or where the journal file has them."""

    log: EventLog
    n: int
    truncations: int
    epoch: int
    calls: int
    content: Content
    base: CheckpointMark | None
    first: State | int | None
    snapshots: dict[str, tuple[Snapshot, int | None]]


def write_in_background(registry: Registry) -> None:
    """Write checkpoints of all worlds that have changed, unless that is being done."""
    runtime, file = registry.runtime, registry.runtime.journal_file
    if file is not None and runtime.begin_checkpoints():
        runtime.run_in_background(lambda: write_all(registry, file, file.size))


def write_all(registry: Registry, file: JournalFile, since: int) -> None:
    """Write checkpoints of all worlds that have changed, and then a line that says so.

    Lines from byte `since` on may be about changes after these checkpoints.
    """
    runtime, rows = registry.runtime, 0
    done: dict[str, tuple[World, int]] = {}
    try:
        with suppress(NotWritten):
            while pending := _without_checkpoint(registry, done):
                for world in pending:
                    at, written = _write(world, file)
                    rows += written
                    if at is None:
                        return  # it is in the middle of something: next time
                    done[world.id] = world, at
            live = {name: at for name, (world, at) in done.items() if registry.worlds.get(name) is world}
            file.write("", CheckpointsComplete(since, live, registry.ids.generated))
    finally:
        runtime.checkpoint_at = file.lines + max(runtime.checkpoint_every, int(rows * LINES_PER_ROW))
        runtime.writes_checkpoints = False


def _without_checkpoint(registry: Registry, done: dict[str, tuple[World, int]]) -> list[World]:
    worlds = list(registry.worlds.values())
    return [world for world in worlds if world.id not in done or done[world.id][0] is not world]


def _write(world: World, file: JournalFile) -> tuple[int | None, int]:
    """Write a checkpoint of a world if it has changed. Returns where its last one begins, None if it has none, and its
    number of rows.

    The checkpoint is made without the lock, and again if the state was replaced meanwhile. That may happen every time,
    because a busy process leaves this thread little time. So the last try keeps the lock, unless there is too much to
    write.
    """
    for left in reversed(range(TIMES)):
        with world.lock:
            if _is_gone(world):
                return 0, 0
            if (mark := _up_to_date(world)) is not None:
                return mark.at, 0
            if world.calls.suspended or world.clock.advancing or world.state.outbox:
                return None, 0
            cut = _cut(world)
            if not left and _rows_to_write(cut) <= MOST_ROWS_WITH_LOCK:
                return _keep(world, file, cut, _checkpoint(world, cut)), row_count(cut.content)
        checkpoint = _checkpoint(world, cut)
        with world.lock:
            if not _is_gone(world) and world.epoch == cut.epoch:
                return _keep(world, file, cut, checkpoint), row_count(cut.content)
    return None, 0


def _is_gone(world: World) -> bool:
    return world.deleted


def _up_to_date(world: World) -> CheckpointMark | None:
    """The last checkpoint, if the world has written no line since, not even one that was undone."""
    log = world.event_log
    mark = log.checkpoints[-1] if log.checkpoints else None
    pending = world.clock.fired_count or world.clock.time_unlogged or world.state.undo_log
    unchanged = mark and (mark.n, mark.truncations) == (log.next_n, log.truncations) and not pending
    return mark if unchanged else None


def _cut(world: World) -> _Cut:
    world.clock.log_time()
    world.keep_undo_log()
    log, state = world.event_log, world.state
    mark = log.checkpoints[-1] if log.checkpoints and log.checkpoints[-1].is_worth_extending else None
    undo_log = log.undo_entries_since(mark.n - 1) if mark is not None else None
    stored = world.stored_states
    first = stored.first if stored.first is not None else world.initial_state
    snapshots = {
        name: (snapshot, stored.snapshots[name][1] if stored.snapshots.get(name, (None,))[0] is snapshot else None)
        for name, snapshot in world.snapshots.items()
    }
    content = content_of(state.share()) if undo_log is None else changed_content(state, undo_log)
    base = mark if undo_log is not None else None
    calls = world.calls.log.next_seq - 1
    return _Cut(log, log.next_n, log.truncations, world.epoch, calls, content, base, first, snapshots)


def _rows_to_write(cut: _Cut) -> int:
    states = [cut.first, *(snapshot.state for snapshot, at in cut.snapshots.values() if at is None)]
    rows = (len(table.rows) for state in states if isinstance(state, State) for table in state.tables.values())
    return row_count(cut.content) + sum(rows)


def _checkpoint(world: World, cut: _Cut) -> Checkpoint:
    """The record of a checkpoint; serialized without the lock."""
    first = serialize(content_of(cut.first)) if isinstance(cut.first, State) else cut.first
    snapshots: dict[str, bytes | int] = {
        name: serialize(content_of(snapshot.state)) if at is None else at
        for name, (snapshot, at) in cut.snapshots.items()
    }
    return Checkpoint(
        cut.n,
        cut.log.first_n,
        world.config,
        world.ttl_s,
        cut.calls,
        serialize(cut.content),
        first,
        snapshots,
        cut.base.at if cut.base else None,
    )


def _keep(world: World, file: JournalFile, cut: _Cut, checkpoint: Checkpoint) -> int:
    """Write a checkpoint, and note where it is; the byte at which its line begins."""
    at, size, stored = file.write(world.id, checkpoint), len(checkpoint.state), world.stored_states
    mark = (
        cut.base.extended(cut.n, at, size, cut.truncations)
        if cut.base
        else CheckpointMark(cut.n, at, size, truncations=cut.truncations)
    )
    cut.log.checkpoints = [*cut.log.checkpoints, mark] if cut.base else [mark]
    if isinstance(checkpoint.first, bytes):
        stored.first = at
    stored.snapshots = {
        name: (snapshot, at if earlier is None else earlier) for name, (snapshot, earlier) in cut.snapshots.items()
    }
    return at


def restore(
    registry: Registry, definitions: Definitions, contents: Contents, world_id: str, checkpoint: Checkpoint, at: int
) -> None:
    """Add the world of a checkpoint, whose line begins at a byte, to the registry. Damaged, Unreadable."""
    parts = [each.state for each in _with_bases(contents, checkpoint)][::-1]
    state = deserialize(definitions, parts)
    world = registry.add_recovered(world_id, checkpoint.config, state, checkpoint.ttl_s)
    mark = CheckpointMark(checkpoint.n, at, len(parts[0]), sum(map(len, parts[1:])))
    world.event_log.start_at(checkpoint.first_n, mark, state.share())
    world.calls.log.dropped = checkpoint.calls
    stored = world.stored_states
    if checkpoint.first is not None:
        stored.first = checkpoint.first if isinstance(checkpoint.first, int) else at
        first = (
            checkpoint.first if isinstance(checkpoint.first, bytes) else contents.checkpoint_at(checkpoint.first).first
        )
        world.initial_state = _whole_state(definitions, first)
    for name, kept in checkpoint.snapshots.items():
        content = kept if isinstance(kept, bytes) else contents.checkpoint_at(kept).snapshots.get(name)
        snapshot = world.snapshots[name] = Snapshot(name, _whole_state(definitions, content))
        stored.snapshots[name] = snapshot, kept if isinstance(kept, int) else at


def _with_bases(contents: Contents, checkpoint: Checkpoint) -> Iterator[Checkpoint]:
    """A checkpoint and those that it is based on, newest first."""
    yield checkpoint
    while checkpoint.base is not None:
        checkpoint = contents.checkpoint_at(checkpoint.base)
        yield checkpoint


def _whole_state(definitions: Definitions, content: object) -> State:
    return deserialize(definitions, [content if isinstance(content, bytes) else b""])
