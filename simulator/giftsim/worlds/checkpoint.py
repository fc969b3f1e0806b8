"""Checkpoints: the whole state of a world in the journal file, so that a start does not replay all its events (G5)."""

from __future__ import annotations

from giftsim.event_log.events import Checkpoint
from giftsim.kernel.serializer import deserialize, serialize
from giftsim.kernel.state import Definitions, State
from giftsim.worlds.registry import Registry
from giftsim.worlds.runtime import CHECKPOINT_EVERY
from giftsim.worlds.world import Snapshot, World


def is_due(world: World) -> bool:
    """Whether to write a checkpoint before the next event. Larger worlds write them more rarely."""
    log, every = world.event_log, world.runtime.checkpoint_every
    interval = max(every, log.checkpoint_rows * every // CHECKPOINT_EVERY)
    if log.write is None or log.next_n - log.checkpoint_n < interval:
        return False
    return not world.suspended_calls and not world.advancing and not world.state.outbox


def write(world: World) -> None:
    """Keep the present state, and write it to the journal file in the background."""
    log, state, journal_file = world.event_log, world.state.share(), world.runtime.journal_file
    if journal_file is None:
        return
    log.checkpoint_n = log.next_n
    log.checkpoint_rows = sum(len(table.rows) for table in state.tables.values())
    log.begin_segment(state)
    n, truncations, calls, initial = log.next_n, log.truncations, world.call_log.next_seq - 1, world.initial_state
    snapshots = {name: snapshot.state for name, snapshot in world.snapshots.items()}

    def serialize_and_write() -> None:
        snapshot_bytes = {name: serialize(each) for name, each in snapshots.items()}
        initial_bytes = serialize(initial) if initial else None
        checkpoint = Checkpoint(
            n, log.first_n, world.config, world.ttl_s, calls, serialize(state), initial_bytes, snapshot_bytes
        )
        with world.lock:
            if not world.deleted and world.event_log is log and log.truncations == truncations:
                journal_file.write(world.id, checkpoint)

    world.runtime.run_in_background(serialize_and_write)


def restore(registry: Registry, definitions: Definitions, world_id: str, checkpoint: Checkpoint) -> None:
    """Add the world of a checkpoint to the registry. Damaged."""

    def state_of(content: bytes) -> State:
        return deserialize(definitions, content)

    world = registry.add_recovered(world_id, checkpoint.config, state_of(checkpoint.state), checkpoint.ttl_s)
    world.initial_state = state_of(checkpoint.first) if checkpoint.first is not None else None
    world.snapshots = {name: Snapshot(name, state_of(content)) for name, content in checkpoint.snapshots.items()}
    world.event_log.start_at(checkpoint.first_n, checkpoint.n, world.state.share())
    world.call_log.dropped = checkpoint.calls
