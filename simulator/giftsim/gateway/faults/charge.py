"""Faults of charges: one that fails with a documented code, and one whose outcome nobody recorded (G16, G28)."""

from __future__ import annotations

from typing import Any

from giftsim.gateway.call import Call
from giftsim.gateway.contract import Operation
from giftsim.gateway.faults.effect import Family, codes, one_of
from giftsim.kernel.problem import Problem

REFUSALS = (
    "insufficient_funds", "insufficient_funds_no_card", "credit_limit_exceeded", "daily_spend_limit_exceeded",
    "card_charge_failed",
)  # fmt: skip
PAYABLE = "payment_not_permitted"  # the refusal that every paying operation of the team interface documents


def _charges(operation: Operation, code: Any) -> bool:
    return code in codes(operation, 402)


def _pays(operation: Operation, _: Any) -> bool:
    return 402 in operation.documented or PAYABLE in codes(operation, 422)


CHARGE = Family(
    "charge", f"one of {', '.join(REFUSALS)}", "the next charge fails with that documented 402 code",
    "partner orders and settlements", one_of(*REFUSALS), acts=_charges, within=True,
)  # fmt: skip
CRASH = Family(
    "crash", "after_charge",
    "charged, and nobody recorded it: no answer comes, and until it is resolved the same key answers 409",
    "partner orders and settlements, paying calls of the team interface", one_of("after_charge"), acts=_pays,
    within=True,
)  # fmt: skip


def failed(call: Call, problem: Problem | None) -> bool:
    """Whether a charge that was to fail was made: a call that is refused for anything else came to none."""
    return call.met and (problem is None or problem.status == 402)
