"""Undo: return to the state before the last client writes, or to the state after a change of the feed (G40).

Events that a restart has dropped from memory are read again from the journal file when an undo needs them (G77).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from giftsim.engine.gateway.wsgi_app import WsgiApp
from giftsim.engine.kernel.state import Definitions
from giftsim.engine.log.inputs import (
    AnyInput,
    CallAbandoned,
    CallResumed,
    CallSuspended,
    ClientCall,
    ClockRateSet,
    ControlCall,
    SnapshotDeleted,
    SnapshotRestored,
    SnapshotSaved,
    TimePassed,
)
from giftsim.engine.log.journal_contents import Unreadable
from giftsim.engine.log.journal_file import JournalFile
from giftsim.engine.log.log import EventLog
from giftsim.engine.log.segment import Segment
from giftsim.engine.replay.apply import Replayer
from giftsim.engine.replay.recover import Selection, replay_lines
from giftsim.engine.replay.truncate import undo_events
from giftsim.engine.worlds.taken_away import Stretch
from giftsim.engine.worlds.world import World
from giftsim.engine.worlds.world_errors import NothingToUndo


class Done(NamedTuple):
    """An action on a world from outside, at the instant `at_ms`. The time of an advance went on to `to_ms`."""

    segment: Segment
    event: AnyInput
    at_ms: int
    to_ms: int


class Undone(NamedTuple):
    """The client writes that were undone, newest first, and the instant to which the world went back, in ms."""

    writes: list[ClientCall]
    now_ms: int


def undo_writes(app: WsgiApp, world: World, count: int) -> Undone:
    """Undo the last `count` calls that changed any record, and everything after them. NothingToUndo.

    Callers of the world wait meanwhile.
    """
    reach_back(app, world, lambda: sum(1 for _ in islice(_client_writes(world), count)) == count)
    with world.settled():
        writes = list(islice(_client_writes(world), count))
        if len(writes) < count:
            raise NothingToUndo(f"world {world.id} has {len(writes)} client writes to undo, not {count}")
        _take_away(app, world, writes[-1].n, "client calls were undone")
        undone = Undone(writes, world.state.now_ms)
    world.deliveries.send_in_background()
    return undone


def undo_to(app: WsgiApp, world: World, change_n: int, again_ms: int = 0) -> Undone:
    """Undo everything after change `change_n` of the feed.

    What happened in one step is undone in one. A redo stays possible while time passes again, up to `again_ms`.
    NothingToUndo.
    """
    reach_back(app, world, lambda: world.event_log.change_before(world.event_log.segments[0].first_n) <= change_n)
    with world.settled():
        n = _first_event_after(world, change_n)
        writes = list(writes_since(world.event_log, n))
        _take_away(app, world, n, f"everything after change {change_n} was undone", again_ms)
        undone = Undone(writes, world.state.now_ms)
    world.deliveries.send_in_background()
    return undone


def undo_inputs_from(app: WsgiApp, world: World, n: int, reason: str) -> None:
    """Undo input `n` of a settled world and all later ones; `reason` is for its feed. The caller sends the outbox."""
    undo_events(app, world, n, reason)
    settle_calls(world)


def _take_away(app: WsgiApp, world: World, n: int, reason: str, again_ms: int = 0) -> None:
    """Undo the events of a settled world from number `n` on, and keep them for a redo."""
    stretch = _cut(world, n)
    undo_events(app, world, n, reason)
    stretch.told_n = world.changes.last_n
    settle_calls(world)
    if stretch.is_whole:
        world.taken_away.keep(stretch, world.event_log, again_ms)
    else:
        world.taken_away.forget()


def _cut(world: World, n: int) -> Stretch:
    """The events of a settled world from number `n` on, with the world as it is."""
    world.before_loss()
    world.clock.log_time()
    world.keep_undo_log()
    world.taken_away.forget_if_new(world.event_log)
    return Stretch(
        n,
        world.event_log.kept(),
        world.state.share(),
        world.calls.log.kept(),
        world.snapshots.kept(),
        world.changes.since(world.event_log.change_before(n)),
    )


def undoable_actions(world: World) -> Iterator[Done]:
    """What was done to a world, newest first: client writes, control calls that succeeded, advances, rates of the
    clock, and snapshots that were saved, deleted or restored. The caller holds the world's lock.
    """
    return actions_since(world.event_log, world.event_log.floor_n)


def actions_since(log: EventLog, n: int) -> Iterator[Done]:
    """Those of `undoable_actions` in a log that are events from number `n` on."""
    to_ms = None  # where the time that passed since the last advance began has come
    for segment, event in log.newest_first(n):
        match event:
            case ClientCall():  # first, because most events are calls
                if (outcome := segment.outcomes.get(event.n)) is not None and outcome.wrote:
                    yield Done(segment, event, event.at_ms, event.at_ms)
            case TimePassed():
                to_ms = event.to_ms if to_ms is None else to_ms
                if event.from_ms is not None:
                    yield Done(segment, event, event.from_ms, to_ms)
                    to_ms = None
            case ControlCall():
                if event.n not in segment.outcomes:
                    yield Done(segment, event, event.at_ms, event.at_ms)
            case ClockRateSet() | SnapshotSaved() | SnapshotDeleted() | SnapshotRestored():
                yield Done(segment, event, event.at_ms, event.at_ms)


def undoable_writes(world: World) -> Iterator[Done]:
    """The client calls among `undoable_actions`: those that changed any record."""
    return (done for done in undoable_actions(world) if isinstance(done.event, ClientCall))


def writes_since(log: EventLog, n: int) -> Iterator[ClientCall]:
    """The client writes among the events of a log from number `n` on, newest first."""
    return (done.event for done in actions_since(log, n) if isinstance(done.event, ClientCall))


def _client_writes(world: World) -> Iterator[ClientCall]:
    return writes_since(world.event_log, world.event_log.floor_n)


def _first_event_after(world: World, change_n: int) -> int:
    """The number of the first event after a change. NothingToUndo if the log does not say which it is."""
    log, n = world.event_log, world.event_log.next_n
    for _, event in log.newest_first(log.floor_n):
        if log.change_before(event.n) < change_n:
            break
        n = event.n
    if n == log.next_n:
        raise NothingToUndo(f"nothing has happened in world {world.id} after change {change_n}")
    is_whole = n == log.first_n or n > log.segments[0].first_n  # no event between the change and `n` was dropped
    reaches = is_whole and world.changes.is_listed(change_n)
    if log.change_before(n) != change_n and not reaches:
        raise NothingToUndo(f"world {world.id} cannot return to change {change_n}: it was undone, or is too long ago")
    return n


def settle_calls(world: World) -> None:
    """After an undo or a redo: end the calls whose end was undone, and send again what was in flight."""
    for call in _calls_without_end(world):
        world.add_event(CallAbandoned(call=call))
    world.deliveries.requeue_unsent()


def _calls_without_end(world: World) -> list[int]:
    """The calls that the event log has as suspended and the world has not, because their end was undone."""
    suspended: dict[int, None] = {}
    for _, event in world.event_log.all():
        if isinstance(event, CallSuspended):
            suspended[event.call] = None
        elif isinstance(event, CallResumed | CallAbandoned):
            suspended.pop(event.call, None)
    return [call for call in suspended if call not in world.calls.suspended]


def reach_back(app: WsgiApp, world: World, is_enough: Callable[[], bool]) -> None:
    """Let the event log of a world reach further back, to one checkpoint after another, until it `is_enough`.

    The log ends where memory or the journal file does. `is_enough` is called with the lock. WorldGone.
    """
    while True:
        with world.locked() as state:
            checkpoint, definitions = world.event_log.earlier, state.definitions
            file = world.runtime.journal_file
            if checkpoint is None or file is None or is_enough():
                return
        try:
            with world.runtime.lend_thread():
                earlier = _world_before(app, definitions, file, *checkpoint)
        except Unreadable as error:  # the fixture has changed since the start, say
            world.runtime.log_bug(f"for the events before the last start of world {world.id}", error)
            earlier = None
        with world.locked():
            if world.event_log.earlier != checkpoint:
                continue  # another call was faster
            if earlier is None:
                world.event_log.forget_earlier()
            else:
                if checkpoint[0] == world.id:  # a fork has no snapshots of its parent
                    world.snapshots.bring_back(earlier.snapshots, world.event_log.dropped + 1)
                world.event_log.prepend(earlier.event_log)


def _world_before(app: WsgiApp, definitions: Definitions, file: JournalFile, world_id: str, at: int) -> World:
    """A private copy of a world, from one checkpoint to the next, in the line at byte `at`.

    Unreadable.
    """
    scratch = app.with_registry(app.registry.copy_empty())
    with Replayer(scratch) as replayer:
        replay_lines(scratch, definitions, replayer, Selection(file.read_until(at), only=world_id))
        world = scratch.registry.worlds[world_id]
        world.keep_undo_log()
    return world
