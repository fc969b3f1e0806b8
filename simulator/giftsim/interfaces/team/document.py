"""The content of a document: heading, table and totals, without its layout."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec


class Column(msgspec.Struct, frozen=True):
    """A table column: its heading, its share of the width in percent, and whether its cells are figures."""

    heading: str
    share: int
    figures: bool = False


class Document(msgspec.Struct, frozen=True):
    """A document to print.

    `facts` are pairs of label and value below the title, `party` the lines of the addressee, `at_ms` the file's date,
    `note` the small print.
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


def format_dollars(cents: int) -> str:
    """The amount as `$1,234.50`, or `-$1,234.50` below zero."""
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def format_date(day: str) -> str:
    """The day `2027-01-04` as `January 4, 2027`."""
    parsed = date.fromisoformat(day)
    return f"{MONTHS[parsed.month - 1]} {parsed.day}, {parsed.year}"


MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
