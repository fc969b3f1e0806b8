"""Faults in the payment that a call makes, and retries of a call whose payment has no outcome yet (A8.7, G28)."""

from __future__ import annotations

from giftsim.domain.money.charge import ChargeFault
from giftsim.domain.team.billing.payment_record import RESERVED, UNCERTAIN, Payment
from giftsim.gateway.call import Call
from giftsim.gateway.problem import InFlight


def charge_fault(call: Call) -> ChargeFault:
    """The effect of the call's fault, if it has one, on the charge."""
    return ChargeFault(crash=call.effect.get("crash") == "after_charge")


def check_outcome_known(call: Call, payment: Payment | None) -> None:
    """Raise InFlight while the payment made earlier with the same Idempotency-Key has no known outcome."""
    if payment is not None and payment.status in (RESERVED, UNCERTAIN):
        call.headers["Retry-After"] = "1"
        raise InFlight("an earlier call with this Idempotency-Key made a payment that has no outcome yet; retry later")
