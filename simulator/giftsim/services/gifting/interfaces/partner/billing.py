"""Settlement of what an account on net terms owes (P-1.7, B16)."""

from __future__ import annotations

from giftsim.engine.gateway.call import Call, ConnectionDropped, Response
from giftsim.engine.gateway.problem import RouteNotFound
from giftsim.services.gifting.domain.money.charge import CHARGES, PAID, SENT, Charge, CrashAfterCharge
from giftsim.services.gifting.domain.money.money_errors import OutcomeUnknown
from giftsim.services.gifting.domain.money.net_terms_settlement import (
    SETTLE_ENABLED,
    open_net_terms_settlement,
    settle_or_raise,
)
from giftsim.services.gifting.interfaces.partner.team_orders import charge_fault


def settle_balance(call: Call) -> Response:
    """Pay what is owed, or `amount_cents` of it, by the default card."""
    if not call.state.setting(SETTLE_ENABLED):
        raise RouteNotFound("settling is switched off in this world (partner.settle_enabled)")
    charge = _earlier_settlement(call) or _settle(call)
    body = {
        "ok": True,
        "settled_cents": charge.amount_cents,
        "new_cash_balance_cents": charge.balance_cents,
        "payment_transaction_id": charge.transaction_id,
    }
    return Response(200, body)


def _earlier_settlement(call: Call) -> Charge | None:
    """The paid charge of an earlier call with the same key, or None. OutcomeUnknown while that is not known (G28)."""
    charge = None if call.bound_slot is None else call.state[CHARGES].get(call.bound_slot)
    if charge is not None and charge.status == SENT:
        raise OutcomeUnknown("the outcome of the settlement with this key is unknown; nothing was charged now")
    return charge if charge is not None and charge.status == PAID else None


def _settle(call: Call) -> Charge:
    """Settle, with the call's key bound to the charge."""
    fault, amount_cents = charge_fault(call), call.body.get("amount_cents")
    charge = open_net_terms_settlement(call.state, call.caller.account, call.caller.key, amount_cents, fault)
    call.bind(charge.n, CHARGES.name)
    try:
        return settle_or_raise(call.state, charge, fault)
    except CrashAfterCharge as crash:
        raise ConnectionDropped(str(crash)) from None
