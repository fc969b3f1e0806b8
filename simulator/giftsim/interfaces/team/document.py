"""What a document says, before anybody draws it: its head, its table and its sums."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec


class Column(msgspec.Struct, frozen=True):
    """A column of a table: its heading, its share of the width, and whether it holds figures."""

    heading: str
    share: int
    figures: bool = False


class Paper(msgspec.Struct, frozen=True):
    """A document: `facts` are (label, value) at its head, `party` the lines of whom it is made out to.

    `at_ms` is the instant that the file is dated by, `note` the small print.
    """

    title: str
    number: str
    at_ms: int
    facts: Sequence[tuple[str, str]]
    party: Sequence[str]
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    totals: Sequence[tuple[str, str]]
    note: str


def dollars(cents: int) -> str:
    """`$1,234.50`, with the sign before it."""
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def long_date(day: str) -> str:
    """`2027-01-04` as `January 4, 2027`."""
    found = date.fromisoformat(day)
    return f"{MONTHS[found.month - 1]} {found.day}, {found.year}"


MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
