"""The figures of a world's home: how many of each kind, and how it went lately, as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from flask import url_for

from giftsim.console.filters import plural
from giftsim.console.happened import ATTEMPTS
from giftsim.console.outcome import outcome_of, told_once

BARS, HEIGHT, APART = 24, 22, 10  # how many bars, and the pixels of each
OF = {"Orders": "partner", "Mail": "partner"}  # the interface without which a world has no such figure
Rows = Sequence[Mapping[str, Any]]


class Bar(NamedTuple):
    """A bar: its left edge, its upper edge and height in pixels, and whether anything in it failed."""

    x: int
    y: int
    height: int
    failed: bool


class Figure(NamedTuple):
    """A figure: what it counts, the count, what else there is to say, its page and its bars."""

    title: str
    value: str
    note: str
    path: str
    bars: list[Bar]


def figures(world: Mapping[str, Any], lately: Rows) -> list[Figure]:
    """Orders, webhooks, calls and mail of a world, with its latest changes."""
    counts = world["counts"]
    moves = [row for row in lately if row["kind"] == "timer" and str(row["summary"]).partition(":")[0] not in ATTEMPTS]
    calls, mail = (_of(kind, lately) for kind in ("call", "mail"))
    sent = [row for row in told_once(_of("delivery", lately)) if outcome_of(row).ended]
    bad_calls, lost = (sum(outcome_of(row).failed for row in rows) for rows in (calls, sent))
    arrived = f"{_percent(len(sent) - lost, len(sent))}%" if sent else "–"
    told = f"{len(sent) - lost} of {plural(len(sent), 'attempt')}"
    rows = (
        ("Orders", f"{counts['orders']:,}", plural(len(moves), "step") + " lately", "orders.orders", moves),
        ("Webhooks delivered", arrived, told, "webhooks.show", sent),
        (
            "Your app’s calls",
            f"{counts['calls']:,}",
            f"{bad_calls} failed lately" if bad_calls else "",
            "calls.show",
            calls,
        ),
        ("Mail", f"{len(mail):,}", "lately", "inbox.show", mail),
    )
    span = _span(lately)
    return [
        Figure(title, value, note, url_for(page), _bars(of, span))
        for title, value, note, page, of in rows
        if OF.get(title, "control") in world["urls"]
    ]


def _percent(part: int, whole: int) -> int:
    """A share, rounded; 0 only for nothing and 100 only for everything."""
    return round(100 * part / whole) if part in (0, whole) else min(max(round(100 * part / whole), 1), 99)


def _of(kind: str, rows: Rows) -> Rows:
    return [row for row in rows if row["kind"] == kind]


def _span(rows: Rows) -> tuple[float, float]:
    """When the first of the rows began, in seconds, and how long a bar lasts."""
    if not rows:
        return 0.0, 1.0
    first, last = (datetime.fromisoformat(row["at"]).timestamp() for row in (rows[0], rows[-1]))
    return first, max((last - first) / BARS, 1.0)


def _bars(rows: Rows, span: tuple[float, float]) -> list[Bar]:
    first, step = span
    groups: list[list[bool]] = [[] for _ in range(BARS)]
    for row in rows:
        place = int((datetime.fromisoformat(row["at"]).timestamp() - first) / step)
        groups[min(max(place, 0), BARS - 1)].append(outcome_of(row).failed)
    most = max(map(len, groups)) or 1
    heights = [max(round(HEIGHT * len(group) / most), 3) if group else 1 for group in groups]
    return [Bar(i * APART, HEIGHT - height, height, any(groups[i])) for i, height in enumerate(heights)]
