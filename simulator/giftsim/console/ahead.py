"""What happens next in a world, with the names of those it happens to: what is alike at one instant is one row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from flask import url_for

from giftsim.console.filters import ref_link, words
from giftsim.console.names import fetch_titles
from giftsim.console.words import WEBHOOK, coming, whose

Timer = Mapping[str, Any]
UNKNOWN = 0  # a count


class Ahead(NamedTuple):
    """A row: whose turn it is, with the page about it, what comes, when and why, and how often, or UNKNOWN."""

    title: str
    path: str | None
    text: str
    due: str
    because: str
    count: int


def next_steps(timers: Iterable[Timer], most: int, *, complete: bool) -> list[Ahead]:
    """The first rows of these timers, which come in order of time. Without all timers, the last row is not counted."""
    listed = list(timers)
    fetch_titles(timer["about"] for timer in listed)
    rows: dict[tuple[object, ...], Ahead] = {}
    for timer in listed:
        row = _row(timer)
        key = (row.title, row.path, row.text, row.due)
        rows[key] = row._replace(count=rows[key].count + 1) if key in rows else row
    found = list(rows.values())
    if not complete and found:
        found[-1] = found[-1]._replace(count=UNKNOWN)
    return [_together(row) for row in found[:most]]


def _row(timer: Timer) -> Ahead:
    about = timer["about"]
    path = url_for("webhooks.show", q="is:waiting") if about and about["kind"] == "event" else ref_link(about)
    title, text = whose(timer) or words(timer["subject"]), coming(timer)
    return Ahead(title, path, f"{text[:1].lower()}{text[1:]}", timer["due"], timer["because"], 1)


def _together(row: Ahead) -> Ahead:
    """A row of several webhooks names them together."""
    if row.title != WEBHOOK or row.count == 1:
        return row
    return row._replace(title=f"{row.count:,} webhooks" if row.count else "Webhooks", count=1)
