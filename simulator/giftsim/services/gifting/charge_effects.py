"""What faults can do to payments: a charge that fails, and a crash after one."""

from __future__ import annotations

from typing import Any

from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.effect_types import EffectType, error_codes
from giftsim.engine.kernel.member import Member, OneOf
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.money.money_errors import REFUSALS

PAYABLE = "payment_not_permitted"  # the error code that every paying operation of the team interface documents


def _charges(operation: Operation, code: Any) -> bool:
    return code in error_codes(operation, 402)


def _pays(operation: Operation, _: Any) -> bool:
    return 402 in operation.documented or PAYABLE in error_codes(operation, 422)


def _was_charged(call: Call, problem: Problem | None) -> bool:
    """Whether the call reached the charge that a fault makes fail; a call refused for another reason did not."""
    return call.fault_acted and (problem is None or problem.status == 402)


CHARGE = EffectType(
    Member(
        "charge", OneOf(tuple(REFUSALS), "a refusal of a charge"), "The next charge fails with this documented code."
    ),
    f"one of {', '.join(REFUSALS)}",
    does="the next charge fails with that documented 402 code",
    acts_on="partner orders and settlements",
    can_act=_charges,
    during_execution=True,
    acted=_was_charged,
    place=10,
)
CRASH = EffectType(
    Member(
        "crash",
        OneOf(("after_charge",), "a point at which to crash"),
        "The charge succeeds, but the service crashes before it records the result.",
    ),
    "after_charge",
    does="the charge is made, but its outcome is not recorded. The call gets no response, and a repetition with the"
    " same key gets a 409 until the outcome is resolved",
    acts_on="partner orders and settlements, paying calls of the team interface",
    can_act=_pays,
    during_execution=True,
    place=40,
)
