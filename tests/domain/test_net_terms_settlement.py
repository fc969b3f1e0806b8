"""Paying by card what is owed on net terms."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.services.gifting.domain.money.charge import CrashAfterCharge, fail_charge, settle_charge
from giftsim.services.gifting.domain.money.money_errors import (
    MoreThanOwed,
    NothingToSettle,
    OutcomeUnknown,
    PaymentRefused,
)
from giftsim.services.gifting.domain.money.net_terms_settlement import unknown_settlement
from tests.support.domain.partner_orders import PartnerDomain, email_order_body


def net_terms_account(**account: Any) -> PartnerDomain:
    """A net-terms account that owes two mugs with shipping."""
    terms = {"billing_mode": "net_terms", "wallet_cents": 0, "credit_limit_cents": 3600, **account}
    partner = PartnerDomain(**terms)
    partner.buy(email_order_body("Bo", "Cy"))
    return partner


def test_settling_pays_the_full_debt_by_card_and_restores_the_credit() -> None:
    partner = net_terms_account()
    charge = partner.settle()
    assert (charge.amount_cents, charge.balance_cents) == (3600, 0)
    assert (partner.account.cash_cents, partner.wallet_by_ledger(), partner.card_by_ledger()) == (0, 0, 3600)
    partner.buy(email_order_body("Bo", "Cy"))


def test_a_debt_can_be_settled_in_parts() -> None:
    partner = net_terms_account()
    assert partner.settle(600).balance_cents == -3000
    with pytest.raises(MoreThanOwed):
        partner.settle(3001)
    assert partner.settle(3000).balance_cents == 0
    with pytest.raises(NothingToSettle):
        partner.settle()


def test_prepaid_accounts_have_nothing_to_settle() -> None:
    with pytest.raises(NothingToSettle):
        PartnerDomain(wallet_cents=0).settle()


@pytest.mark.parametrize(
    ("card", "fault", "code"),
    [
        ("declined", {}, "card_charge_failed"),
        ("none", {}, "insufficient_funds_no_card"),
        ("good", {"declined": "card_charge_failed"}, "card_charge_failed"),
    ],
)
def test_a_declined_settlement_leaves_the_balance(card: str, fault: dict[str, Any], code: str) -> None:
    partner = net_terms_account(card=card)
    with pytest.raises(PaymentRefused) as error:
        partner.settle(**fault)
    assert error.value.code == code
    assert partner.account.cash_cents == -3600


@pytest.mark.parametrize(("close", "balance_cents"), [(settle_charge, 0), (fail_charge, -3600)])
def test_an_unknown_settlement_blocks_the_next_one_until_it_is_closed(close: Any, balance_cents: int) -> None:
    partner = net_terms_account()
    with pytest.raises(CrashAfterCharge):
        partner.settle(crash=True)
    with pytest.raises(OutcomeUnknown):
        partner.settle()
    unknown = unknown_settlement(partner.state, partner.account)
    assert unknown is not None
    with partner.state.transaction():
        close(partner.state, unknown)
    assert partner.account.cash_cents == balance_cents
    assert unknown_settlement(partner.state, partner.account) is None
