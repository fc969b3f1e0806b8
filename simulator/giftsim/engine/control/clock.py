"""The clock of a world and its timers, as JSON, and the calls that set, advance and preview time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from giftsim.engine.control.body_check import read_duration, read_instant, suggest_allowed
from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.pagination import number_rows, respond_with_page
from giftsim.engine.control.world_access import catch_up_and_send, current_state
from giftsim.engine.control.worlds import clock_view, read_rate
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.own_kinds import owner_ref, timer_ref
from giftsim.engine.gateway.problem import InvalidBody
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.gateway.simulated_service import Service, service_of
from giftsim.engine.kernel.garbage_collection import without_garbage_collection
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.webhooks.attempt import ATTEMPT, Attempt
from giftsim.engine.webhooks.delivery import HOURLY_RUN_PHASE
from giftsim.engine.webhooks.endpoint import ENDPOINT
from giftsim.engine.webhooks.event import EVENT, PING_SUBJECT
from giftsim.engine.webhooks.fan_out import HOURLY_RUN_OWNER, HOURLY_RUN_TIMER, next_run
from giftsim.engine.webhooks.receiver import RECEIVER, for_dry_run
from giftsim.engine.worlds import advance
from giftsim.engine.worlds.advance import MAX_LISTED, AdvanceReport, next_due, subject_label
from giftsim.engine.worlds.app_stops import AppStops
from giftsim.engine.worlds.world import World

R = TypeVar("R", bound=Record)
MAX_OUTPUTS = 100  # of a kind


def timer_view(state: State, timer: Timer) -> dict[str, Any]:
    """A timer: when it is due, its kind, its subject and why it exists."""
    return {
        "due": format_instant(timer.due_ms),
        "kind": timer.kind,
        "subject": subject_label(state, timer),
        "about": timer_ref(state, timer),
        "because": timer.because,
    }


def advance_view(
    service: Service, world: World, report: AdvanceReport, *, dry_run: bool, fired: bool
) -> dict[str, Any]:
    """The result of an advance, with the list of timers if `fired`. Lists are cut, counts are not."""
    state = world.state
    attempts = list(filter(None, _added(state, report, ATTEMPT)))
    events = Counter(event.kind for event in _added(state, report, EVENT) if event and event.subject != PING_SUBJECT)
    return {
        "from": format_instant(report.from_ms),
        "to": format_instant(report.to_ms),
        **({"fired": report.listed} if fired else {}),
        "fired_count": report.count,
        "fired_by_kind": dict(sorted(report.count_by_kind.items())),
        "hourly_runs": report.hourly_runs,
        "changed": [{**change, "about": _about(state, *key)} for key, change in report.changed.items()],
        "events_by_type": dict(sorted(events.items())),
        "deliveries": [attempt_summary(state, row) for row in attempts[:MAX_LISTED]],
        "delivery_count": len(attempts),
        **_sent(service, state, report),
        "next_due": format_instant(next_due(state)),
        "slow": [
            {"host": host, "cost_s": round(cost_s, 3)}
            for host, cost_s in sorted(report.cost_s.items(), key=lambda item: (-item[1], item[0]))
        ],
        **({} if dry_run else _app_clock(world, report)),
        "canceled": report.canceled,
        "dry_run": dry_run,
    }


def _app_clock(world: World, report: AdvanceReport) -> dict[str, Any]:
    """What an advance showed to the app, if the clock of one follows a world."""
    stops = report.stops
    if stops is not None:
        return {"app_clock": {"shown": stops.shown, "asked_for": stops.asked_for, "problems": stops.problems}}
    if world.runtime.followed is None:
        return {}
    return {"app_clock": {"shown": 0, "asked_for": 0, "problems": [AppStops.missed(world)]}}


def _added(state: State, report: AdvanceReport, spec: TableSpec[R]) -> list[R | None]:
    """The rows that an advance added to a table; None for those that were dropped since."""
    place, rows = report.tables.index(spec), state[spec].rows
    return [row for first, end in report.added for row in rows[first[place] : end[place]]]


def _about(state: State, owner: str, subject: int) -> Ref | None:
    try:
        return owner_ref(state, owner, subject)
    except LookupError:  # it was dropped since
        return None


def _sent(service: Service, state: State, report: AdvanceReport) -> dict[str, Any]:
    """What was sent other than by webhooks, without what differs on the copy that a dry run advances."""
    members: dict[str, Any] = {"mail": [], "mail_count": 0}
    for output in service.outputs:
        rows = _added(state, report, output.kind.table)
        members[output.name] = [output.view(row) for row in islice(filter(None, rows), MAX_OUTPUTS)]
        members[f"{output.name}_count"] = len(rows)
    return members


def attempt_summary(state: State, attempt: Attempt) -> dict[str, Any]:
    """An attempt without its request."""
    return {
        "seq": attempt.seq,
        "at": format_instant(attempt.at_ms),
        "event_id": state[EVENT].get(attempt.event).id,
        "type": attempt.kind,
        "url": state[ENDPOINT].get(attempt.endpoint).url,
        "attempt": attempt.number,
        "outcome": attempt.outcome,
        "status": attempt.status,
    }


GoalOf = Callable[[State], advance.Goal]
GOALS = ("by", "to", "until")


def get_clock(call: Call) -> Response:
    """Read the clock."""
    with current_state(call.world) as state:
        return Response(200, clock_view(state, advancing=call.world.clock.advancing))


def set_clock(call: Call) -> Response:
    """Set the rate of the clock from the current instant on."""
    rate, world = read_rate(call.body), call.world
    catch_up_and_send(world)
    with world.settled() as state:
        world.clock.catch_up()
        world.clock.set_rate(rate)
        body = clock_view(state, advancing=False)
    world.show_app()
    call.registry.runtime.wake_ticker()
    return Response(200, body)


def advance_clock(call: Call) -> Response:
    """Advance the clock. A dry run advances a copy of the world that makes no network calls, up to `max_events`."""
    goal_of, dry_run = read_goal(call.body), call.body.get("dry_run", False)
    catch_up_and_send(call.world)
    if not dry_run:
        return _advance(call, call.world, goal_of, dry_run=False)
    with without_garbage_collection():  # which would look through the copy's lists of records, entry by entry
        return _advance(call, dry_run_copy(call.world), goal_of, dry_run=True)


def _advance(call: Call, world: World, goal_of: GoalOf, *, dry_run: bool) -> Response:
    fired, max_events = call.query["fired"], call.body.get("max_events", advance.MAX_EVENTS)
    service, body = service_of(world.state), dict[str, Any]()

    def tell(_state: State, report: AdvanceReport) -> None:
        body.update(advance_view(service, world, report, dry_run=dry_run, fired=fired))

    advance.advance(
        world,
        goal_of,
        max_events,
        at_end=tell,
        tables=(ATTEMPT, EVENT, *service.output_tables),
        lists=fired,
        cuts=dry_run,
    )
    call.registry.runtime.wake_ticker()
    return Response(200, body)


def cancel_advance(call: Call) -> Response:
    """End the running advance after the timer that is firing. Its response says how far it got."""
    call.world.clock.cancel_advance()
    return Response(202, {"canceled": True})


def list_timers(call: Call) -> Response:
    """List what is due next, with the hourly run of webhooks, which has a timer only if an event waits for it."""
    upto = (call.query.get("after") or 0) + call.query["limit"] + 1
    with current_state(call.world) as state:
        soonest = list(_with_hourly_run(state, state.timers.soonest(upto)))
        return respond_with_page(call, "timers", number_rows(soonest), lambda timer: timer_view(state, timer))


def read_goal(body: Mapping[str, Any]) -> GoalOf:
    """A function that returns the goal of an advance when it starts. Ambiguous unless the body names exactly one."""
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
    with world.settled() as state:
        copy = state.share()
    copy.rate = 0.0
    with copy.transaction():
        for receiver in list(copy[RECEIVER]):
            copy[RECEIVER].put(for_dry_run(receiver))
    return World(world.id, world.config, copy, world.runtime)


def _with_hourly_run(state: State, soonest: list[Timer]) -> Iterator[Timer]:
    run = Timer(
        next_run(state, state.now_ms, inclusive=False),
        HOURLY_RUN_PHASE,
        0,
        HOURLY_RUN_OWNER,
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
