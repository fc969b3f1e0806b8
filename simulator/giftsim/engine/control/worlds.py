"""A world, its clock, snapshots and settings, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.engine.control.body_check import read_instant, suggest_allowed
from giftsim.engine.control.control_errors import Starting
from giftsim.engine.control.credentials import list_credentials
from giftsim.engine.control.pagination import number_rows, respond_with_page
from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import (
    catch_up_and_send,
    change_state,
    current_state,
    process_view,
    settled_state,
)
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.problem import InvalidBody
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel import errors
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.setting import Setting
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import WorldConfig
from giftsim.engine.problem import InvalidSetting
from giftsim.engine.webhooks.attempt import ATTEMPT
from giftsim.engine.webhooks.event import EVENT
from giftsim.engine.worlds import system_clock
from giftsim.engine.worlds.advance import next_due
from giftsim.engine.worlds.registry import DEFAULT, START_MS
from giftsim.engine.worlds.snapshots import Snapshot
from giftsim.engine.worlds.world import World
from giftsim.engine.worlds.world_errors import WorldGone


def world_view(world: World, state: State, prefix: str) -> dict[str, Any]:
    """A world. `state` is its state; the caller holds the world's lock."""
    origin, config, service = world.runtime.origin, world.config, service_of(state)
    return {
        "id": world.id,
        "name": world.name,
        "fixture": config.fixture if isinstance(config.fixture, str) else "inline",
        "seed": state.seed,
        "now": format_instant(state.now_ms),
        "clock": mode_and_rate(state),
        "credentials": list_credentials(state, world.id),
        "urls": {
            **{name: origin + path.replace("{w}", world.id) for name, path in service.addresses.items()},
            "control": f"{origin}{prefix}/worlds/{world.id}",
        },
        "counts": {
            **counts(state),
            "timers": len(state.timers),
            "snapshots": len(world.snapshots),
            "held": world.calls.held_count,
            "late": world.calls.delayed_count,
            "standing": sum(not held.detached for held in world.deliveries.held.unanswered)
            if not world.clock.advancing
            else 0,
        },
    }


def counts(state: State) -> dict[str, int]:
    """How many client calls, events, deliveries and records of the services there have been; 0 of what none has."""
    service = service_of(state)
    counted = {"calls": state.meters.get("calls", 0), "orders": 0}
    for name, count in service.counts.items():
        counted[name] = count(state)
    counted |= {"events": state[EVENT].next_n, "deliveries": state[ATTEMPT].next_n, "mail": 0}
    for output in service.outputs:
        counted[output.name] = state[output.kind.table].next_n
    return counted


def mode_and_rate(state: State) -> dict[str, Any]:
    """The mode of the clock, and its rate if it runs."""
    return {"mode": "running" if state.rate else "manual", "rate": state.rate or None}


def clock_view(state: State, *, advancing: bool) -> dict[str, Any]:
    """The clock: the current instant, its mode, when the next timer is due, and whether an advance is under way."""
    return {
        "now": format_instant(state.now_ms),
        **mode_and_rate(state),
        "next_due": format_instant(next_due(state)),
        "pending": len(state.timers),
        "advancing": advancing,
    }


def now_and_calls(state: State) -> dict[str, Any]:
    """The current instant and the number of client calls so far."""
    return {"now": format_instant(state.now_ms), "calls": state.meters.get("calls", 0)}


def snapshot_view(saved: Snapshot, state: State) -> dict[str, Any]:
    """A snapshot: its name, the instant and number of client calls that it was saved at, and what happened since."""
    before, after = counts(saved.state), counts(state)
    since = {name: after[name] - before[name] for name in before}
    return {"name": saved.name, **now_and_calls(saved.state), "since": since}


def settings_view(state: State) -> dict[str, Any]:
    """Every setting with its value in this world, as users write it."""
    settings = state.definitions.settings
    return {name: state.setting_values.get(name, settings[name].default) for name in sorted(settings)}


Settings = Mapping[str, Setting[Any]]


def list_worlds(call: Call) -> Response:
    """List the worlds of this process in order of creation. A world deleted meanwhile is left out."""
    views_of_worlds = []
    for world in list(call.registry.worlds.values()):
        try:
            with current_state(world) as state:
                views_of_worlds.append(world_view(world, state, call.interface.contract.prefix))
        except WorldGone:
            continue
        world.deliveries.send_in_background()
    return respond_with_page(
        call, "worlds", number_rows(views_of_worlds), dict, **process_view(call.registry.ids.prefix)
    )


def create_world(call: Call) -> Response:
    """Create a world."""
    body = call.body
    if "trace" in body:
        return _open_trace(call, body)
    if "at" in body:
        raise InvalidBody("at: only with `trace`, of which it names an entry")
    check_settings(services_of(call).settings, body.get("settings", {}))
    config = WorldConfig(
        body.get("fixture", "default"),
        system_clock.fresh_seed() if body.get("seed") == "fresh" else body.get("seed", 1),
        read_instant("now", body["now"]) if "now" in body else START_MS,
        read_rate(body.get("clock", {"mode": "manual"})),
        body.get("settings", {}),
    )
    world = call.registry.create(config, body.get("id"), ttl_s=body.get("ttl"))
    world.name = body.get("name")
    return world_response(call, world.id, 201)


def _open_trace(call: Call, body: Mapping[str, Any]) -> Response:
    """Create a world as it was after an entry of a trace."""
    if also := sorted({*body} - {"trace", "at", "id", "name", "ttl"}):
        raise InvalidBody(f"{also[0]}: not with `trace`, which says what its world is made from")
    with call.registry.runtime.lend_thread():
        world = services_of(call).open_trace(
            body["trace"],
            body.get("at"),
            lambda config: call.registry.create(config, body.get("id"), ttl_s=body.get("ttl")),
        )
    world.name = body.get("name")
    return world_response(call, world.id, 201)


def get_world(call: Call) -> Response:
    """Read a world and its credentials."""
    return world_response(call, call.world.id)


def rename_world(call: Call) -> Response:
    """Give a world a name, which is for people and not part of its state (G254)."""
    call.world.name = call.body["name"]
    return world_response(call, call.world.id)


def delete_world(call: Call) -> Response:
    """Delete a world. Calls held in it end."""
    call.registry.delete(call.world)
    call.registry.runtime.waiters.notify()
    return Response(200, {"deleted": call.world.id})


def reset_world(call: Call) -> Response:
    """Put a world back to the state in which it was created."""
    call.registry.reset(call.world)
    call.world.show_app()
    call.registry.runtime.waiters.notify()
    return world_response(call, call.world.id)


def fork_world(call: Call) -> Response:
    """Fork a world: a copy with the same state, the same random streams and its own credentials."""
    catch_up_and_send(call.world)
    return world_response(call, call.registry.fork(call.world, call.body.get("id")).id, 201)


def get_fingerprint(call: Call) -> Response:
    """The hash of the whole state, once no delivery is in flight."""
    from giftsim.engine.kernel.serializer import fingerprint

    with settled_state(call.world) as state:
        body = {"sha256": fingerprint(state), **now_and_calls(state)}
    return Response(200, body)


def list_snapshots(call: Call) -> Response:
    """List snapshots in order of creation, each with what happened since."""
    with current_state(call.world) as state:
        rows = number_rows(list(call.world.snapshots.values()))
        return respond_with_page(call, "snapshots", rows, lambda saved: snapshot_view(saved, state))


def save_snapshot(call: Call) -> Response:
    """Save a snapshot of the world."""
    catch_up_and_send(call.world)
    saved = call.world.save_snapshot(call.body["name"])
    return Response(201, snapshot_view(saved, saved.state))


def restore_snapshot(call: Call) -> Response:
    """Restore a snapshot."""
    call.world.restore_snapshot(call.params["name"])
    call.world.show_app()
    call.registry.runtime.waiters.notify()
    return world_response(call, call.world.id)


def delete_snapshot(call: Call) -> Response:
    """Delete a snapshot."""
    call.world.delete_snapshot(call.params["name"])
    return Response(200, {"deleted": call.params["name"]})


def get_settings(call: Call) -> Response:
    """Read all settings as one flat object."""
    with call.world.locked() as state:
        return Response(200, settings_view(state))


def change_settings(call: Call) -> Response:
    """Change settings. If one of them is invalid, none is changed."""
    with change_state(call) as state:
        check_settings(state.definitions.settings, call.body)
        for name, raw in call.body.items():
            state.set_setting(name, raw)
        for follow in service_of(state).after_settings:
            follow(state, call.body)
        return Response(200, settings_view(state))


def world_response(call: Call, world_id: str, status: int = 200) -> Response:
    """A response with the world as it is now."""
    world = call.registry.find(world_id)
    with current_state(world) as state:
        return Response(status, world_view(world, state, call.interface.contract.prefix))


def check_settings(settings: Settings, values: Mapping[str, Any]) -> None:
    """Raise InvalidSetting for an unknown name, with the nearest known one, or for an invalid value."""
    for name, raw in values.items():
        if name not in settings:
            raise InvalidSetting(f"there is no setting {name[:80]!r}; {suggest_allowed(name, sorted(settings))}")
        try:
            settings[name].parse(raw)
        except errors.InvalidSetting as error:
            raise InvalidSetting(str(error)) from None


def read_rate(clock: Mapping[str, Any]) -> float:
    """World seconds per real second; 0 for a stopped clock."""
    rate = clock.get("rate")
    if clock["mode"] == "manual":
        if rate is not None:
            raise InvalidBody("rate: a clock with mode manual has no rate; use mode running")
        return 0.0
    return 1.0 if rate is None else float(rate)


def get_health(call: Call) -> Response:
    """Answer 200 once the default world is ready, 503 before; with the faults of giftsim itself (G348)."""
    if DEFAULT not in call.registry.worlds:
        raise Starting("the default world is not ready yet; try again")
    registry = call.registry
    body = {"status": "ready", "version": services_of(call).version, "worlds": len(registry.worlds)}
    failures: dict[str, Any] = {"failures": registry.runtime.failures}
    if registry.runtime.latest_failure is not None:
        failures["latest_failure"] = registry.runtime.latest_failure
    return Response(200, {**body, **failures, **process_view(registry.ids.prefix)})
