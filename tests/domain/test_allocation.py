"""Amounts are split without losing or adding a cent, and refunds go to the wallet first (B15, P-3.13)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.domain.money.allocation import recipient_shares, refund_parts, split

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


def test_a_share_is_the_own_amount_and_an_equal_part_of_the_event_fees() -> None:
    assert recipient_shares(10_000, (5000, 2000, 500), 2500) == (5834, 2833, 1333)
    assert recipient_shares(0, (5000, 2000), 2500) == (0, 0)
    assert recipient_shares(2500, (0, 0), 2500) == (1250, 1250)
    assert recipient_shares(0, (), 0) == ()


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=100), st.integers(0, 10**6))
def test_the_shares_of_a_full_charge_are_exact(own_cents: list[int], fees: int) -> None:
    parts = recipient_shares(sum(own_cents) + fees, own_cents, fees)
    assert parts == tuple(own + fee for own, fee in zip(own_cents, split(fees, [1] * len(own_cents)), strict=True))


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
