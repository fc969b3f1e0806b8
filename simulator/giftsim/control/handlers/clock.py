"""The clock: read, paced and advanced; what is due next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.control.body_check import hint
from giftsim.control.handlers.worlds import read_rate
from giftsim.control.instants import instant, span
from giftsim.control.pagination import numbered, page
from giftsim.control.problem import Ambiguous
from giftsim.control.views import clock as views
from giftsim.control.views.world import clock
from giftsim.control.world_access import flush, present
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.state import State
from giftsim.kernel.timer import Timer
from giftsim.webhooks.attempt import ATTEMPT
from giftsim.webhooks.fan_out import HOURLY_RUN_TIMER, next_run
from giftsim.webhooks.phases import HOURLY_RUN_PHASE
from giftsim.webhooks.receiver import RECEIVER, without_network
from giftsim.worlds import advance
from giftsim.worlds.advance_report import AdvanceReport
from giftsim.worlds.settled import settled
from giftsim.worlds.world import World

GoalOf = Callable[[State], advance.Goal]
GOALS = ("by", "to", "until")


def get_clock(call: Call) -> Response:
    """What the clock shows."""
    with present(call.world) as state:
        return Response(200, clock(state))


def set_clock(call: Call) -> Response:
    """Another pace from the present instant on."""
    rate, world = read_rate(call.body), call.world
    flush(world)
    with settled(world) as state:
        world.catch_up()
        world.set_rate(rate)
        shown = clock(state)
    call.registry.runtime.wake_ticker()
    return Response(200, shown)


def advance_clock(call: Call) -> Response:
    """Let time pass; a dry run does so on a copy that reaches nobody."""
    goal_of = read_goal(call.body)
    flush(call.world)
    world = rehearsal(call.world) if call.body.get("dry_run") else call.world
    first = 0

    def begin(state: State) -> advance.Goal:
        nonlocal first
        first = state[ATTEMPT].next_n
        return goal_of(state)

    trace = advance.advance(world, begin, call.body.get("max_events", advance.MAX_EVENTS))
    call.registry.runtime.wake_ticker()
    return Response(200, _told(call, world, trace, first))


def list_timers(call: Call) -> Response:
    """What is due next; the hourly run is among it, though it has a timer only when something waits for it."""
    upto = (call.query.get("after") or 0) + call.query["limit"] + 1
    with present(call.world) as state:
        soonest = list(_with_hourly_run(state, state.timers.soonest(upto)))
        return page(call, "timers", numbered(soonest), lambda timer: views.timer(state, timer))


def read_goal(body: Mapping[str, Any]) -> GoalOf:
    """Where an advance goes, decided once the world is quiet; Ambiguous unless exactly one goal is named."""
    named = [name for name in GOALS if name in body]
    if len(named) != 1:
        raise Ambiguous(f"an advance goes one of by, to or until; this body names {', '.join(named) or 'none'}")
    if named[0] == "by":
        span_ms = span("by", body["by"])
        return lambda state: advance.goal_at(state, state.now_ms + span_ms)
    if named[0] == "to":
        to_ms = instant("to", body["to"])
        return lambda state: advance.goal_at(state, to_ms)
    if body["until"] == "next":
        return lambda state: advance.Goal(advance.next_due(state))
    if body["until"] == "idle":
        return lambda _: advance.Goal(None)
    raise Ambiguous(f"until: unknown goal {body['until'][:60]!r}; {hint(body['until'], ('next', 'idle'))}")


def rehearsal(world: World) -> World:
    """A copy of the world that nobody can reach, whose forwarded receivers take everything with 200."""
    with settled(world) as state:
        twin = state.share()
    twin.rate = 0.0
    with twin.transaction():
        for receiver in list(twin[RECEIVER]):
            twin[RECEIVER].put(without_network(receiver))
    return World(world.id, world.config, twin, world.runtime)


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
    shown = any(timer.kind == HOURLY_RUN_TIMER for timer in soonest)
    for timer in soonest:
        if not shown and (run.due_ms, run.phase) < (timer.due_ms, timer.phase):
            shown = True
            yield run
        yield timer
    if not shown:
        yield run


def _told(call: Call, world: World, trace: AdvanceReport, first: int) -> dict[str, Any]:
    with world.locked() as state:
        attempts = [row for n in range(first, state[ATTEMPT].next_n) if (row := state[ATTEMPT].at(n))]
        made = [row for row in attempts if row.at_ms <= trace.to_ms]
        return views.advance(state, trace, made, dry_run=world is not call.world)


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "getClock": get_clock,
        "setClock": set_clock,
        "advanceClock": advance_clock,
        "listTimers": list_timers,
    }
)
