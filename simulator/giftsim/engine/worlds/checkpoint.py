"""Checkpoints: states of worlds in the journal file, so that a start does not replay all their events (G5, G77).

Whenever a start would have to apply some thousand lines, every world that has changed gets a checkpoint in the
background: what has changed since its last one, or its whole state if that is not known. Once all worlds have theirs, a
line says so, and a start needs nothing before it. When the checkpoints of a world have become much longer than its
state, the whole state is written as well, at leisure: checkpoints of changes go on beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from giftsim.engine.kernel.serializer import (
    Content,
    changed_content,
    content_of,
    deserialize,
    row_count,
    serialize,
    size_of,
)
from giftsim.engine.kernel.state import Definitions, State
from giftsim.engine.log.inputs import Checkpoint, CheckpointsComplete, WholeState
from giftsim.engine.log.journal_contents import Contents
from giftsim.engine.log.journal_file import JournalFile, NotWritten
from giftsim.engine.log.log import EventLog
from giftsim.engine.log.segment import CheckpointMark
from giftsim.engine.worlds.registry import Registry
from giftsim.engine.worlds.snapshots import Snapshot
from giftsim.engine.worlds.world import World

LINES_PER_ROW = 0.02  # lines for each row of whole states that had to be written, so that this is not done all the time
TIMES = 2
MOST_ROWS_WITH_LOCK = 50_000  # which takes about 100 ms
ROWS_OF_A_LINE = 60  # the rows that take as long to read as a checkpoint without any
SPARE_ROWS = 500


class _Cut(msgspec.Struct):
    """A world at one moment. `first` and `snapshots` are states, or where the journal file has them.

    `content` is what has changed since the checkpoint `base`, or everything. `forgets` is that of the log.
    """

    log: EventLog
    n: int
    truncations: int
    forgets: int
    epoch: int
    calls: int
    suspended: tuple[int, ...]
    content: Content
    base: CheckpointMark | None
    first: State | int | None
    snapshots: dict[str, tuple[Snapshot, int | None]]


class _Serialized(msgspec.Struct):
    """The states of a cut as bytes, or where the journal file has them."""

    state: bytes
    first: bytes | int | None
    snapshots: dict[str, bytes | int]


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
                        return  # its state is replaced all the time: next time
                    done[world.id] = world, at
            live = {name: at for name, (world, at) in done.items() if registry.worlds.get(name) is world}
            file.write("", CheckpointsComplete(since, live, registry.ids.generated))
    finally:
        runtime.checkpoint_at = runtime.work + max(runtime.checkpoint_every, int(rows * LINES_PER_ROW))
        runtime.writes_checkpoints = False
    if any(_is_long(world) for world in list(registry.worlds.values())) and runtime.begin_whole_states():
        runtime.run_in_background(lambda: write_whole_states(registry, file))


def write_whole_states(registry: Registry, file: JournalFile) -> None:
    """Write the whole state of each world whose checkpoints have become long."""
    try:
        with suppress(NotWritten):
            for world in list(registry.worlds.values()):
                if _is_long(world):
                    _write_whole(world, file)
    finally:
        registry.runtime.writes_whole_states = False


def write_after(world: World) -> None:
    """Write a checkpoint after a call that continued and before its answer: the last one does not have its beginning.

    The lock is held. NotWritten.
    """
    file, world.calls.continued = world.runtime.journal_file, False
    if file is not None and not world.deleted:
        cut = _cut(world)
        _keep(world, file, cut, _serialize(cut))


def _without_checkpoint(registry: Registry, done: dict[str, tuple[World, int]]) -> list[World]:
    worlds = list(registry.worlds.values())
    return [world for world in worlds if world.id not in done or done[world.id][0] is not world]


def _write(world: World, file: JournalFile) -> tuple[int | None, int]:
    """Write a checkpoint of a world if it has changed. Returns where its last one begins, None if it has none, and its
    number of rows if it is a whole state.

    The checkpoint is made without the lock, and again if the state was replaced meanwhile. That may happen every time,
    because a busy process leaves this thread little time. So the last try keeps the lock, unless there is too much to
    write.
    """
    for left in reversed(range(TIMES)):
        with world.lock:
            if world.deleted:
                return 0, 0
            if (mark := _up_to_date(world)) is not None:
                return mark.at, 0
            cut = _cut(world)
            rows = 0 if cut.base else row_count(cut.content)
            if not left and _rows_to_write(cut) <= MOST_ROWS_WITH_LOCK:
                return _keep(world, file, cut, _serialize(cut)), rows
        serialized = _serialize(cut)
        with world.lock:
            if _is_current(world, cut):
                return _keep(world, file, cut, serialized), rows
    return None, 0


def _write_whole(world: World, file: JournalFile) -> None:
    """Write the whole state of a world at a checkpoint, which is made now, and note it if that was not undone since."""
    with world.lock:
        if world.deleted:
            return
        if _up_to_date(world) is None:
            cut = _cut(world)
            _keep(world, file, cut, _serialize(cut))
        log, mark, content = world.event_log, world.event_log.checkpoints[-1], content_of(world.state)
    state = serialize(content)
    with world.lock:
        if not _is_gone(world) and world.event_log is log and mark in log.checkpoints:
            at = file.write(world.id, WholeState(mark.at, state))
            log.shorten(mark, at, row_count(content) + ROWS_OF_A_LINE)


def _is_gone(world: World) -> bool:
    return world.deleted


def _is_long(world: World) -> bool:
    """Whether a start reads much more than the state of a world to get it."""
    marks = world.event_log.checkpoints
    return bool(marks) and marks[-1].rows > 1.5 * size_of(world.state) + SPARE_ROWS


def _is_current(world: World, cut: _Cut) -> bool:
    """Whether a checkpoint still follows from the last one, and none of its suspended calls has continued since.

    A start from such a checkpoint would not have that call.
    """
    marks = world.event_log.checkpoints
    return (
        not world.deleted
        and world.event_log is cut.log
        and world.epoch == cut.epoch
        and (cut.base is None or cut.base.at == marks[-1].at)
        and all(call in world.calls.suspended for call in cut.suspended)
    )


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
    mark = log.checkpoints[-1] if log.checkpoints else None
    touched = log.touched_since(mark.n - 1) if mark is not None else None
    stored = world.stored_states
    first = stored.first if stored.first is not None else world.initial_state
    snapshots = {
        name: (snapshot, stored.snapshots[name][1] if stored.snapshots.get(name, (None,))[0] is snapshot else None)
        for name, snapshot in world.snapshots.items()
    }
    content = content_of(state) if touched is None else changed_content(state, touched)
    base = mark if touched is not None else None
    calls, suspended = world.calls.log.next_seq - 1, tuple(sorted(world.calls.suspended))
    numbers = log.next_n, log.truncations, log.forgets, world.epoch, calls
    return _Cut(log, *numbers, suspended, content, base, first, snapshots)


def _rows_to_write(cut: _Cut) -> int:
    states = [cut.first, *(snapshot.state for snapshot, at in cut.snapshots.values() if at is None)]
    return row_count(cut.content) + sum(size_of(state) for state in states if isinstance(state, State))


def _serialize(cut: _Cut) -> _Serialized:
    """Serialize the states of a cut, which needs no lock."""
    return _Serialized(
        serialize(cut.content),
        serialize(content_of(cut.first)) if isinstance(cut.first, State) else cut.first,
        {
            name: serialize(content_of(snapshot.state)) if at is None else at
            for name, (snapshot, at) in cut.snapshots.items()
        },
    )


def _keep(world: World, file: JournalFile, cut: _Cut, states: _Serialized) -> int:
    """Write a checkpoint, and note where it is; the byte at which its line begins."""
    log, stored = cut.log, world.stored_states
    base = log.checkpoints[-1] if cut.base else None
    whole = base.whole if base else None
    rows = row_count(cut.content) + ROWS_OF_A_LINE + (base.rows if base else 0)
    checkpoint = Checkpoint(
        cut.n,
        log.first_n,
        world.config,
        world.ttl_s,
        cut.calls,
        states.state,
        states.first,
        states.snapshots,
        base.at if base else None,
        whole,
        rows,
        cut.suspended,
    )
    at = file.write(world.id, checkpoint)
    mark = CheckpointMark(cut.n, at, rows, whole, cut.suspended, cut.truncations)
    log.add_checkpoint(mark, cut.forgets, is_based=base is not None)
    if isinstance(states.first, bytes):
        stored.first = at
    stored.snapshots = {
        name: (snapshot, at if earlier is None else earlier) for name, (snapshot, earlier) in cut.snapshots.items()
    }
    return at


def restore(
    registry: Registry, definitions: Definitions, contents: Contents, world_id: str, checkpoint: Checkpoint, at: int
) -> None:
    """Add the world of a checkpoint, whose line begins at a byte, to the registry. Damaged, Unreadable."""
    state = deserialize(definitions, reversed(list(_states(contents, checkpoint, at))))
    world = registry.add_recovered(world_id, checkpoint.config, state, checkpoint.ttl_s)
    world.calls.suspended = {call: object() for call in checkpoint.suspended}
    mark = CheckpointMark(checkpoint.n, at, checkpoint.rows, checkpoint.whole, checkpoint.suspended)
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


def _states(contents: Contents, checkpoint: Checkpoint, at: int) -> Iterator[bytes]:
    """The changes before a checkpoint, whose line begins at a byte, newest first, then a whole state."""
    whole = contents.whole_state_at(checkpoint.whole) if checkpoint.whole is not None else None
    while whole is None or at != whole.at:
        yield checkpoint.state
        if checkpoint.base is None:
            return
        at = checkpoint.base
        checkpoint = contents.checkpoint_at(at)
    yield whole.state


def _whole_state(definitions: Definitions, content: object) -> State:
    return deserialize(definitions, [content if isinstance(content, bytes) else b""])
