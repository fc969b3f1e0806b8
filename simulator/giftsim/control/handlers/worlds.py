"""Worlds: made, listed, forked, reset, deleted; their snapshots, fingerprints and settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from giftsim.control import redaction
from giftsim.control.body_check import hint
from giftsim.control.instants import instant
from giftsim.control.pagination import numbered, page
from giftsim.control.views import world as views
from giftsim.control.world_access import changing, flush, present, present_and_settled
from giftsim.domain.money.charge import RECONCILE, reschedule_unknown
from giftsim.event_log.config import WorldConfig
from giftsim.event_log.events import ClientCall
from giftsim.gateway.call import Call, Handler, Response
from giftsim.gateway.problem import InvalidBody
from giftsim.kernel import errors
from giftsim.kernel.fingerprint import fingerprint
from giftsim.kernel.instants import format_instant
from giftsim.kernel.setting import Setting
from giftsim.problem import InvalidSetting
from giftsim.worlds import snapshots, system_clock
from giftsim.worlds.problem import WorldGone
from giftsim.worlds.registry import START_MS
from giftsim.worlds.sending import send_in_background
from giftsim.worlds.world import World

Settings = Mapping[str, Setting[Any]]
MOST_RATE = 1_000_000


def list_worlds(call: Call) -> Response:
    """Worlds in order of creation; one that goes away meanwhile is left out."""
    shown = []
    for world in list(call.registry.worlds.values()):
        try:
            with present(world) as state:
                shown.append(views.world(world, state, call.interface.contract.prefix))
        except WorldGone:
            continue
        send_in_background(world)
    return page(call, "worlds", numbered(shown), dict)


def make_world(settings: Settings) -> Callable[[Call], Response]:
    """The handler that makes a world; it knows the settings there are before any world does."""

    def create_world(call: Call) -> Response:
        body = call.body
        check_settings(settings, body.get("settings", {}))
        config = WorldConfig(
            body.get("fixture", "default"),
            system_clock.fresh_seed() if body.get("seed") == "fresh" else body.get("seed", 1),
            instant("now", body["now"]) if "now" in body else START_MS,
            read_rate(body.get("clock", {"mode": "manual"})),
            body.get("settings", {}),
        )
        world = call.registry.create(config, body.get("id"), ttl_s=body.get("ttl"))
        return show(call, world.id, 201)

    return create_world


def get_world(call: Call) -> Response:
    """A world and its credentials."""
    return show(call, call.world.id)


def delete_world(call: Call) -> Response:
    """Let a world go, and with it whatever is parked in it."""
    call.registry.delete(call.world)
    call.registry.runtime.waiters.notify()
    return Response(200, {"deleted": call.world.id})


def reset_world(call: Call) -> Response:
    """Back to what was created."""
    call.registry.reset(call.world)
    call.registry.runtime.waiters.notify()
    return show(call, call.world.id)


def make_undo(undo: Callable[[World, int], Sequence[ClientCall]]) -> Callable[[Call], Response]:
    """The handler that takes client writes back."""

    def undo_world(call: Call) -> Response:
        flush(call.world)
        undone = undo(call.world, call.body.get("count", 1))
        call.registry.runtime.waiters.notify()
        told = [{"at": format_instant(e.at_ms), "method": e.method, "path": redaction.text(e.path)} for e in undone]
        with call.world.locked() as state:
            return Response(200, {"undone": told, "now": format_instant(state.now_ms)})

    return undo_world


def fork_world(call: Call) -> Response:
    """A copy with the same future and its own credentials."""
    flush(call.world)
    return show(call, call.registry.fork(call.world, call.body.get("id")).id, 201)


def get_fingerprint(call: Call) -> Response:
    """The hash of the whole state, once nothing is in flight."""
    with present_and_settled(call.world) as state:
        shown = {"sha256": fingerprint(state), **views.counted(state)}
    return Response(200, shown)


def list_snapshots(call: Call) -> Response:
    """Snapshots in order of creation."""
    return page(call, "snapshots", numbered(list(call.world.snapshots.values())), views.snapshot)


def save_snapshot(call: Call) -> Response:
    """Keep this moment."""
    flush(call.world)
    return Response(201, views.snapshot(snapshots.save(call.world, call.body["name"])))


def restore_snapshot(call: Call) -> Response:
    """Put a kept moment in place again."""
    snapshots.restore(call.world, call.params["name"])
    call.registry.runtime.waiters.notify()
    return show(call, call.world.id)


def delete_snapshot(call: Call) -> Response:
    """Forget a kept moment."""
    snapshots.delete(call.world, call.params["name"])
    return Response(200, {"deleted": call.params["name"]})


def get_settings(call: Call) -> Response:
    """All settings, flat."""
    with call.world.locked() as state:
        return Response(200, views.settings(state))


def change_settings(call: Call) -> Response:
    """Some settings, all of them or none."""
    with changing(call) as state:
        check_settings(state.definitions.settings, call.body)
        for name, raw in call.body.items():
            state.set_setting(name, raw)
        if RECONCILE.name in call.body:
            reschedule_unknown(state)
        return Response(200, views.settings(state))


def show(call: Call, world_id: str, status: int = 200) -> Response:
    """The world as it is now."""
    world = call.registry.find(world_id)
    with present(world) as state:
        return Response(status, views.world(world, state, call.interface.contract.prefix))


def check_settings(known: Settings, given: Mapping[str, Any]) -> None:
    """InvalidSetting for an unknown name, with the nearest known one, or for a value that the setting cannot take."""
    for name, raw in given.items():
        if name not in known:
            raise InvalidSetting(f"there is no setting {name[:80]!r}; {hint(name, sorted(known))}")
        try:
            known[name].parse(raw)
        except errors.InvalidSetting as error:
            raise InvalidSetting(str(error)) from None


def read_rate(clock: Mapping[str, Any]) -> float:
    """World seconds per real second; 0 for a clock that stands."""
    rate = clock.get("rate")
    if clock["mode"] == "manual":
        if rate is not None:
            raise InvalidBody("rate: it is for mode running; a manual clock has none")
        return 0.0
    return 1.0 if rate is None else float(rate)


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listWorlds": list_worlds,
        "getWorld": get_world,
        "deleteWorld": delete_world,
        "resetWorld": reset_world,
        "forkWorld": fork_world,
        "getFingerprint": get_fingerprint,
        "listSnapshots": list_snapshots,
        "saveSnapshot": save_snapshot,
        "restoreSnapshot": restore_snapshot,
        "deleteSnapshot": delete_snapshot,
        "getSettings": get_settings,
        "changeSettings": change_settings,
    }
)
