"""Checkpoints: a world's whole state in the journal file, so that a start does not grow with the world's past (G5)."""

from __future__ import annotations

from giftsim.event_log.events import Checkpoint
from giftsim.kernel.serializer import packed, unpacked
from giftsim.kernel.state import State
from giftsim.worlds.registry import EVERY, Registry
from giftsim.worlds.world import Saved, World


def due(world: World) -> bool:
    """Whether a checkpoint is to be taken before the next input; the larger the world, the more rarely."""
    inputs, every = world.event_log, world.registry.checkpoint_every
    if inputs.write is None or inputs.next_n - inputs.checked_n < max(every, inputs.checked_rows * every // EVERY):
        return False
    return not world.parked and not world.driving and not world.state.outbox


def take(world: World) -> None:
    """Keep the state of this moment, and write it beside the calls."""
    inputs, state, journal_file = world.event_log, world.state.share(), world.registry.journal_file
    if journal_file is None:
        return
    inputs.checked_n = inputs.next_n
    inputs.checked_rows = sum(len(table.rows) for table in state.tables.values())
    inputs.begin(state)
    n, cuts, calls, first = inputs.next_n, inputs.cuts, world.journal.next_seq - 1, world.first
    kept = {name: saved.state for name, saved in world.snapshots.items()}

    def write() -> None:
        archives = {name: packed(each) for name, each in kept.items()}
        began = packed(first) if first else None
        about = Checkpoint(n, inputs.first_n, world.config, world.ttl_s, calls, packed(state), began, archives)
        with world.lock:
            if not world.gone and world.event_log is inputs and inputs.cuts == cuts:
                journal_file.write(world.id, about)

    world.registry.background(write)


def put(registry: Registry, world_id: str, kept: Checkpoint) -> None:
    """A world as a checkpoint says. Damaged."""

    def made(content: bytes) -> State:
        return unpacked(registry.definitions, content)

    world = registry.admit(world_id, kept.config, made(kept.state), kept.ttl_s)
    world.first = made(kept.first) if kept.first is not None else None
    world.snapshots = {name: Saved(name, made(content)) for name, content in kept.snapshots.items()}
    world.event_log.start(kept.first_n, kept.n, world.state.share())
    world.journal.dropped = kept.calls
