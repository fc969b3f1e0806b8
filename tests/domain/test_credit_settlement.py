"""Settling what net terms owe."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.domain.money.charge import Charge, ChargeFault, CrashAfterCharge, fail_charge, settle_charge
from giftsim.domain.money.charge_refusal import MoreThanOwed, NothingToSettle, OutcomeUnknown, PaymentRefused
from giftsim.domain.money.credit_settlement import settle_credit, unknown_settlement
from tests.support.domain.partner_orders import PartnerDomain, email_order_body


def pay(stage: PartnerDomain, amount_cents: int | None = None, **fault: Any) -> Charge:
    with stage.state.transaction():
        return settle_credit(stage.state, stage.account, stage.key, amount_cents, ChargeFault(**fault))


def owing(**account: Any) -> PartnerDomain:
    """An account that owes two mugs with their parcels."""
    terms = {"billing_mode": "net_terms", "wallet_cents": 0, "credit_limit_cents": 3600, **account}
    stage = PartnerDomain(**terms)
    stage.buy(email_order_body("Bo", "Cy"))
    return stage


def test_settling_pays_the_full_debt_by_card_and_restores_the_credit() -> None:
    stage = owing()
    charge = pay(stage)
    assert (charge.amount_cents, charge.balance_cents) == (3600, 0)
    assert (stage.account.cash_cents, stage.wallet_by_ledger(), stage.card_by_ledger()) == (0, 0, 3600)
    stage.buy(email_order_body("Bo", "Cy"))


def test_a_debt_can_be_settled_in_parts() -> None:
    stage = owing()
    assert pay(stage, 600).balance_cents == -3000
    with pytest.raises(MoreThanOwed):
        pay(stage, 3001)
    assert pay(stage, 3000).balance_cents == 0
    with pytest.raises(NothingToSettle):
        pay(stage)


def test_prepaid_accounts_have_nothing_to_settle() -> None:
    with pytest.raises(NothingToSettle):
        pay(PartnerDomain(wallet_cents=0))


@pytest.mark.parametrize(
    ("card", "fault", "code"),
    [
        ("declined", {}, "card_charge_failed"),
        ("none", {}, "insufficient_funds_no_card"),
        ("good", {"declined": "card_charge_failed"}, "card_charge_failed"),
    ],
)
def test_a_declined_settlement_leaves_the_balance(card: str, fault: dict[str, Any], code: str) -> None:
    stage = owing(card=card)
    with pytest.raises(PaymentRefused) as refused:
        pay(stage, **fault)
    assert refused.value.code == code
    assert stage.account.cash_cents == -3600


@pytest.mark.parametrize(("decide", "left"), [(settle_charge, 0), (fail_charge, -3600)])
def test_an_unknown_settlement_blocks_the_next_one_until_it_is_closed(decide: Any, left: int) -> None:
    stage = owing()
    with pytest.raises(CrashAfterCharge):
        pay(stage, crash=True)
    with pytest.raises(OutcomeUnknown):
        pay(stage)
    unknown = unknown_settlement(stage.state, stage.account)
    assert unknown is not None
    with stage.state.transaction():
        decide(stage.state, unknown)
    assert stage.account.cash_cents == left
    assert unknown_settlement(stage.state, stage.account) is None
