"""Checkpoints: a world's whole state in the journal file, so that a start does not grow with the world's past (G5)."""

from __future__ import annotations

from simulator.kernel.archive import packed, unpacked
from simulator.kernel.state import State
from simulator.worlds.house import EVERY, House
from simulator.worlds.input import Checkpoint
from simulator.worlds.world import Saved, World


def due(world: World) -> bool:
    """Whether a checkpoint is to be taken before the next input; the larger the world, the more rarely."""
    inputs, every = world.inputs, world.house.checkpoint_every
    if inputs.write is None or inputs.next_n - inputs.checked_n < max(every, inputs.checked_rows * every // EVERY):
        return False
    return not world.parked and not world.driving and not world.state.outbox


def take(world: World) -> None:
    """Keep the state of this moment, and write it beside the calls."""
    inputs, state, ledger = world.inputs, world.state.share(), world.house.ledger
    if ledger is None:
        return
    inputs.checked_n = inputs.next_n
    inputs.checked_rows = sum(len(table.rows) for table in state.tables.values())
    inputs.begin(state)
    n, cuts, calls, first = inputs.next_n, inputs.cuts, world.journal.next_seq - 1, world.first
    kept = {name: saved.state for name, saved in world.snapshots.items()}

    def write() -> None:
        archives = {name: packed(each) for name, each in kept.items()}
        began = packed(first) if first else None
        about = Checkpoint(n, inputs.first_n, world.birth, world.ttl_s, calls, packed(state), began, archives)
        with world.gate:
            if not world.gone and world.inputs is inputs and inputs.cuts == cuts:
                ledger.write(world.id, about)

    world.house.background(write)


def put(house: House, world_id: str, kept: Checkpoint) -> None:
    """A world as a checkpoint says. Damaged."""

    def made(content: bytes) -> State:
        return unpacked(house.laws, content)

    world = house.admit(world_id, kept.birth, made(kept.state), kept.ttl_s)
    world.first = made(kept.first) if kept.first is not None else None
    world.snapshots = {name: Saved(name, made(content)) for name, content in kept.snapshots.items()}
    world.inputs.start(kept.first_n, kept.n, world.state.share())
    world.journal.dropped = kept.calls
