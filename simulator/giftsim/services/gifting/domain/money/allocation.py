"""Split amounts into whole cents without remainder, and divide refunds between wallet and card (B15, P-3.13)."""

from __future__ import annotations

from collections.abc import Sequence


def split(total_cents: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Split `total_cents` in proportion to `weights` by the largest-remainder method; ties go to the first part.

    The parts add up exactly, and each is its ideal share rounded up or down. A weight of 0 gets nothing; if all are 0,
    the parts are equal. ValueError for negative numbers, and for an amount without weights.
    """
    if total_cents < 0 or any(weight < 0 for weight in weights):
        raise ValueError(f"cannot split {total_cents} cents by {list(weights)}: a number is negative")
    if not weights and total_cents:
        raise ValueError(f"cannot split {total_cents} cents: there are no weights")
    total_weight = sum(weights)
    if not total_weight:
        return split(total_cents, (1,) * len(weights)) if weights else ()
    parts = [total_cents * weight // total_weight for weight in weights]
    left_cents = total_cents - sum(parts)
    by_remainder = sorted(range(len(weights)), key=lambda i: -(total_cents * weights[i] % total_weight))
    for i in by_remainder[:left_cents]:
        parts[i] += 1
    return tuple(parts)


def refund_parts(amount_cents: int, wallet_left_cents: int) -> tuple[int, int]:
    """`(wallet_cents, card_cents)` of a refund: the wallet's part of the charge is refunded first (P-3.13).

    `wallet_left_cents` is what the wallet paid for the whole order minus what was already refunded to it.
    """
    if amount_cents < 0 or wallet_left_cents < 0:
        raise ValueError(f"cannot refund {amount_cents} cents with {wallet_left_cents} cents left for the wallet")
    wallet_cents = min(amount_cents, wallet_left_cents)
    return wallet_cents, amount_cents - wallet_cents
