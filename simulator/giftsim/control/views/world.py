"""A world, its clock and what belongs to it, as JSON."""

from __future__ import annotations

from typing import Any

from giftsim.control.credentials import credentials
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.mail import MAILS
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.webhooks.attempt import ATTEMPT
from giftsim.webhooks.event import EVENT
from giftsim.worlds.advance import next_due
from giftsim.worlds.world import Saved, World

# Where the interfaces stand; the contracts of those that are there say the same.
PLACES = {"team": "/api/teams/v1", "partner": "/api/external", "museum": "/v1.1", "claim": "/claim/{w}"}


def world(world: World, state: State, prefix: str) -> dict[str, Any]:
    """The world object; `state` is the world's, held by the caller."""
    origin, config = world.registry.origin, world.config
    return {
        "id": world.id,
        "fixture": config.fixture if isinstance(config.fixture, str) else "inline",
        "seed": state.seed,
        "now": format_instant(state.now_ms),
        "clock": pace(state),
        "credentials": credentials(state, world.id),
        "urls": {
            **{name: origin + path.replace("{w}", world.id) for name, path in PLACES.items()},
            "control": f"{origin}{prefix}/worlds/{world.id}",
        },
        "counts": {
            "calls": state.meters.get("calls", 0),
            "orders": state[FULFILMENTS].next_n,
            "events": state[EVENT].next_n,
            "deliveries": state[ATTEMPT].next_n,
            "mail": state[MAILS].next_n,
            "timers": len(state.timers),
            "snapshots": len(world.snapshots),
            "held": sum(still() for still in world.holding),
            "late": len(world.late),
            "standing": sum(not found.loose for found in world.standings.open) if not world.driving else 0,
        },
    }


def pace(state: State) -> dict[str, Any]:
    """How the clock goes; one that stands has no rate."""
    return {"mode": "running" if state.rate else "manual", "rate": state.rate or None}


def clock(state: State) -> dict[str, Any]:
    """What the clock shows, and when something happens next."""
    return {
        "now": format_instant(state.now_ms),
        **pace(state),
        "next_due": format_instant(next_due(state)),
        "pending": len(state.timers),
    }


def counted(state: State) -> dict[str, Any]:
    """The instant and the number of client calls."""
    return {"now": format_instant(state.now_ms), "calls": state.meters.get("calls", 0)}


def snapshot(saved: Saved) -> dict[str, Any]:
    """A snapshot: its name and the moment it keeps."""
    return {"name": saved.name, **counted(saved.state)}


def settings(state: State) -> dict[str, Any]:
    """Every setting as it is in this world, as users write it."""
    known = state.definitions.settings
    return {name: state.choices.get(name, known[name].default) for name in sorted(known)}
