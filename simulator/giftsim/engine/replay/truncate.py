"""Return a world to the state before an event, and remove that event and all later ones from its logs.

What changed since is taken back, newest first; where that is not kept any more, the events before are replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from giftsim.engine.gateway.wsgi_app import WsgiApp
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Undo
from giftsim.engine.log.inputs import (
    AnyInput,
    InputsUndone,
    SnapshotDeleted,
    SnapshotRestored,
    SnapshotSaved,
    WorldReset,
)
from giftsim.engine.log.segment import Segment
from giftsim.engine.replay.apply import Replayer, events_that_suspend
from giftsim.engine.worlds.call_log import CallLogTruncated
from giftsim.engine.worlds.world import World

Undone = tuple[Segment, AnyInput]


def undo_events(app: WsgiApp, world: World, n: int, reason: str = "client calls were undone") -> None:
    """Undo the events of a settled world from number `n` on; `reason` is for its feed of changes. CallLogTruncated."""
    world.before_loss()
    log = world.event_log
    undone = list(log.newest_first(n))
    state_before = _plan_state_before(app, world, undone, n)
    if log.write is not None:
        log.write(world.id, InputsUndone(n))
    state = state_before()
    _forget(world, undone)
    checkpoints, change_n = len(log.checkpoints), log.change_before(n)
    log.truncate(n)
    if len(log.checkpoints) < checkpoints:
        world.runtime.checkpoint_at = 0  # write others soon, or the next start goes further back
    busy_keys = {key: busy for key, busy in world.calls.busy_keys.items() if busy.call < n}
    world.replace_state(state)
    world.note_rewind(change_n, reason)
    world.calls.busy_keys.update(busy_keys)
    for call in [call for call in world.calls.suspended if call >= n]:
        del world.calls.suspended[call]


def _forget(world: World, undone: Sequence[Undone]) -> None:
    """Remove what was undone from the call log and the snapshots."""
    records = (segment.outcomes[event.n].entry for segment, event in undone if event.n in segment.outcomes)
    seqs = [record.seq for record in records if record is not None]
    if seqs:
        world.calls.log.truncate(min(seqs))
    for _, event in undone:
        if isinstance(event, SnapshotSaved | SnapshotDeleted):
            world.snapshots.take_back(event.name, event.n)


def _plan_state_before(app: WsgiApp, world: World, undone: Sequence[Undone], n: int) -> Callable[[], State]:
    """The function that makes the state before event `n`. It cannot fail: CallLogTruncated is raised here.

    What changed since is taken back. Where that is not kept any more, the events before `n` are replayed.
    """
    log = world.event_log
    world.keep_undo_log()
    undo_log = log.undo_log_since(n) if undone else None
    at_ms: int | None = getattr(undone[-1][1], "at_ms", None) if undone else None  # a running clock went on to it
    if undo_log is not None:
        return lambda: _at(_take_back(world.state, undo_log), at_ms)
    computed = _state_before(app, world, n)
    computed.take_undo_log()
    log.known_from = n
    return lambda: _at(computed, at_ms)


def _take_back(state: State, undo_log: Iterable[Undo | State]) -> State:
    """Apply undo entries, the newest first; the state before them. The cost is that of the writes they take back."""
    for entry in undo_log:
        if isinstance(entry, State):
            entry.outbox.clear()  # what is in flight in it is sent again
            state = entry.share()  # forks may keep it too
        else:
            state.revert(entry)
    return state


def _at(state: State, at_ms: int | None) -> State:
    if at_ms is not None:
        state.now_ms = at_ms
    return state


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
    suspending = events_that_suspend(event for _, event in entries)
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


def _truncated(world: World) -> CallLogTruncated:
    return CallLogTruncated(
        f"the first {world.event_log.dropped} events of world {world.id} were dropped to make room: its state "
        "cannot be computed again from its start, nor from a snapshot that was restored since"
    )
