"""Faults of charges: a charge that fails with a documented code, and a crash after the charge (G16, G28)."""

from __future__ import annotations

from typing import Any

from giftsim.gateway.call import Call
from giftsim.gateway.contract import Operation
from giftsim.gateway.faults.effect import EffectType, error_codes, one_of
from giftsim.problem import Problem

REFUSALS = (
    "insufficient_funds", "insufficient_funds_no_card", "credit_limit_exceeded", "daily_spend_limit_exceeded",
    "card_charge_failed",
)  # fmt: skip
PAYABLE = "payment_not_permitted"  # the error code that every paying operation of the team interface documents


def _charges(operation: Operation, code: Any) -> bool:
    return code in error_codes(operation, 402)


def _pays(operation: Operation, _: Any) -> bool:
    return 402 in operation.documented or PAYABLE in error_codes(operation, 422)


CHARGE = EffectType(
    "charge", f"one of {', '.join(REFUSALS)}", "the next charge fails with that documented 402 code",
    "partner orders and settlements", one_of(*REFUSALS), can_act=_charges, during_execution=True,
    values=tuple(REFUSALS),
)  # fmt: skip
CRASH = EffectType(
    "crash", "after_charge",
    "charged, but the outcome is not recorded: no response, and until it is resolved the same key gets a 409",
    "partner orders and settlements, paying calls of the team interface", one_of("after_charge"), can_act=_pays,
    during_execution=True, values=("after_charge",),
)  # fmt: skip


def was_charged(call: Call, problem: Problem | None) -> bool:
    """Whether the call reached the charge that a fault makes fail; a call refused for another reason did not."""
    return call.fault_acted and (problem is None or problem.status == 402)
