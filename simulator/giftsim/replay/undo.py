"""Undo: return to the state before the last client writes (G40).

What changed since is taken back, newest first; where that is not kept any more, the events before are replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from giftsim.event_log.inputs import (
    AnyEvent,
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
from giftsim.event_log.segment import Segment
from giftsim.gateway.wsgi_app import WsgiApp
from giftsim.kernel.state import State
from giftsim.kernel.table import Undo
from giftsim.replay.apply import Replayer, calls_that_suspend
from giftsim.worlds.call_log import CallLogTruncated
from giftsim.worlds.problem import NothingToUndo
from giftsim.worlds.sending import resend_unsent, send_in_background
from giftsim.worlds.settled import settled
from giftsim.worlds.world import World

Undone = tuple[Segment, AnyEvent]


def undo(app: WsgiApp, world: World, count: int = 1) -> list[ClientCall]:
    """Undo the last `count` calls that changed any record, and everything after them; newest first. NothingToUndo.

    Callers of the world wait meanwhile.
    """
    with settled(world):
        writes = _last_writes(world, count)
        _truncate(app, world, writes[-1].n)
        for call in _calls_without_end(world):
            world.add_event(CallAbandoned(call=call))
        resend_unsent(world)
    send_in_background(world)
    return writes


def truncate(app: WsgiApp, world: World, n: int) -> None:
    """Undo the events of a world from number `n` on."""
    with settled(world):
        _truncate(app, world, n)


def _truncate(app: WsgiApp, world: World, n: int) -> None:
    log = world.event_log
    undone = list(log.newest_first(n))
    state_before = _plan_state_before(app, world, undone, n)
    if log.write is not None:
        log.write(world.id, EventsUndone(n))
    state = state_before()
    _forget(world, undone)
    checkpoints = len(log.checkpoints)
    log.truncate(n)
    if len(log.checkpoints) < checkpoints:
        world.runtime.checkpoint_at = 0  # write others soon, or the next start goes further back
    busy_keys = {key: call for key, call in world.busy_keys.items() if call < n}
    world.replace_state(state)
    world.note_rewind(world.changes.before_event(n), "client calls were undone")
    world.busy_keys.update(busy_keys)
    for call in [call for call in world.suspended_calls if call >= n]:
        del world.suspended_calls[call]


def _forget(world: World, undone: Sequence[Undone]) -> None:
    """Remove what was undone from the call log, and snapshots taken since."""
    records = (segment.outcomes[event.n].entry for segment, event in undone if event.n in segment.outcomes)
    seqs = [record.seq for record in records if record is not None]
    if seqs:
        world.call_log.truncate(min(seqs))
    for _, event in undone:
        if isinstance(event, SnapshotSaved):
            world.snapshots.pop(event.name, None)


def _plan_state_before(app: WsgiApp, world: World, undone: Sequence[Undone], n: int) -> Callable[[], State]:
    """What makes the state before event `n`, which cannot fail any more: CallLogTruncated is raised here.

    What changed since is taken back. Where that is not kept any more, the events before `n` are replayed.
    """
    log = world.event_log
    world.keep_changes()
    changes, first = log.changes_since(n), undone[-1][1] if undone else None
    if changes is not None and isinstance(first, ClientCall):
        at_ms = first.at_ms
        return lambda: _take_back(world.state, changes, at_ms)
    computed = _state_before(app, world, n)
    computed.take_changes()
    log.known_from = n
    return lambda: computed


def _take_back(state: State, changes: Iterable[Undo | State], now_ms: int) -> State:
    """Take back changes, the newest first; the state before them. The cost is that of the changes."""
    for entry in changes:
        if isinstance(entry, State):
            entry.outbox.clear()  # what is in flight in it is sent again
            state = entry.share()  # forks may keep it too
        else:
            state.revert(entry)
    state.now_ms = now_ms
    return state


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


def undoable_writes(world: World) -> Iterator[tuple[Segment, ClientCall]]:
    """The calls that an undo takes back, newest first, with their segments. The caller holds the world's lock."""
    return (
        (segment, event)
        for segment, event in world.event_log.newest_first(world.event_log.floor_n)
        if isinstance(event, ClientCall) and _wrote(segment, event)
    )


def _last_writes(world: World, count: int) -> list[ClientCall]:
    writes = [event for _, event in islice(undoable_writes(world), count)]
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
                copy.add_event(event)  # snapshots stay as they are
            elif isinstance(event, SnapshotRestored | WorldReset):
                if event.n not in segment.restored:
                    raise _truncated(world)
                copy.add_event(event)
                copy.replace_state(segment.restored[event.n].share())
            else:
                replayer.apply(copy, event, suspends=event.n in suspending)
    return copy.state
