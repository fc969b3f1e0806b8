"""The health of a world, which every page shows: the chip of the time bar, and the counts of the navigation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from flask import url_for

from giftsim.console.control_client import WorldControl
from giftsim.console.filters import firstup, plural, until
from giftsim.console.presets import BY_NAME

Row = Mapping[str, Any]
# The list that a page of the navigation counts, by the endpoint of the page.
COUNTED: Final = {
    "orders.orders": "orders",
    "orders.gifts": "gifts",
    "orders.campaigns": "campaigns",
    "inbox.show": "inbox",
    "webhooks.show": "webhooks",
    "calls.show": "calls",
    "faults.show": "faults",
}
EVERY_HOST = "*"


class Counts(NamedTuple):
    """How many records of a list fail, and how many wait."""

    failed: int = 0
    waiting: int = 0


class Broken(NamedTuple):
    """What is broken on purpose: an outage or a fault, its end, what else to say, and the field that ends it."""

    title: str
    note: str
    since: str | None
    until: str | None
    is_on: bool
    field: tuple[str, str]
    path: str


class Health(NamedTuple):
    """The line of health: no `text` if all is well. `pending` webhooks wait, those that are `lost` were given up."""

    text: str
    tone: str
    broken: list[Broken]
    pending: int
    lost: int
    counts: Mapping[str, Counts]


def read_health(world: WorldControl, now: str) -> Health:
    """The health of a world, read once for each page."""
    found = world.get("attention")
    counts = {row["place"]: Counts(row["failed"], row["waiting"]) for row in found["places"]}
    webhooks = Counts(found["undelivered"]["given_up"], found["undelivered"]["pending"])
    broken = [*(_outage(row, now) for row in found["outages"]), *(_fault(row, now) for row in found["faults"])]
    down = [row for row in found["outages"] if row["since"] <= now]
    parts = list(_parts(down, [row for row in broken if row.field[0] == "fault"], webhooks, now))
    text = firstup(", ".join(parts))
    tone = "bad" if down or webhooks.failed else "wait"
    counts["faults"] = Counts(failed=sum(row.is_on for row in broken))
    return Health(text, tone, broken, webhooks.waiting, webhooks.failed, counts)


def span(then: str, now: str) -> str:
    """The span between two instants in its largest unit: `22 h`."""
    count, unit = until(then, now).removeprefix("in ").split()[:2]
    return f"{count} {unit}"


def _parts(down: list[Row], faults: list[Broken], webhooks: Counts, now: str) -> Iterator[str]:
    """The parts of the line, such as `outage 22 h`, `2 faults` and `15 waiting`."""
    if down:
        ends = span(max(row["until"] for row in down), now)
        yield f"outage {ends}" if len(down) == 1 else f"{len(down)} outages {ends}"
    if faults:
        yield plural(len(faults), "fault")
    if webhooks.waiting:
        yield f"{webhooks.waiting:,} waiting"
    if webhooks.failed:
        yield f"{webhooks.failed:,} given up"


def _outage(row: Row, now: str) -> Broken:
    host = "Every host" if row["host"] == EVERY_HOST else row["host"]
    note, path = f"answers {row['status']}", url_for("webhooks.show")
    return Broken(host, note, row["since"], row["until"], row["since"] <= now, ("host", row["host"]), path)


def _fault(row: Row, now: str) -> Broken:
    preset = BY_NAME.get(row["id"])
    title = preset.title if preset else row["title"]
    note = f"hit {plural(row['hits'], 'time')}" if row["hits"] else "not hit yet"
    is_on = not row["since"] or row["since"] <= now
    return Broken(firstup(title), note, row["since"], row["until"], is_on, ("fault", row["id"]), url_for("faults.show"))
