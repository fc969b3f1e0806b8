"""A world as it was after an entry of a trace: its recording played so far, and what came later taken back.

A recording does not number the entries of a trace. Both have the same calls, verbs, fired timers and snapshots in the
same order, so the place of an entry is the number of these up to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from giftsim.engine.client.control import Control
from giftsim.engine.client.response import Client
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.gateway.wsgi_app import WsgiApp
from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.log import inputs
from giftsim.engine.log.inputs import AnyInput, WorldConfig
from giftsim.engine.log.log import EventLog
from giftsim.engine.problem import Problem
from giftsim.engine.replay.undo import undo_inputs_from
from giftsim.engine.worlds.changes import TIMER
from giftsim.engine.worlds.registry import DEFAULT, START_MS
from giftsim.engine.worlds.world import World
from giftsim.workbench.scenario.compiled_scenario import Scenario
from giftsim.workbench.scenario.compiler import load_scenario
from giftsim.workbench.scenario.runner import ScenarioRun
from giftsim.workbench.scenario.simulator_checks import check_scenario
from giftsim.workbench.scenario.world_client import WorldClient
from giftsim.workbench.scenario.yaml_source import LARGE_LIMITS, RECORDING_LIMITS
from giftsim.workbench.trace.file import NONE, Entry, UnreadableTrace, read_parts

MOST_DETAIL: Final = 600  # characters of the first difference
FILE: Final = "the recording of the trace"
_RECEIVERS: Final = "/receivers"
_FIXTURE: Final = re.compile(r"[A-Za-z0-9_-]{1,60}")
_PING: Final = re.compile(r"/webhooks/[^/]+/test", re.ASCII)
_SNAPSHOTS: Final = (inputs.SnapshotSaved, inputs.SnapshotDeleted, inputs.SnapshotRestored)


class InvalidTrace(Problem, status=400, code="invalid_trace"):
    """The text is not a trace, one of a later version, one without a recording, or it has no such entry."""


class TraceDiffers(Problem, status=409, code="trace_differs"):
    """Playing the recording of the trace did not give the recorded responses."""


class Place:
    """The place of an entry: `items` counts calls, verbs, timers and snapshots up to it, `receivers` those set since.

    `is_last` says that no entry follows, so that time moves to the end of the trace.
    """

    def __init__(self, entries: list[Entry], at: int) -> None:
        self.is_last = at == len(entries)
        self.items = self.receivers = 0
        for entry in entries[:at]:
            if _is_receiver(entry):
                self.receivers += 1
            elif _counts(entries, entry):
                self.items += 1
                self.receivers = 0


class Trace(NamedTuple):
    """A trace's entries, and its recording as a scenario."""

    entries: list[Entry]
    scenario: Scenario


def read_trace(text: str | bytes, *, large: bool = False) -> Trace:
    """A trace that has a recording. InvalidTrace, InvalidScenario."""
    try:
        found = read_parts(text.encode() if isinstance(text, str) else text, large=large)
    except UnreadableTrace as error:
        raise InvalidTrace(f"the trace cannot be read: {error}") from None
    try:
        recording = found.recorded()
    except UnreadableTrace as error:
        raise InvalidTrace(str(error)) from None
    found.recording = NONE
    return Trace(found.entries, load_scenario(recording, FILE, limits=LARGE_LIMITS if large else RECORDING_LIMITS))


def config_of(scenario: Scenario) -> WorldConfig:
    """The config of the world that a recording begins with. InvalidTrace if its fixture is a file."""
    if isinstance(scenario.fixture, str) and not _FIXTURE.fullmatch(scenario.fixture):
        raise InvalidTrace(f"{scenario.fixture[:60]!r} is not the name of a fixture")
    now_ms = START_MS if scenario.now is None else parse_instant(scenario.now)
    fixture = scenario.fixture if isinstance(scenario.fixture, str) else dict(scenario.fixture)
    return WorldConfig(fixture, scenario.seed, now_ms, 0.0, dict(scenario.settings))


def resume(app: WsgiApp, client: Client, trace: Trace, at: int | None, make: Callable[[WorldConfig], World]) -> World:
    """The world after entry `at` of a trace, by default after the last. `make` makes the world that it begins with.

    InvalidTrace; TraceDiffers, and then the world was deleted again, unless it is the default one.
    """
    entries, scenario = trace
    if at is not None and not 1 <= at <= len(entries):
        raise InvalidTrace(f"at: the trace has the entries 1 to {len(entries)}, not {at}")
    place = Place(entries, len(entries) if at is None else at)
    check_scenario(scenario, client)
    world = make(config_of(scenario))
    try:
        description = ClientWorld(Control(client), world.id).send("GET")
        _play(ScenarioRun(scenario, client, world=WorldClient(client, description)), world, place)
        if not place.is_last:
            _take_back(app, world, place)
    except Problem:
        if world.id != DEFAULT:
            app.registry.delete(world)
        raise
    return world


def _play(run: ScenarioRun, world: World, place: Place) -> None:
    """Play the recording until it has that many items. TraceDiffers."""
    seen = items = 0
    receivers = place.receivers
    while not run.over:
        if not place.is_last and items >= place.items:
            if not receivers or run.scenario.steps[run.played].kind != "receiver":
                break
            receivers -= 1
        run.play_step()
        with world.locked():
            items += sum(count for _, count in _items(world.event_log, seen))
            seen = world.event_log.next_n
    failed = next((report for report in run.reports if report.outcome == "failed"), None)
    if failed is not None:
        raise TraceDiffers(f"playing the recording gives another world: {failed.detail[:MOST_DETAIL]}")


def _take_back(app: WsgiApp, world: World, place: Place) -> None:
    """Undo everything after a place: events, and the last timers of an advance."""
    with world.settled():
        world.clock.log_time()
        n, fired = _end(world.event_log, place)
        undo_inputs_from(app, world, n, "the world goes on from an entry of a trace")
        _fire(world, fired)
    world.deliveries.send_in_background()


def _end(log: EventLog, place: Place) -> tuple[int, int]:
    """The number of the first event to take back, and how many of the timers in it fire nevertheless."""
    items, receivers = 0, place.receivers
    last: AnyInput | None = None
    for event, count in _items(log, 0):
        if items < place.items:
            if items + count >= place.items and isinstance(event, inputs.TimePassed):
                return event.n, place.items - items
            items += count
        elif isinstance(event, inputs.CallSuspended) and isinstance(last, inputs.ClientCall):
            pass  # it belongs to the call
        elif receivers and isinstance(event, inputs.ControlCall) and event.path.startswith(_RECEIVERS):
            receivers -= 1
        else:
            return event.n, 0
        last = event
    return log.next_n, 0


def _fire(world: World, count: int) -> None:
    """Let the next timers fire, as an advance does."""
    clock, state = world.clock, world.state
    if count:
        clock.begin_time()
        clock.advance_from_ms = state.now_ms
    for _ in range(count):
        if timer := state.timers.peek():
            state.fire(timer)
            clock.fired_count += 1
            world.note(TIMER, timer)
    clock.log_time()


def _is_receiver(entry: Entry) -> bool:
    call = entry.control
    return entry.kind == "control" and call is not None and call.status is None and call.path.startswith(_RECEIVERS)


def _counts(entries: list[Entry], entry: Entry) -> bool:
    """Whether an entry is an item."""
    if entry.kind == "resumed":
        first = entry.causes[0].n if entry.causes else 0
        held = entries[first - 1].call if 0 < first <= len(entries) else None
        return held is not None and not _PING.search(held.request.path)
    if entry.kind in ("act", "fault", "control"):
        return entry.control is not None and entry.control.status is None
    return entry.kind in ("call", "claim", "timer", "snapshot")


def _items(log: EventLog, first_n: int) -> Iterator[tuple[AnyInput, int]]:
    """The events from number `first_n` on, each with the number of items that it is."""
    pings: set[int] = set()
    for segment, event in reversed(list(log.newest_first(first_n))):
        match event:
            case inputs.ClientCall():
                if _PING.search(event.path):
                    pings.add(event.n)
                yield event, 1
            case inputs.ControlCall():
                yield event, int(event.n not in segment.outcomes and not event.path.startswith(_RECEIVERS))
            case inputs.TimePassed():
                yield event, event.fired
            case inputs.CallResumed():
                yield event, int(event.call not in pings)
            case _:
                yield event, int(isinstance(event, _SNAPSHOTS))
