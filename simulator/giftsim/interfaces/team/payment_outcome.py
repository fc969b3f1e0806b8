"""Faults in the payment that a call makes, retries of a call whose payment has no outcome yet, and their keys.

A key is remembered until the outcome of its payment is known, and a lifetime longer (A8.7, G28, G58).
"""

from __future__ import annotations

from giftsim.domain.money.charge import ChargeFault
from giftsim.domain.team.billing.billable import TEAM_ORDER
from giftsim.domain.team.billing.funding import FUNDINGS, funding_payment
from giftsim.domain.team.billing.payment_record import RESERVED, UNCERTAIN, Payment
from giftsim.domain.team.billing.settlement import PAYMENT_DECIDED, payment_of
from giftsim.domain.team.campaigns.campaign import BATCH_RESOURCE, BATCHES
from giftsim.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.gateway.call import Call
from giftsim.gateway.idempotency import LIFETIME
from giftsim.gateway.idempotency_key import OUTCOME_PENDING, remember
from giftsim.gateway.problem import InFlight
from giftsim.kernel.signals import connect, connect_key
from giftsim.kernel.state import State


def charge_fault(call: Call) -> ChargeFault:
    """The effect of the call's fault, if it has one, on the charge."""
    return ChargeFault(crash=call.effect.get("crash") == "after_charge")


def check_outcome_known(call: Call, payment: Payment | None) -> None:
    """Raise InFlight while the payment made earlier with the same Idempotency-Key has no known outcome."""
    if _has_no_outcome(payment):
        call.headers["Retry-After"] = "1"
        raise InFlight("an earlier call with this Idempotency-Key made a payment that has no outcome yet; retry later")


def remember_keys(state: State, payment: Payment) -> None:
    """Remember the keys of a payment for a whole lifetime from now, when its outcome is known."""
    until_ms, slot = state.now_ms + state.setting(LIFETIME), payment.resource
    if payment.resource_type == BATCH_RESOURCE:
        remember(state, BATCHES.name, slot, until_ms)
    elif payment.resource_type == TEAM_ORDER:
        remember(state, TEAM_ORDERS.name, slot, until_ms)
        for n in state[FUNDINGS].slots_in("order", slot):
            remember(state, FUNDINGS.name, n, until_ms)


def _has_no_outcome(payment: Payment | None) -> bool:
    return payment is not None and payment.status in (RESERVED, UNCERTAIN)


CONNECTIONS = (
    connect(PAYMENT_DECIDED, remember_keys),
    connect_key(OUTCOME_PENDING, TEAM_ORDERS.name, lambda state, n: _has_no_outcome(payment_of(state, TEAM_ORDER, n))),
    connect_key(OUTCOME_PENDING, BATCHES.name, lambda state, n: _has_no_outcome(payment_of(state, BATCH_RESOURCE, n))),
    connect_key(
        OUTCOME_PENDING,
        FUNDINGS.name,
        lambda state, n: _has_no_outcome(funding_payment(state, state[FUNDINGS].get(n))),
    ),
)
