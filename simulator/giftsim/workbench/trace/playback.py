"""A world's event log applied again, moment by moment: each call, verb and fired timer with what it changed.

Replay is deterministic, so a trace needs nothing that the event log lacks: tracing costs a world nothing while it
runs, and its whole price is paid here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from giftsim.engine.gateway.wsgi_app import WsgiApp
from giftsim.engine.kernel.state import State, UndoLog
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.log.inputs import AnyInput, SnapshotRestored, TimePassed, WorldReset
from giftsim.engine.log.log import EventLog
from giftsim.engine.log.segment import CallOutcome, Segment
from giftsim.engine.replay.apply import Replayer, ReplayMismatch, events_that_suspend
from giftsim.engine.worlds.world import World


class Input(NamedTuple):
    """An event of the log, with the id of the world that it belongs to and the outcome of a call."""

    world_id: str
    event: AnyInput
    outcome: CallOutcome | None


class Moment(NamedTuple):
    """One thing that happened: an event, or a timer that fired in it.

    `written` are the undo entries of what it changed, None if there were too many to keep. Where it put another state
    in place, `former` is the one before.
    """

    input: Input
    timer: Timer | None
    written: UndoLog | None
    former: State | None = None


class Log(msgspec.Struct, frozen=True):
    """The events that lead from a known state to the present one; `start` is None where they begin with the world.

    `dropped` counts the events before, which are not kept.
    """

    inputs: Sequence[Input]
    start: State | None
    dropped: int


def read_log(log: EventLog) -> Log:
    """All events that can be applied again. The caller holds the world's lock."""
    segments = log.segments
    first = max((i for i, segment in enumerate(segments) if segment.detached), default=0)
    start = segments[first].base
    if start is None and (first or log.dropped):
        known = (i for i, segment in enumerate(segments) if i > first and segment.base is not None)
        first = next(known, len(segments))
        start = segments[first].base if first < len(segments) else None
    inputs = [
        Input(segment.world_id, event, segment.outcomes.get(event.n))
        for segment in segments[first:]
        for event in segment.events
    ]
    dropped = segments[first].first_n - 1 if first < len(segments) else log.next_n - 1
    return Log(inputs, None if start is None else start.share(), dropped)


class Playback:
    """A private copy of a world that is replayed moment by moment. `state` is the state after the last one replayed."""

    def __init__(self, app: WsgiApp, world: World, log: Log) -> None:
        self._log, self._registry = log, app.registry.copy_empty()
        self._app = app.with_registry(self._registry)
        start = log.start.share() if log.start is not None else app.registry.initial_state(world.config)
        self._world = World(world.id, world.config, start, self._registry.runtime)
        self._world.initial_state = world.initial_state
        self._world.event_log.replace_segments([Segment(world.id, log.inputs[0].event.n if log.inputs else 1)])

    @property
    def state(self) -> State:
        """The state after the last moment."""
        return self._world.state

    def moments(self) -> Iterator[Moment]:
        """Apply every event, and yield each moment while `state` is the one after it. ReplayMismatch."""
        world = self._world
        suspending = events_that_suspend(each.event for each in self._log.inputs)
        world.state.take_undo_log()
        with Replayer(self._app) as replayer:
            for each in self._log.inputs:
                world.id = each.world_id
                self._registry.worlds = {world.id: world}
                if isinstance(each.event, TimePassed):
                    yield from self._timers(each, each.event)
                    continue
                former = world.state if isinstance(each.event, SnapshotRestored | WorldReset) else None
                replayer.apply(world, each.event, suspends=each.event.n in suspending)
                yield Moment(each, None, self._written(each.event.n), former)

    def _written(self, n: int) -> UndoLog | None:
        """The undo entries since event `n`. The log has those from before a call released its lock."""
        log, rest = self._world.event_log, self._world.state.take_undo_log()
        if rest is None or log.known_from > n:
            return None
        kept = (entries for segment in log.segments for after, entries in segment.undo_logs.items() if after >= n)
        return [*(entry for entries in kept for entry in entries), *rest]

    def _timers(self, each: Input, event: TimePassed) -> Iterator[Moment]:
        """The timers of an event fire one by one; then the event itself, when time has passed."""
        world = self._world
        for _ in range(event.fired):
            timer = world.state.timers.peek()
            if timer is None:
                raise ReplayMismatch(f"event {event.n} of world {world.id} fires a timer, and none is due")
            world.state.fire(timer)
            world.state.outbox.clear()
            yield Moment(each, timer, world.state.take_undo_log())
        world.state.now_ms = max(world.state.now_ms, event.to_ms)
        world.add_event(event)
        yield Moment(each, None, world.state.take_undo_log())


def former_states(app: WsgiApp, world: World) -> dict[int, State]:
    """The states that restores and resets replaced, by the number of the event, from a log that begins with the world.

    ReplayMismatch.
    """
    segments = world.event_log.segments
    inputs = [Input(segment.world_id, event, None) for segment in segments for event in segment.events]
    moments = Playback(app, world, Log(inputs, segments[0].base, 0)).moments()
    return {moment.input.event.n: moment.former for moment in moments if moment.former is not None}
