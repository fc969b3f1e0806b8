"""Settlement of what an account on net terms owes (P-1.7, B16)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.money.charge import CrashAfterCharge
from giftsim.domain.money.credit_settlement import SETTLE_ENABLED, settle_credit
from giftsim.gateway.call import Call, ConnectionDropped, Handler, Response
from giftsim.gateway.problem import RouteNotFound
from giftsim.interfaces.partner.authentication import account_of
from giftsim.interfaces.partner.handlers.team_orders import charge_fault


def settle_balance(call: Call) -> Response:
    """Pay what is owed, or `amount_cents` of it, by the default card."""
    if not call.state.setting(SETTLE_ENABLED):
        raise RouteNotFound("settling is switched off in this world (partner.settle_enabled)")
    try:
        charge = settle_credit(
            call.state, account_of(call), call.caller.key, call.body.get("amount_cents"), charge_fault(call)
        )  # fmt: skip
    except CrashAfterCharge as crash:
        raise ConnectionDropped(str(crash)) from None
    body = {
        "ok": True, "settled_cents": charge.amount_cents, "new_cash_balance_cents": charge.balance_cents,
        "payment_transaction_id": charge.transaction_id,
    }  # fmt: skip
    return Response(200, body)


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "settleBalance": settle_balance,
    }
)
