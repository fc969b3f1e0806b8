"""Actors, as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from giftsim.domain.actors.actor import NEVER, RECIPIENT, Actor
from giftsim.domain.actors.schedule import pending_acts
from giftsim.kernel.instants import format_duration, format_instant, instant_or_null
from giftsim.kernel.state import State


def actor_view(state: State, actor: Actor) -> dict[str, Any]:
    """An actor with its options, and counts of what it was asked, did and was refused."""
    return {
        "id": actor.id,
        **(_recipient(actor) if actor.role == RECIPIENT else _approver(actor)),
        "asked": actor.asked,
        "waiting": pending_acts(state, actor),
        "acted": actor.acted,
        "refused": actor.refused,
        "last_acted_at": instant_or_null(actor.acted_at_ms),
        "last_refusal": _refusal(actor),
    }


def _recipient(actor: Actor) -> dict[str, Any]:
    options = {"recipient": actor.whom, "claims": NEVER if actor.after_ms is None else format_duration(actor.after_ms)}
    stored = {"address": actor.address, "selection": actor.selection}
    return options | {name: msgspec.json.decode(value) for name, value in stored.items() if value is not None}


def _approver(actor: Actor) -> dict[str, Any]:
    if actor.after_ms is None:
        return {"approver": actor.whom, "decides": NEVER}
    options = {"approver": actor.whom, "decides": actor.decision, "after": format_duration(actor.after_ms)}
    return options if actor.note is None else {**options, "note": actor.note}


def _refusal(actor: Actor) -> dict[str, Any] | None:
    if actor.refusal is None or actor.refused_at_ms is None:
        return None
    code, message = actor.refusal
    return {"at": format_instant(actor.refused_at_ms), "code": code, "message": message}
