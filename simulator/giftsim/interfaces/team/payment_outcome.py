"""What the outside world does to the payment of a call, and what a repeated call finds of one (A8.7, G28)."""

from __future__ import annotations

from giftsim.domain.money.charge import ChargeFault
from giftsim.domain.team.billing.payment_record import RESERVED, UNCERTAIN, Payment
from giftsim.gateway.call import Call
from giftsim.gateway.problem import InFlight


def charge_fault(call: Call) -> ChargeFault:
    """What a fault of this call makes of its payment."""
    return ChargeFault(crash=call.effect.get("crash") == "after_charge")


def check_known(call: Call, payment: Payment | None) -> None:
    """InFlight while nobody knows what came of the payment that the same Idempotency-Key made before."""
    if payment is not None and payment.status in (RESERVED, UNCERTAIN):
        call.headers["Retry-After"] = "1"
        raise InFlight("the payment of an earlier call with this Idempotency-Key has no outcome yet; ask again later")
