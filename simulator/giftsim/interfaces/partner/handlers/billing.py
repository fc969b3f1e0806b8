"""Settling what net terms owe (P-1.7, B16)."""

from __future__ import annotations

from giftsim.domain.money.charge import Crash
from giftsim.domain.money.credit_settlement import SETTLE_ENABLED, settle
from giftsim.gateway.call import Call, Dropped, Reply
from giftsim.gateway.problem import RouteNotFound
from giftsim.interfaces.partner.authentication import account_of
from giftsim.interfaces.partner.handlers.team_orders import outside


def settle_balance(call: Call) -> Reply:
    """Pay by the default card what is owed, or `amount_cents` of it."""
    if not call.state.setting(SETTLE_ENABLED):
        raise RouteNotFound("settling is switched off in this world (partner.settle_enabled)")
    try:
        charge = settle(
            call.state, account_of(call), call.caller.key, call.body.get("amount_cents"), outside(call)
        )  # fmt: skip
    except Crash as crash:
        raise Dropped(str(crash)) from None
    answer = {
        "ok": True, "settled_cents": charge.amount_cents, "new_cash_balance_cents": charge.balance_cents,
        "payment_transaction_id": charge.transaction_id,
    }  # fmt: skip
    return Reply(200, answer)
