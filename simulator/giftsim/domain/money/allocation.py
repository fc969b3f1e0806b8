"""Shares of an amount in whole cents that always add up to it, and where a refund goes (B15, P-3.13)."""

from __future__ import annotations

from collections.abc import Sequence


def split(total_cents: int, weights: Sequence[int]) -> tuple[int, ...]:
    """`total_cents` by `weights`, by largest remainder; among equal remainders the first gets the odd cent.

    The parts add up exactly and each is its ideal share rounded up or down. A weight of 0 gets nothing; if all are 0,
    the parts are equal. ValueError for negative numbers, and for an amount without anyone to take it.
    """
    if total_cents < 0 or any(weight < 0 for weight in weights):
        raise ValueError(f"no shares of {total_cents} cents by {list(weights)}: a number is negative")
    if not weights and total_cents:
        raise ValueError(f"nobody to share {total_cents} cents among")
    whole = sum(weights)
    if not whole:
        return split(total_cents, (1,) * len(weights)) if weights else ()
    floors = [total_cents * weight // whole for weight in weights]
    odd_cents = total_cents - sum(floors)
    by_remainder = sorted(range(len(weights)), key=lambda place: -(total_cents * weights[place] % whole))
    for place in by_remainder[:odd_cents]:
        floors[place] += 1
    return tuple(floors)


def recipient_shares(charged_cents: int, own_cents: Sequence[int], event_fees_cents: int) -> tuple[int, ...]:
    """What each recipient has of a charge: own items and shipping, and an equal part of the event fees (B15).

    `own_cents` is one amount per recipient. The shares add up to `charged_cents`, so refunding all refunds the charge.
    """
    return split(charged_cents, [own * len(own_cents) + event_fees_cents for own in own_cents])


def refund_parts(amount_cents: int, wallet_left_cents: int) -> tuple[int, int]:
    """`(wallet_cents, card_cents)` of a refund: the wallet's part of the charge is given back first (P-3.13).

    `wallet_left_cents` is what the wallet paid for the whole order less what earlier refunds gave back to it.
    """
    if amount_cents < 0 or wallet_left_cents < 0:
        raise ValueError(f"no refund of {amount_cents} cents with {wallet_left_cents} left for the wallet")
    wallet_cents = min(amount_cents, wallet_left_cents)
    return wallet_cents, amount_cents - wallet_cents
