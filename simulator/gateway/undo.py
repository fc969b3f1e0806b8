"""Undo: the state before the last client write, made again from the inputs before it (G40)."""

from __future__ import annotations

from itertools import islice

from simulator.gateway.app import Front
from simulator.gateway.replay import Replay, parking
from simulator.kernel.state import State
from simulator.worlds.input import Called, Undone
from simulator.worlds.inputs import Part
from simulator.worlds.problem import NothingToUndo
from simulator.worlds.world import World


def undo(front: Front, world: World, count: int = 1) -> list[Called]:
    """Take back the last `count` calls that changed any record, and all that came after; newest first. NothingToUndo.

    Costs what the inputs before it cost, back to the last state that was kept; callers of the world wait meanwhile.
    """
    with world.quiet():
        writes = _last_writes(world, count)
        _go_back(front, world, writes[-1].n)
        return writes


def go_back(front: Front, world: World, n: int) -> None:
    """Take back the inputs of a world from number `n` on."""
    with world.quiet():
        _go_back(front, world, n)


def _go_back(front: Front, world: World, n: int) -> None:
    inputs = world.inputs
    state = _made_again(front, world, n)
    gone = [part.seen[entry.n].entry for part, entry in inputs.all() if entry.n >= n and entry.n in part.seen]
    numbers = [entry.seq for entry in gone if entry is not None]
    inputs.cut(n)
    if inputs.write is not None:
        inputs.write(world.id, Undone(n))
    world.replace(state)
    if numbers:
        world.journal.cut(min(numbers))


def _last_writes(world: World, count: int) -> list[Called]:
    written = (
        entry
        for part, entry in reversed(list(world.inputs.all()))
        if isinstance(entry, Called) and entry.n in part.seen and part.seen[entry.n].wrote
    )
    writes = list(islice(written, count))
    if len(writes) < count:
        dropped = world.inputs.dropped
        more = f"; the first {dropped} inputs were dropped to make room" if dropped else ""
        raise NothingToUndo(f"world {world.id} has {len(writes)} client writes to take back, not {count}{more}")
    return writes


def _made_again(front: Front, world: World, n: int) -> State:
    """The state before input `n`, in a world that nobody sees."""
    parts = [part for part in world.inputs.parts if part.first_n <= n]
    start = max((i for i, part in enumerate(parts) if part.base is not None), default=0)
    house = front.house.twin()
    twin = World(world.id, world.birth, _base(front, world, parts[start]), house)
    twin.first, twin.snapshots = world.first, dict(world.snapshots)
    twin.inputs.begin(parts[start].first_n, twin.state)
    entries = [(part, entry) for part in parts[start:] for entry in part.entries if entry.n < n]
    parks = parking([entry for _, entry in entries])
    with Replay(front.before(house)) as replay:
        for part, entry in entries:
            twin.id = part.world_id
            house.worlds = {twin.id: twin}
            replay.apply(twin, entry, parks=entry.n in parks)
    return twin.state


def _base(front: Front, world: World, part: Part) -> State:
    return part.base.share() if part.base is not None else front.house.bear(world.birth)
