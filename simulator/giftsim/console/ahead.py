"""What happens next in a world, with the names of those it happens to, and when what is on its way arrives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from flask import url_for

from giftsim.console.control_client import WorldControl
from giftsim.console.filters import ref_link
from giftsim.console.journey import arrival_words
from giftsim.console.names import fetch_titles
from giftsim.console.page import IDLE_RUN
from giftsim.console.strip import DUE
from giftsim.console.words import WEBHOOK, coming, whose

Timer = Mapping[str, Any]
_BEGIN = re.compile("^(Arrives|They) ")  # any other beginning is a name or a number
UNKNOWN = 0  # a count
ON_THEIR_WAY = ("collecting_addresses", "in_progress", "in_production", "shipped")
LOOKED_AT, MOST = 12, 3  # of the newest orders, and arrivals


class Ahead(NamedTuple):
    """A row: whose turn it is, with the page about it, what comes, when and why, and how often, or UNKNOWN.

    What is of nobody has its effect as title, and no text.
    """

    title: str
    path: str | None
    text: str
    due: str
    because: str
    times: int


def due_next(world: WorldControl) -> list[dict[str, Any]]:
    """What is due next, without the hourly run if it has nothing to send."""
    return [timer for timer in world.get("timers", limit=DUE)["timers"] if timer["because"] != IDLE_RUN]


def next_steps(timers: Iterable[Timer], most: int, *, complete: bool) -> list[Ahead]:
    """The first rows of these timers, which come in order of time. Without all timers, the last row is not counted."""
    listed = list(timers)
    fetch_titles(timer["about"] for timer in listed)
    rows: dict[tuple[object, ...], Ahead] = {}
    for timer in listed:
        row = _row(timer)
        key = (row.title, row.path, row.text, row.due)
        rows[key] = row._replace(times=rows[key].times + 1) if key in rows else row
    found = list(rows.values())
    if not complete and found:
        found[-1] = found[-1]._replace(times=UNKNOWN)
    return [_together(row) for row in found[:most]]


class Arrival(NamedTuple):
    """An order that is on its way: its title, its page, what it cost, and the words for when it arrives."""

    title: str
    path: str
    cents: int
    text: str


def arrivals(world: WorldControl) -> list[Arrival]:
    """When the newest orders that are on their way arrive."""
    rows = world.get("orders", order="newest", limit=LOOKED_AT)["orders"]
    found = [_arrival(world, row) for row in [row for row in rows if row["status"] in ON_THEIR_WAY][:MOST]]
    return [each for each in found if each.text]


def _arrival(world: WorldControl, row: Timer) -> Arrival:
    journey = world.get("journey", about=f"order:{row['id']}", story=False)
    text = arrival_words(journey["arrives"], journey["now"])
    path = url_for("orders.one", kind="order", record_id=row["id"])
    return Arrival(row["title"], path, row["charged_cents"], _BEGIN.sub(lambda begin: begin[0].lower(), text))


def _row(timer: Timer) -> Ahead:
    about = timer["about"]
    path = url_for("webhooks.show", q="is:failed") if about and about["kind"] == "event" else ref_link(about)
    owner, text = whose(timer), coming(timer)
    title, text = (owner, f"{text[:1].lower()}{text[1:]}") if owner else (text, "")
    return Ahead(title, path, text, timer["due"], timer["because"], 1)


def _together(row: Ahead) -> Ahead:
    """A row of several webhooks names them together."""
    if row.title != WEBHOOK or row.times == 1:
        return row
    return row._replace(title=f"{row.times:,} webhooks" if row.times else "Webhooks", times=1)
