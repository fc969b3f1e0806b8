"""Worlds: made, listed, forked, reset, deleted; their snapshots, fingerprints and settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from giftsim.control import redaction
from giftsim.control.body_check import hint
from giftsim.control.instants import instant
from giftsim.control.pagination import numbered, page
from giftsim.control.views import world as views
from giftsim.control.world_access import changing, flush, present, settled
from giftsim.domain.money.charge import RECONCILE, rearm_unknown
from giftsim.event_log.config import WorldConfig
from giftsim.event_log.events import Called
from giftsim.gateway.call import Call, Reply
from giftsim.gateway.problem import InvalidBody
from giftsim.kernel.fingerprint import fingerprint
from giftsim.kernel.instants import format_instant
from giftsim.kernel.setting import InvalidSetting, Setting
from giftsim.worlds import system_clock
from giftsim.worlds.advance import dispatch
from giftsim.worlds.problem import WorldGone
from giftsim.worlds.registry import BEGINNING_MS
from giftsim.worlds.world import World

Settings = Mapping[str, Setting[Any]]
MOST_RATE = 1_000_000


def list_worlds(call: Call) -> Reply:
    """Worlds in order of creation; one that goes away meanwhile is left out."""
    shown = []
    for world in list(call.registry.worlds.values()):
        try:
            with present(world) as state:
                shown.append(views.world(world, state, call.interface.contract.prefix))
        except WorldGone:
            continue
        dispatch(world)
    return page(call, "worlds", numbered(shown), dict)


def make_world(settings: Settings) -> Callable[[Call], Reply]:
    """The handler that makes a world; it knows the settings there are before any world does."""

    def create_world(call: Call) -> Reply:
        body = call.body
        check_settings(settings, body.get("settings", {}))
        config = WorldConfig(
            body.get("fixture", "default"),
            system_clock.fresh_seed() if body.get("seed") == "fresh" else body.get("seed", 1),
            instant("now", body["now"]) if "now" in body else BEGINNING_MS,
            read_rate(body.get("clock", {"mode": "manual"})),
            body.get("settings", {}),
        )
        world = call.registry.make(config, body.get("id"), ttl_s=body.get("ttl"))
        return show(call, world.id, 201)

    return create_world


def get_world(call: Call) -> Reply:
    """A world and its credentials."""
    return show(call, call.here.id)


def delete_world(call: Call) -> Reply:
    """Let a world go, and with it whatever is parked in it."""
    call.registry.delete(call.here)
    call.registry.parking.wake()
    return Reply(200, {"deleted": call.here.id})


def reset_world(call: Call) -> Reply:
    """Back to what was created."""
    call.registry.reset(call.here)
    call.registry.parking.wake()
    return show(call, call.here.id)


def make_undo(undo: Callable[[World, int], Sequence[Called]]) -> Callable[[Call], Reply]:
    """The handler that takes client writes back."""

    def undo_world(call: Call) -> Reply:
        flush(call.here)
        undone = undo(call.here, call.body.get("count", 1))
        call.registry.parking.wake()
        told = [{"at": format_instant(e.at_ms), "method": e.method, "path": redaction.text(e.path)} for e in undone]
        with call.here.held() as state:
            return Reply(200, {"undone": told, "now": format_instant(state.now_ms)})

    return undo_world


def fork_world(call: Call) -> Reply:
    """A copy with the same future and its own credentials."""
    flush(call.here)
    return show(call, call.registry.fork(call.here, call.body.get("id")).id, 201)


def get_fingerprint(call: Call) -> Reply:
    """The hash of the whole state, once nothing is in flight."""
    with settled(call.here) as state:
        shown = {"sha256": fingerprint(state), **views.counted(state)}
    return Reply(200, shown)


def list_snapshots(call: Call) -> Reply:
    """Snapshots in order of creation."""
    return page(call, "snapshots", numbered(list(call.here.snapshots.values())), views.snapshot)


def save_snapshot(call: Call) -> Reply:
    """Keep this moment."""
    flush(call.here)
    return Reply(201, views.snapshot(call.registry.save(call.here, call.body["name"])))


def restore_snapshot(call: Call) -> Reply:
    """Put a kept moment in place again."""
    call.registry.restore(call.here, call.params["name"])
    call.registry.parking.wake()
    return show(call, call.here.id)


def delete_snapshot(call: Call) -> Reply:
    """Forget a kept moment."""
    call.registry.forget(call.here, call.params["name"])
    return Reply(200, {"deleted": call.params["name"]})


def get_settings(call: Call) -> Reply:
    """All settings, flat."""
    with call.here.held() as state:
        return Reply(200, views.settings(state))


def change_settings(call: Call) -> Reply:
    """Some settings, all of them or none."""
    with changing(call) as state:
        check_settings(state.definitions.settings, call.body)
        for name, raw in call.body.items():
            state.choose(name, raw)
        if RECONCILE.name in call.body:
            rearm_unknown(state)
        return Reply(200, views.settings(state))


def show(call: Call, world_id: str, status: int = 200) -> Reply:
    """The world as it is now."""
    world = call.registry.find(world_id)
    with present(world) as state:
        return Reply(status, views.world(world, state, call.interface.contract.prefix))


def check_settings(known: Settings, given: Mapping[str, Any]) -> None:
    """InvalidSetting for an unknown name, which goes with the nearest known one, or for a value it cannot take."""
    for name, raw in given.items():
        if name not in known:
            raise InvalidSetting(f"there is no setting {name[:80]!r}; {hint(name, sorted(known))}")
        known[name].parse(raw)


def read_rate(clock: Mapping[str, Any]) -> float:
    """World seconds per real second; 0 for a clock that stands."""
    rate = clock.get("rate")
    if clock["mode"] == "manual":
        if rate is not None:
            raise InvalidBody("rate: it is for mode running; a manual clock has none")
        return 0.0
    return 1.0 if rate is None else float(rate)
