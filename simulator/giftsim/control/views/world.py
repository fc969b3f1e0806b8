"""A world, its clock, snapshots and settings, as JSON."""

from __future__ import annotations

from typing import Any

from giftsim.control.credentials import list_credentials
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.mail import MAILS
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.paths import SIMULATED
from giftsim.webhooks.attempt import ATTEMPT
from giftsim.webhooks.event import EVENT
from giftsim.worlds.advance import next_due
from giftsim.worlds.world import Snapshot, World

BASE_PATHS = {**SIMULATED, "claim": "/claim/{w}"}


def world(world: World, state: State, prefix: str) -> dict[str, Any]:
    """A world. `state` is its state; the caller holds the world's lock."""
    origin, config = world.runtime.origin, world.config
    return {
        "id": world.id,
        "fixture": config.fixture if isinstance(config.fixture, str) else "inline",
        "seed": state.seed,
        "now": format_instant(state.now_ms),
        "clock": mode_and_rate(state),
        "credentials": list_credentials(state, world.id),
        "urls": {
            **{name: origin + path.replace("{w}", world.id) for name, path in BASE_PATHS.items()},
            "control": f"{origin}{prefix}/worlds/{world.id}",
        },
        "counts": {
            **counts(state),
            "timers": len(state.timers),
            "snapshots": len(world.snapshots),
            "held": sum(is_held() for is_held in world.hold_checks),
            "late": len(world.delayed_calls),
            "standing": sum(not held.detached for held in world.held_deliveries.unanswered)
            if not world.advancing
            else 0,
        },
    }


def counts(state: State) -> dict[str, int]:
    """How many client calls, orders, events, deliveries and mails there have been."""
    return {
        "calls": state.meters.get("calls", 0),
        "orders": state[FULFILMENTS].next_n,
        "events": state[EVENT].next_n,
        "deliveries": state[ATTEMPT].next_n,
        "mail": state[MAILS].next_n,
    }


def process(prefix: str | None) -> dict[str, Any]:
    """The member that names this process among several that share an address; nothing if it is alone (G136)."""
    return {"process": prefix} if prefix else {}


def mode_and_rate(state: State) -> dict[str, Any]:
    """The mode of the clock, and its rate if it runs."""
    return {"mode": "running" if state.rate else "manual", "rate": state.rate or None}


def clock(state: State, *, advancing: bool) -> dict[str, Any]:
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


def snapshot(saved: Snapshot, state: State) -> dict[str, Any]:
    """A snapshot: its name, the instant and number of client calls that it was saved at, and what happened since."""
    before, after = counts(saved.state), counts(state)
    since = {name: after[name] - before[name] for name in before}
    return {"name": saved.name, **now_and_calls(saved.state), "since": since}


def settings(state: State) -> dict[str, Any]:
    """Every setting with its value in this world, as users write it."""
    settings = state.definitions.settings
    return {name: state.setting_values.get(name, settings[name].default) for name in sorted(settings)}
