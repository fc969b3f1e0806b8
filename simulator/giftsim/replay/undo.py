"""Undo: return to the state before the last client writes, by replaying the events before them (G40)."""

from __future__ import annotations

from itertools import islice

from giftsim.event_log.events import (
    CallAbandoned,
    CallResumed,
    CallSuspended,
    ClientCall,
    EventsUndone,
    SnapshotDeleted,
    SnapshotRestored,
    SnapshotSaved,
    WorldReset,
)
from giftsim.event_log.log import Segment
from giftsim.gateway.wsgi_app import WsgiApp
from giftsim.kernel.state import State
from giftsim.replay.apply import Replayer, calls_that_suspend
from giftsim.worlds.call_log import CallLogTruncated
from giftsim.worlds.problem import NothingToUndo
from giftsim.worlds.settled import settled
from giftsim.worlds.world import World


def undo(app: WsgiApp, world: World, count: int = 1) -> list[ClientCall]:
    """Undo the last `count` calls that changed any record, and everything after them; newest first. NothingToUndo.

    Replays the events since the last kept state; callers of the world wait meanwhile.
    """
    with settled(world):
        writes = _last_writes(world, count)
        _truncate(app, world, writes[-1].n)
        for call in _calls_without_end(world):
            world.event_log.add(CallAbandoned(call=call))
        return writes


def truncate(app: WsgiApp, world: World, n: int) -> None:
    """Undo the events of a world from number `n` on."""
    with settled(world):
        _truncate(app, world, n)


def _truncate(app: WsgiApp, world: World, n: int) -> None:
    log = world.event_log
    state = _state_before(app, world, n)
    undone = [segment.outcomes[event.n].entry for segment, event in log.all() if _has_outcome(segment, event.n, n)]
    seqs = [record.seq for record in undone if record is not None]
    for event in [event for _, event in log.all() if isinstance(event, SnapshotSaved) and event.n >= n]:
        world.snapshots.pop(event.name, None)
    log.truncate(n)
    if log.write is not None:
        log.write(world.id, EventsUndone(n))
    busy_keys = {key: call for key, call in world.busy_keys.items() if call < n}
    world.replace_state(state)
    world.busy_keys.update(busy_keys)
    for call in [call for call in world.suspended_calls if call >= n]:
        del world.suspended_calls[call]
    if seqs:
        world.call_log.truncate(min(seqs))


def _calls_without_end(world: World) -> list[int]:
    """The calls that are suspended in the event log and not in the world: what was undone includes their end."""
    suspended: dict[int, None] = {}
    for _, event in world.event_log.all():
        if isinstance(event, CallSuspended):
            suspended[event.call] = None
        elif isinstance(event, CallResumed | CallAbandoned):
            suspended.pop(event.call, None)
    return [call for call in suspended if call not in world.suspended_calls]


def _truncated(world: World) -> CallLogTruncated:
    return CallLogTruncated(
        f"the first {world.event_log.dropped} events of world {world.id} were dropped to make room: its state "
        "cannot be computed again from its start, nor from a snapshot that was restored since"
    )


def _has_outcome(segment: Segment, event_n: int, n: int) -> bool:
    return event_n >= n and event_n in segment.outcomes


def _last_writes(world: World, count: int) -> list[ClientCall]:
    newest_first = (
        event
        for segment, event in reversed(list(world.event_log.all()))
        if isinstance(event, ClientCall) and event.n >= world.event_log.floor_n and _wrote(segment, event)
    )
    writes = list(islice(newest_first, count))
    if len(writes) < count:
        raise NothingToUndo(f"world {world.id} has {len(writes)} client writes to undo, not {count}")
    return writes


def _wrote(segment: Segment, call: ClientCall) -> bool:
    return call.n in segment.outcomes and segment.outcomes[call.n].wrote


def _state_before(app: WsgiApp, world: World, n: int) -> State:
    """The state before event `n`, computed in a copy of the world that nothing else can reach."""
    segments = world.event_log.path_to(n)
    if segments is None:
        raise _truncated(world)
    base, registry = segments[0].base, app.registry.copy_empty()
    state = base.share() if base is not None else registry.initial_state(world.config)
    copy = World(world.id, world.config, state, registry.runtime)
    copy.initial_state = world.initial_state
    copy.event_log.replace_segments([Segment(world.id, segments[0].first_n)])
    entries = [(segment, event) for segment in segments for event in segment.events if event.n < n]
    suspending = calls_that_suspend(event for _, event in entries)
    with Replayer(app.with_registry(registry)) as replayer:
        for segment, event in entries:
            copy.id = segment.world_id
            registry.worlds = {copy.id: copy}
            if isinstance(event, SnapshotSaved | SnapshotDeleted):
                copy.event_log.add(event)  # snapshots stay as they are
            elif isinstance(event, SnapshotRestored | WorldReset):
                if event.n not in segment.restored:
                    raise _truncated(world)
                copy.event_log.add(event)
                copy.replace_state(segment.restored[event.n].share())
            else:
                replayer.apply(copy, event, suspends=event.n in suspending)
    return copy.state
