"""Faults of the claim page: entering a claim meets those of the table that name the interface `claim`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.gateway.faults.effect_registry import nearest
from giftsim.gateway.faults.problem import InvalidFault
from giftsim.gateway.faults.table import FAULTS, decode, strike
from giftsim.gateway.problem import InjectedFault
from giftsim.kernel.state import State

CLAIM, ENTER = "claim", "enterClaim"
ACTING: Final = ("drop", "delay_s", "status")
NOTHING: Final[Mapping[str, Any]] = {}


def choose(state: State) -> Mapping[str, Any]:
    """The effect of the oldest fault that strikes a claim being entered now, or nothing; it is counted."""
    if not state[FAULTS].next_n:
        return NOTHING
    with state.transaction():
        for fault in state[FAULTS]:
            if decode(fault.match).get("interface") == CLAIM and strike(state, fault):
                return {**decode(fault.effect), "fault": fault.id}
    return NOTHING


def answer(effect: Mapping[str, Any]) -> None:
    """Give a `status` effect's answer instead of the work."""
    if "status" in effect:
        status = effect["status"]
        code = effect.get("code", f"status_{status}")
        raise InjectedFault(f"injected by the fault {effect['fault']}", status, code, effect.get("retry_after"))


def check(match: Mapping[str, Any], effect: Mapping[str, Any]) -> None:
    """InvalidFault for what could never meet a claim being entered."""
    if match.get("operation") not in (None, ENTER):
        raise InvalidFault(f"match.operation: the claim page has {ENTER} alone; {nearest(match['operation'], [ENTER])}")
    if "credential" in match:
        raise InvalidFault("match.credential: guests of the claim page have none")
    if not any(name in effect for name in ACTING):
        raise InvalidFault(f"match.interface: on the claim page act {', '.join(ACTING)}")
    if effect.get("status", 400) < 400:
        raise InvalidFault("status: the claim page can be made to refuse, with 400 to 599")
