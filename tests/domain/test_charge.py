"""Charges: sources of funds, refusals, and unknown outcomes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel.errors import InvalidTransition
from giftsim.engine.kernel.instants import parse_instant
from giftsim.services.gifting.domain.api_key import issue_key
from giftsim.services.gifting.domain.fulfilment.cancellation import cancel_recipients
from giftsim.services.gifting.domain.fulfilment.offer import split
from giftsim.services.gifting.domain.money.account import ACCOUNTS, ENTRIES, Unbalanced, post_entry
from giftsim.services.gifting.domain.money.charge import (
    CHARGES,
    Charge,
    CrashAfterCharge,
    reschedule_unknown,
    spend_day,
    unknown_charges,
)
from giftsim.services.gifting.domain.money.money_errors import OutcomeUnknown, PaymentRefused
from giftsim.services.gifting.domain.money.refund import refund_parts
from tests.support.domain.partner_orders import PartnerDomain, address_order_body, email_order_body

CENTS = st.integers(0, 10**9)
WEIGHTS = st.lists(st.integers(0, 10**6), min_size=1, max_size=100)


@pytest.mark.parametrize(
    ("total_cents", "weights", "parts"),
    [
        (3000, (1, 1, 1), (1000, 1000, 1000)),
        (100, (1, 1, 1), (34, 33, 33)),
        (101, (1, 1, 1), (34, 34, 33)),
        (2, (1, 1, 1), (1, 1, 0)),
        (0, (1, 2, 3), (0, 0, 0)),
        (100, (1, 2, 3), (17, 33, 50)),
        (10, (1, 2, 4), (1, 3, 6)),
        (10, (4, 2, 1), (6, 3, 1)),
        (100, (0, 1, 0, 2), (0, 33, 0, 67)),
        (100, (0, 0, 0), (34, 33, 33)),
        (7, (5,), (7,)),
        (7, (0,), (7,)),
        (0, (), ()),
        (10**18 + 1, (1, 1), (5 * 10**17 + 1, 5 * 10**17)),
    ],
)
def test_an_amount_is_split_by_largest_remainder(
    total_cents: int, weights: tuple[int, ...], parts: tuple[int, ...]
) -> None:
    assert split(total_cents, weights) == parts


@given(CENTS, WEIGHTS)
def test_parts_add_up_and_are_within_a_cent_of_the_ideal(total_cents: int, weights: list[int]) -> None:
    parts = split(total_cents, weights)
    assert sum(parts) == total_cents
    ideal = weights if any(weights) else [1] * len(weights)
    for part, weight in zip(parts, ideal, strict=True):
        assert abs(part - Fraction(total_cents * weight, sum(ideal))) < 1
        assert weight or not part


@given(CENTS, WEIGHTS)
def test_left_over_cents_go_to_the_largest_remainder_then_to_the_first(total_cents: int, weights: list[int]) -> None:
    ideal = weights if any(weights) else [1] * len(weights)
    total_weight = sum(ideal)
    remainders = [
        (-(total_cents * weight % total_weight), place, part - total_cents * weight // total_weight)
        for place, (part, weight) in enumerate(zip(split(total_cents, weights), ideal, strict=True))
    ]
    extra_cents = [extra for _, _, extra in sorted(remainders)]
    assert extra_cents == sorted(extra_cents, reverse=True)


@given(CENTS, st.integers(1, 100))
def test_equal_weights_give_equal_parts_with_left_over_cents_first(total_cents: int, people: int) -> None:
    each, extra = divmod(total_cents, people)
    assert split(total_cents, [7] * people) == (each + 1,) * extra + (each,) * (people - extra)


@pytest.mark.parametrize(
    ("total_cents", "weights", "message"),
    [
        (-1, (1,), r"cannot split -1 cents by \[1\]: a number is negative"),
        (1, (1, -1), r"cannot split 1 cents by \[1, -1\]: a number is negative"),
        (0, (-1,), r"cannot split 0 cents by \[-1\]: a number is negative"),
        (1, (), "cannot split 1 cents: there are no weights"),
    ],
)
def test_an_impossible_split_raises(total_cents: int, weights: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        split(total_cents, weights)


def test_the_wallet_part_is_refunded_first() -> None:
    assert refund_parts(1000, 2000) == (1000, 0)
    assert refund_parts(1000, 1000) == (1000, 0)
    assert refund_parts(1000, 400) == (400, 600)
    assert refund_parts(1000, 0) == (0, 1000)
    assert refund_parts(0, 500) == (0, 0)


@pytest.mark.parametrize(("amount_cents", "wallet_left_cents"), [(-1, 5), (5, -1)])
def test_a_negative_refund_raises(amount_cents: int, wallet_left_cents: int) -> None:
    with pytest.raises(ValueError, match="cannot refund"):
        refund_parts(amount_cents, wallet_left_cents)


@given(WEIGHTS, CENTS, CENTS, st.randoms(use_true_random=False))
def test_refunding_all_recipients_in_any_order_refunds_the_exact_charge(
    weights: list[int], wallet_cents: int, card_cents: int, rng: object
) -> None:
    parts = list(split(wallet_cents + card_cents, weights))
    rng.shuffle(parts)  # type: ignore[attr-defined]
    wallet_refunded = card_refunded = 0
    for part in parts:
        to_wallet, to_card = refund_parts(part, wallet_cents - wallet_refunded)
        assert to_card == 0 or wallet_refunded + to_wallet == wallet_cents
        wallet_refunded, card_refunded = wallet_refunded + to_wallet, card_refunded + to_card
    assert (wallet_refunded, card_refunded) == (wallet_cents, card_cents)


MUG_AND_PARCEL = 1800


def refusal(partner: PartnerDomain, **fault: Any) -> PaymentRefused:
    """The refusal of an order of one mug."""
    order = partner.place(email_order_body())
    result = partner.charge(order, **fault)
    assert isinstance(result, PaymentRefused)
    assert result.details == {"team_order_id": order.id}
    assert partner.order(order).status == "unpaid"
    return result


def test_the_wallet_pays_first_and_the_card_pays_the_rest() -> None:
    partner = PartnerDomain(wallet_cents=1000)
    order = partner.buy(email_order_body())
    assert (order.wallet_cents, order.card_cents, order.charged_cents) == (1000, 800, MUG_AND_PARCEL)
    assert (partner.account.cash_cents, partner.wallet_by_ledger(), partner.card_by_ledger()) == (0, 0, 800)


def test_a_charge_is_one_ledger_entry_for_any_number_of_recipients() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body("Bo", "Cy", "Di", "Ed", "Flo"))
    charges = [entry for entry in partner.state[ENTRIES] if entry.kind == "charge"]
    assert [sum(cents for _, cents in entry.postings if cents > 0) for entry in charges] == [order.charged_cents]
    assert order.charged_cents == 5 * MUG_AND_PARCEL


def test_net_terms_can_be_used_up_to_the_credit_limit() -> None:
    partner = PartnerDomain(wallet_cents=0, billing_mode="net_terms", credit_limit_cents=2 * MUG_AND_PARCEL)
    partner.buy(email_order_body())
    partner.buy(email_order_body())
    assert partner.account.cash_cents == -2 * MUG_AND_PARCEL
    assert refusal(partner).code == "credit_limit_exceeded"
    partner.change_account(credit_limit_cents=3 * MUG_AND_PARCEL)
    assert partner.buy(email_order_body()).wallet_cents == MUG_AND_PARCEL


@pytest.mark.parametrize(
    ("account", "code"),
    [
        ({"wallet_cents": 1799, "card": "none"}, "insufficient_funds_no_card"),
        ({"wallet_cents": 1799, "card_fallback": False}, "insufficient_funds"),
        ({"wallet_cents": 0, "card": "declined"}, "card_charge_failed"),
        ({"wallet_cents": 1000, "card": "declined"}, "card_charge_failed"),
        ({"daily_limit_cents": 1799}, "daily_spend_limit_exceeded"),
        ({"billing_mode": "net_terms", "wallet_cents": 0, "credit_limit_cents": 1799}, "credit_limit_exceeded"),
    ],
)
def test_a_refusal_has_the_documented_code_and_charges_nothing(account: dict[str, Any], code: str) -> None:
    partner = PartnerDomain(**account)
    before = partner.account
    assert refusal(partner).code == code
    assert partner.account == before
    assert [charge.status for charge in partner.state[CHARGES]] == ["failed"]


@pytest.mark.parametrize(
    "code",
    [
        "insufficient_funds", "insufficient_funds_no_card", "credit_limit_exceeded", "daily_spend_limit_exceeded",
        "card_charge_failed",
    ],
)  # fmt: skip
def test_a_fault_can_decline_with_every_documented_code(code: str) -> None:
    partner = PartnerDomain()
    assert refusal(partner, declined=code).code == code
    assert partner.account.cash_cents == 500_000


def test_a_declined_card_is_not_charged_if_the_wallet_covers_the_order() -> None:
    partner = PartnerDomain(card="declined")
    assert partner.buy(email_order_body()).card_cents == 0


def test_a_retry_charges_the_same_order_once_it_is_funded() -> None:
    partner = PartnerDomain(wallet_cents=0, card="none")
    order = partner.place(email_order_body())
    assert isinstance(partner.charge(order), PaymentRefused)
    partner.change_account(wallet_cents=5000)
    paid = partner.charge(order)
    assert isinstance(paid, Charge)
    assert partner.charge(order) == paid
    assert partner.account.cash_cents == 5000 - MUG_AND_PARCEL


def test_a_retry_charges_the_remaining_rows_and_their_share_of_the_fees() -> None:
    partner = PartnerDomain(wallet_cents=0, card="none")
    order = partner.place(email_order_body("Bo", "Cy", event={"date": "2027-02-01", "rush": True}))
    partner.charge(order)
    assert order.total_cents == 2 * MUG_AND_PARCEL + 2500
    with partner.state.transaction():
        cancel_recipients(partner.state, order, [partner.rows(order)[0][0].id])
    assert partner.order(order).total_cents == MUG_AND_PARCEL + 1250
    partner.change_account(wallet_cents=5000)
    partner.charge(order)
    assert partner.order(order).charged_cents == MUG_AND_PARCEL + 1250


def test_the_daily_limit_is_per_key_and_resets_with_the_los_angeles_day() -> None:
    partner = PartnerDomain(
        now="2027-01-05T07:00:00Z", daily_limit_cents=3000
    )  # 23:00 of the day before in Los Angeles
    partner.buy(email_order_body())
    assert refusal(partner).code == "daily_spend_limit_exceeded"
    with partner.state.transaction():
        other = issue_key(partner.state, "partner", name="second", account=partner.n)
    assert isinstance(partner.charge(partner.place(email_order_body()), key=other), Charge)
    partner.advance("59m")
    assert refusal(partner).code == "daily_spend_limit_exceeded"
    partner.advance("1m")
    partner.buy(email_order_body())


def test_a_failed_charge_restores_the_daily_limit_but_a_refund_does_not() -> None:
    partner = PartnerDomain(daily_limit_cents=3000, wallet_cents=1000, card="declined")
    assert refusal(partner).code == "card_charge_failed"
    partner.change_account(wallet_cents=5000)
    order = partner.buy(email_order_body())
    with partner.state.transaction():
        cancel_recipients(partner.state, order)
    assert refusal(partner).code == "daily_spend_limit_exceeded"


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        ("2027-01-04T07:59:59Z", "2027-01-03"),
        ("2027-01-04T08:00:00Z", "2027-01-04"),
        ("2027-07-04T06:59:59Z", "2027-07-03"),
        ("2027-07-04T07:00:00Z", "2027-07-04"),
        ("1999-12-31T23:00:00Z", "1999-12-31"),
        ("2096-02-29T08:00:00Z", "2096-02-29"),
    ],
)
def test_the_spend_day_is_the_los_angeles_date(instant: str, day: str) -> None:
    assert spend_day(parse_instant(instant)) == day


def place_crashed_order(partner: PartnerDomain) -> Any:
    """An order whose charge has an unknown outcome, after a crash."""
    order = partner.place(address_order_body())
    with pytest.raises(CrashAfterCharge):
        partner.charge(order, crash=True)
    return order


def test_a_crash_leaves_the_outcome_unknown_and_moves_no_money() -> None:
    partner = PartnerDomain(wallet_cents=2000)
    order = place_crashed_order(partner)
    assert (partner.account.cash_cents, partner.account.held_cents) == (2000, MUG_AND_PARCEL)
    assert [charge.subject for charge in unknown_charges(partner.state)] == [order.n]
    with pytest.raises(OutcomeUnknown):
        partner.charge(order)
    with pytest.raises(OutcomeUnknown), partner.state.transaction():
        cancel_recipients(partner.state, order)
    partner.advance("30d")
    assert (partner.order(order).status, partner.statuses(order)) == ("unpaid", ["submitted"])
    partner.change_account(card="none")
    assert refusal(partner).code == "insufficient_funds_no_card"  # reserved money is not available to other charges


def test_resolving_an_unknown_charge_as_paid_starts_the_order_once() -> None:
    partner = PartnerDomain(wallet_cents=2000)
    order = place_crashed_order(partner)
    partner.resolve_charge(order, "paid")
    assert (partner.account.cash_cents, partner.account.held_cents) == (200, 0)
    assert partner.order(order).status == "in_progress"
    assert isinstance(partner.charge(order), Charge)
    assert partner.account.cash_cents == 200
    partner.advance("5d")
    assert partner.order(order).status == "delivered"
    with pytest.raises(InvalidTransition):
        partner.resolve_charge(order, "failed")


def test_resolving_an_unknown_charge_as_failed_releases_the_money_and_the_order() -> None:
    partner = PartnerDomain(wallet_cents=2000, daily_limit_cents=2000)
    order = place_crashed_order(partner)
    partner.resolve_charge(order, "failed")
    assert (partner.account.cash_cents, partner.account.held_cents) == (2000, 0)
    assert isinstance(partner.charge(order), Charge)
    assert partner.account.cash_cents == 200


@pytest.mark.parametrize(("outcome", "status"), [("paid", "in_progress"), ("failed", "unpaid")])
def test_a_setting_closes_unknown_charges_at_the_next_full_hour(outcome: str, status: str) -> None:
    partner = PartnerDomain(now="2027-01-04T09:10:00Z")
    partner.change_settings(partner__reconcile_unknown=outcome)
    order = place_crashed_order(partner)
    partner.advance("49m")
    assert unknown_charges(partner.state)
    partner.advance("1m")
    assert not unknown_charges(partner.state)
    assert partner.order(order).status == status
    assert partner.account.held_cents == 0


def test_the_setting_applies_to_earlier_crashes() -> None:
    partner = PartnerDomain(now="2027-01-04T09:10:00Z")
    order = place_crashed_order(partner)
    partner.change_settings(partner__reconcile_unknown="paid")
    with partner.state.transaction():
        reschedule_unknown(partner.state)
    partner.advance("1h")
    assert partner.order(order).paid_at_ms == parse_instant("2027-01-04T10:00:00Z")


def test_funds_are_checked_before_a_crash_can_happen() -> None:
    partner = PartnerDomain(wallet_cents=0, card="none")
    assert refusal(partner, crash=True).code == "insufficient_funds_no_card"


def test_an_entry_that_does_not_sum_to_zero_raises() -> None:
    partner = PartnerDomain()
    with pytest.raises(Unbalanced), partner.state.transaction():
        post_entry(partner.state, "charge", "account 0", "nothing", (("wallet 0", -5), ("order 0", 4)))


def test_changes_of_the_wallet_are_ledger_entries() -> None:
    partner = PartnerDomain(wallet_cents=100)
    partner.change_account(wallet_cents=700, add_cents=50, label="Ours")
    assert (partner.account.cash_cents, partner.wallet_by_ledger(), partner.account.label) == (750, 750, "Ours")
    partner.change_account(wallet_cents=750)
    assert [entry.kind for entry in partner.state[ENTRIES]] == ["adjustment"] * 3
    assert partner.state[ACCOUNTS].get(0).owed_cents == 0
