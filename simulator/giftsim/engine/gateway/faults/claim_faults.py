"""The faults that act on the claim page: found when a claim is submitted, checked when they are created."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.gateway.faults.effect import InvalidFault
from giftsim.engine.gateway.faults.table import FAULTS, count_match, decode
from giftsim.engine.gateway.problem import InjectedFault
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.suggestion import suggest

CLAIM, ENTER_CLAIM = "claim", "enterClaim"
EFFECTS: Final = ("drop", "delay_s", "status")
NO_EFFECT: Final[Mapping[str, Any]] = {}


def choose_effect(state: State) -> Mapping[str, Any]:
    """The effect of the oldest fault that hits the claim being submitted, or NO_EFFECT; the match is counted."""
    if not state[FAULTS].next_n:
        return NO_EFFECT
    with state.transaction():
        for fault in state[FAULTS]:
            if decode(fault.match).get("interface") == CLAIM and count_match(state, fault):
                return {**decode(fault.effect), "fault": fault.id}
    return NO_EFFECT


def inject_status(effect: Mapping[str, Any]) -> None:
    """Raise the error of a `status` effect."""
    if "status" in effect:
        status = effect["status"]
        code = effect.get("code", f"status_{status}")
        raise InjectedFault(f"injected by the fault {effect['fault']}", status, code, effect.get("retry_after"))


def check_claim_fault(match: Mapping[str, Any], effect: Mapping[str, Any]) -> None:
    """InvalidFault for a fault that could never hit a claim."""
    if match.get("operation") not in (None, ENTER_CLAIM):
        raise InvalidFault(
            f"match.operation: the claim page has only {ENTER_CLAIM}; {suggest(match['operation'], [ENTER_CLAIM])}"
        )
    if "credential" in match:
        raise InvalidFault("match.credential: guests of the claim page have none")
    if not any(name in effect for name in EFFECTS):
        raise InvalidFault(f"match.interface: the claim page has only the effects {', '.join(EFFECTS)}")
    if effect.get("status", 400) < 400:
        raise InvalidFault("status: the claim page can fail with 400 to 599 only")
