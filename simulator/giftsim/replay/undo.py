"""Undo: the state before the last client write, made again from the inputs before it (G40)."""

from __future__ import annotations

from itertools import islice

from giftsim.event_log.events import Called, Forgot, Reset, Restored, SnapshotTaken, Undone
from giftsim.event_log.log import Part
from giftsim.gateway.wsgi_app import Front
from giftsim.kernel.state import State
from giftsim.replay.apply import Replay, parking
from giftsim.worlds.call_log import JournalTruncated
from giftsim.worlds.problem import NothingToUndo
from giftsim.worlds.world import World


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
    inputs = world.event_log
    state = _made_again(front, world, n)
    gone = [part.seen[entry.n].entry for part, entry in inputs.all() if entry.n >= n and entry.n in part.seen]
    numbers = [entry.seq for entry in gone if entry is not None]
    for entry in [entry for _, entry in inputs.all() if isinstance(entry, SnapshotTaken) and entry.n >= n]:
        world.snapshots.pop(entry.name, None)  # a moment of what never was
    inputs.cut(n)
    if inputs.write is not None:
        inputs.write(world.id, Undone(n))
    world.replace(state)
    for call in [call for call in world.parked if call >= n]:
        del world.parked[call]  # it is held no more, and never was
    if numbers:
        world.journal.cut(min(numbers))


def _last_writes(world: World, count: int) -> list[Called]:
    written = (
        entry
        for part, entry in reversed(list(world.event_log.all()))
        if isinstance(entry, Called) and entry.n >= world.event_log.floor_n and _wrote(part, entry)
    )
    writes = list(islice(written, count))
    if len(writes) < count:
        raise NothingToUndo(f"world {world.id} has {len(writes)} client writes to take back, not {count}")
    return writes


def _wrote(part: Part, entry: Called) -> bool:
    return entry.n in part.seen and part.seen[entry.n].wrote


def _made_again(front: Front, world: World, n: int) -> State:
    """The state before input `n`, in a world that nobody sees."""
    parts = world.event_log.since(n)
    if parts is None:
        raise JournalTruncated(
            f"the first {world.event_log.dropped} inputs of world {world.id} were dropped to make room: it cannot be "
            "made again from its start, nor from a snapshot that was restored since"
        )
    base, registry = parts[0].base, front.registry.twin()
    twin = World(world.id, world.config, base.share() if base is not None else registry.bear(world.config), registry)
    twin.first = world.first
    twin.event_log.parts = [Part(world.id, parts[0].first_n)]
    entries = [(part, entry) for part in parts for entry in part.entries if entry.n < n]
    parks = parking([entry for _, entry in entries])
    with Replay(front.before(registry)) as replay:
        for part, entry in entries:
            twin.id = part.world_id
            registry.worlds = {twin.id: twin}
            if isinstance(entry, SnapshotTaken | Forgot):
                twin.event_log.add(entry)  # what is kept beside the state stays as it is
            elif isinstance(entry, Restored | Reset):
                twin.event_log.add(entry)
                twin.replace(part.restored[entry.n].share())
            else:
                replay.apply(twin, entry, parks=entry.n in parks)
    return twin.state
