"""The faults that act on a service's pages: found when a form is submitted, checked when they are created."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.gateway.effect_types import InvalidFault
from giftsim.engine.gateway.faults.table import FAULTS, count_match, decode, message_of
from giftsim.engine.gateway.problem import InjectedFault
from giftsim.engine.gateway.simulated_service import Page
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.texts import suggest_name

EFFECTS: Final = ("drop", "delay_s", "status")
NO_EFFECT: Final[Mapping[str, Any]] = {}


def choose_effect(state: State, page: str) -> Mapping[str, Any]:
    """The effect of the oldest fault that hits a form being submitted, or NO_EFFECT; the match is counted."""
    if not state[FAULTS].next_n:
        return NO_EFFECT
    with state.transaction():
        for fault in state[FAULTS]:
            if decode(fault.match).get("interface") == page and count_match(state, fault):
                effect = decode(fault.effect)
                return {**effect, "message": message_of(state, fault.id, effect.get("status", 0))}
    return NO_EFFECT


def inject_status(effect: Mapping[str, Any]) -> None:
    """Raise the error of a `status` effect."""
    if "status" in effect:
        status = effect["status"]
        code = effect.get("code", f"status_{status}")
        raise InjectedFault(effect["message"], status, code, effect.get("retry_after"))


def check_page_fault(page: Page, match: Mapping[str, Any], effect: Mapping[str, Any]) -> None:
    """InvalidFault for a fault that could never hit the form of a page."""
    title, own = page.title, page.operation
    if match.get("operation") not in (None, own):
        raise InvalidFault(f"match.operation: {title} has only {own}; {suggest_name(match['operation'], [own])}")
    if "credential" in match:
        raise InvalidFault(f"match.credential: guests of {title} have none")
    if not any(name in effect for name in EFFECTS):
        raise InvalidFault(f"match.interface: {title} has only the effects {', '.join(EFFECTS)}")
    if effect.get("status", 400) < 400:
        raise InvalidFault(f"status: {title} can fail with 400 to 599 only")
