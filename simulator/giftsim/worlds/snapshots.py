"""Snapshots: states of a world that are kept under a name and put back later."""

from __future__ import annotations

from giftsim.event_log.inputs import SnapshotDeleted, SnapshotRestored, SnapshotSaved
from giftsim.worlds.changes import DELETED, SAVED, SNAPSHOT
from giftsim.worlds.problem import InvalidWorld, SnapshotNotFound
from giftsim.worlds.settled import settled
from giftsim.worlds.world import Snapshot, World

MAX_SNAPSHOTS = 100
MAX_REPLACED = 8  # of those replaced or deleted, for undo; each may be as large as the world


def save(world: World, name: str) -> Snapshot:
    """Keep the present state under a name; a snapshot of the same name is replaced."""
    with settled(world) as state:
        if len(world.snapshots) >= MAX_SNAPSHOTS and name not in world.snapshots:
            raise InvalidWorld(f"a world keeps {MAX_SNAPSHOTS} snapshots; delete one first")
        world.log_time()
        world.add_event(SnapshotSaved(name=name, at_ms=state.now_ms))
        _keep_replaced(world, name)
        snapshot = world.snapshots[name] = Snapshot(name, state.share())
        world.note(SNAPSHOT, (name, SAVED))
        return snapshot


def delete(world: World, name: str) -> None:
    """Delete a snapshot. SnapshotNotFound."""
    with world.locked() as state:
        _find(world, name)
        world.add_event(SnapshotDeleted(name=name, at_ms=state.now_ms))
        _keep_replaced(world, name)
        del world.snapshots[name]
        world.note(SNAPSHOT, (name, DELETED))


def restore(world: World, name: str) -> Snapshot:
    """Put a snapshot's state back, with its clock and timers. SnapshotNotFound."""
    with settled(world) as state:
        snapshot = _find(world, name)
        world.add_event(SnapshotRestored(name=name, at_ms=state.now_ms))
        world.event_log.note_restore(snapshot.state, calls_suspended=bool(world.suspended_calls))
        world.replace_state(snapshot.state.share(), undoable=True)
        world.note_rewind(world.changes.at_snapshot(name), f"the snapshot {name} was restored")
        return snapshot


def take_back(world: World, event: SnapshotSaved | SnapshotDeleted) -> None:
    """Undo the saving or deleting of a snapshot: one of that name comes back, if it is one of the last MAX_REPLACED."""
    saved = world.snapshots
    place, former = world.replaced_snapshots.pop(event.n, (0, None))
    if former is None:
        saved.pop(event.name, None)
    elif event.name in saved:
        saved[event.name] = former
    else:
        names = list(saved)
        names.insert(place, event.name)
        world.snapshots = {name: saved.get(name, former) for name in names}


def _keep_replaced(world: World, name: str) -> None:
    """Keep the snapshot of a name, which the last event replaces or deletes, for undo."""
    if (former := world.snapshots.get(name)) is not None:
        kept = world.replaced_snapshots
        kept[world.event_log.next_n - 1] = list(world.snapshots).index(name), former
        if len(kept) > MAX_REPLACED:
            del kept[next(iter(kept))]


def _find(world: World, name: str) -> Snapshot:
    snapshot = world.snapshots.get(name)
    if snapshot is None:
        raise SnapshotNotFound(f"world {world.id} has no snapshot {name[:60]!r}")
    return snapshot
