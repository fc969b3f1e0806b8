"""The clock: reading it, setting its rate, advancing it, and listing what is due next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.control.body_check import suggest_allowed
from giftsim.control.handlers.worlds import read_rate
from giftsim.control.instants import read_duration, read_instant
from giftsim.control.pagination import numbered, page
from giftsim.control.problem import Ambiguous
from giftsim.control.views import clock as views
from giftsim.control.views.world import clock
from giftsim.control.world_access import catch_up_and_send, current_state
from giftsim.gateway.call import Call, Handler, Response
from giftsim.gateway.problem import InvalidBody
from giftsim.kernel.state import State
from giftsim.kernel.timer import Timer
from giftsim.webhooks.fan_out import HOURLY_RUN_TIMER, next_run
from giftsim.webhooks.phases import HOURLY_RUN_PHASE
from giftsim.webhooks.receiver import RECEIVER, without_network
from giftsim.worlds import advance
from giftsim.worlds.settled import settled
from giftsim.worlds.world import World

GoalOf = Callable[[State], advance.Goal]
GOALS = ("by", "to", "until")


def get_clock(call: Call) -> Response:
    """Read the clock."""
    with current_state(call.world) as state:
        return Response(200, clock(state, advancing=call.world.advancing))


def set_clock(call: Call) -> Response:
    """Set the rate of the clock from the current instant on."""
    rate, world = read_rate(call.body), call.world
    catch_up_and_send(world)
    with settled(world) as state:
        world.catch_up()
        world.set_rate(rate)
        body = clock(state, advancing=False)
    call.registry.runtime.wake_ticker()
    return Response(200, body)


def advance_clock(call: Call) -> Response:
    """Advance the clock. A dry run advances a copy of the world that makes no network calls."""
    goal_of = read_goal(call.body)
    catch_up_and_send(call.world)
    world = dry_run_copy(call.world) if call.body.get("dry_run") else call.world
    start = views.Start()

    def begin(state: State) -> advance.Goal:
        nonlocal start
        start = views.Start.of(state)
        return goal_of(state)

    report = advance.advance(world, begin, call.body.get("max_events", advance.MAX_EVENTS))
    call.registry.runtime.wake_ticker()
    with world.locked() as state:
        dry_run = world is not call.world
        return Response(200, views.advance(state, report, start, dry_run=dry_run, fired=call.query["fired"]))


def cancel_advance(call: Call) -> Response:
    """Let the advance under way end after the timer that fires now. Its own answer says how far it came."""
    advance.cancel(call.world)
    return Response(202, {"canceled": True})


def list_timers(call: Call) -> Response:
    """List what is due next, with the hourly run of webhooks, which has a timer only if an event waits for it."""
    upto = (call.query.get("after") or 0) + call.query["limit"] + 1
    with current_state(call.world) as state:
        soonest = list(_with_hourly_run(state, state.timers.soonest(upto)))
        return page(call, "timers", numbered(soonest), lambda timer: views.timer(state, timer))


def read_goal(body: Mapping[str, Any]) -> GoalOf:
    """A function that gives the goal of an advance when it begins. Ambiguous unless exactly one is named."""
    named = [name for name in GOALS if name in body]
    if len(named) != 1:
        raise Ambiguous(f"an advance needs exactly one of by, to or until; this body has {', '.join(named) or 'none'}")
    if named[0] == "by":
        duration_ms = read_duration("by", body["by"])
        return lambda state: advance.goal_at(state, state.now_ms + duration_ms)
    if named[0] == "to":
        to_ms = read_instant("to", body["to"])
        return lambda state: advance.goal_at(state, to_ms)
    if body["until"] == "next":
        return lambda state: advance.Goal(advance.next_due(state))
    if body["until"] == "idle":
        return lambda _: advance.Goal(None)
    raise InvalidBody(f"until: unknown goal {body['until'][:60]!r}; {suggest_allowed(body['until'], ('next', 'idle'))}")


def dry_run_copy(world: World) -> World:
    """A copy of the world with a stopped clock and without network: forwarding receivers answer 200."""
    with settled(world) as state:
        copy = state.share()
    copy.rate = 0.0
    with copy.transaction():
        for receiver in list(copy[RECEIVER]):
            copy[RECEIVER].put(without_network(receiver))
    return World(world.id, world.config, copy, world.runtime)


def _with_hourly_run(state: State, soonest: list[Timer]) -> Iterator[Timer]:
    run = Timer(
        next_run(state, state.now_ms, inclusive=False),
        HOURLY_RUN_PHASE,
        0,
        "webhooks",
        0,
        HOURLY_RUN_TIMER,
        "the hourly run",
    )
    included = any(timer.kind == HOURLY_RUN_TIMER for timer in soonest)
    for timer in soonest:
        if not included and (run.due_ms, run.phase) < (timer.due_ms, timer.phase):
            included = True
            yield run
        yield timer
    if not included:
        yield run


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "getClock": get_clock,
        "setClock": set_clock,
        "advanceClock": advance_clock,
        "cancelAdvance": cancel_advance,
        "listTimers": list_timers,
    }
)
