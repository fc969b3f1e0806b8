"""Amounts of money and ids as people type them into forms."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

MOST_CENTS = 10**12
WHOLE = 100


def read_cents(text: str) -> int | None:
    """The cents of an amount in dollars, such as `1,250.50` or `$20`. None if it is none."""
    plain = text.strip().removeprefix("$").replace(",", "").strip()
    try:
        cents = Decimal(plain) * WHOLE
    except InvalidOperation:
        return None
    if not cents.is_finite() or cents != cents.to_integral_value() or abs(cents) > MOST_CENTS:
        return None
    return int(cents)


def dollars(cents: int) -> str:
    """Cents as an amount for a field of a form: 1250 is `12.50`."""
    return f"{cents // WHOLE}.{cents % WHOLE:02d}"


def record_id(text: str) -> int | str:
    """The id of a record as the control API takes it: a number in live mode, a UUID in a sandbox."""
    return int(text) if text.isascii() and text.isdigit() else text
