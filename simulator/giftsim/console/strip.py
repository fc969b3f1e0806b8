"""The time strip of a page: what happened lately, now, and what is due, as marks in lanes.

Places are in percent of the width, so that no script has to lay the strip out. A quiet stretch is cut short: between
two instants the strip is as wide as the time between them, but at most an eighth of the whole.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from giftsim.console.filters import day
from giftsim.console.happened import ATTEMPTS
from giftsim.console.outcome import outcome_of, told_once
from giftsim.console.words import coming

PAST, DUE = 300, 60  # changes and timers that are looked at
LANES: Final = ("Your app", "Webhooks", "People", "Clock")
LEFT, RIGHT = 8.0, 99.0  # percent: lane names are left of it
CLOSEST = 0.75  # percent between marks; what is closer joins
CUT = 8  # parts of the whole
LEAST_CUT_S = 24 * 3600
DAY_S: Final = 86_400
STEPS_S: Final = (3600, 6 * 3600, DAY_S, 7 * DAY_S, 30 * DAY_S, 365 * DAY_S)
MOST_TICKS = 60
APART = 6.0  # percent between the names of days
KINDS: Final[Mapping[str, tuple[int, str]]] = {  # of changes: their lane and their shape
    "call": (0, "call"),
    "claim": (2, "person"),
    "delivery": (1, "ok"),
    "control": (2, "person"),
    "timer": (3, "timer"),
}


class Mark(NamedTuple):
    """One thing in the strip, or several that are too close to be told apart. `n` is the change, 0 for what is due."""

    x: float
    lane: int
    shape: str
    title: str
    at: str
    n: int = 0
    things: int = 1
    failed: bool = False


class Tick(NamedTuple):
    """An hour or a day that begins."""

    x: float
    text: str


class Strip(NamedTuple):
    """The strip. `scale` are the places and instants, in ms, between which time is even, as JSON."""

    now: float
    marks: list[Mark]
    ticks: list[Tick]
    folds: list[float]
    scale: str


class Scale:
    """Where instants are."""

    def __init__(self, instants: Iterable[float]) -> None:
        self._instants = sorted(set(instants))
        gaps = [later - earlier for earlier, later in zip(self._instants, self._instants[1:], strict=False)]
        cut = max(LEAST_CUT_S, sum(gaps) / CUT)
        widths = [min(gap, cut) for gap in gaps]
        per_second = (RIGHT - LEFT) / (sum(widths) or 1)
        self._places = [LEFT]
        for width in widths:
            self._places.append(self._places[-1] + width * per_second)
        self.folds = [
            round((self._places[i] + self._places[i + 1]) / 2, 2) for i, gap in enumerate(gaps) if gap > 1.5 * cut
        ]

    def place(self, at: float) -> float:
        """The place of an instant, in percent."""
        i = min(max(bisect_left(self._instants, at), 1), len(self._instants) - 1)
        (begin, end), (left, right) = self._instants[i - 1 : i + 1], self._places[i - 1 : i + 1]
        return round(left + (right - left) * (at - begin) / (end - begin), 2)

    def ticks(self) -> list[Tick]:
        """Hours, days or months: the shortest of which enough have room for their names."""
        found: list[Tick] = []
        for step in STEPS_S:
            found, all_of_them = self._ticks(step)
            if len(found) * (2 if step < DAY_S else 5) >= all_of_them:
                break
        return found

    def _ticks(self, step: int) -> tuple[list[Tick], int]:
        """Those that have room, and how many there are; far too many are not looked at."""
        first, last = self._instants[0], self._instants[-1]
        count = int((last - first) // step) + 1
        found: list[Tick] = []
        for i in range(count if count <= MOST_TICKS else 0):
            at = first - first % step + step * (i + 1)
            x = self.place(at)
            if at < last and x < RIGHT - APART / 2 and x >= (found[-1].x if found else LEFT - APART) + APART:
                found.append(Tick(x, _name(at, step)))
        return found, count

    def as_json(self) -> str:
        """The places and instants, in ms."""
        pairs = zip(self._places, self._instants, strict=True)
        return json.dumps([[round(place, 3), round(at * 1000)] for place, at in pairs], separators=(",", ":"))


def strip_of(now: str, changes: Sequence[Mapping[str, Any]], timers: Sequence[Mapping[str, Any]], idle: str) -> Strip:
    """The strip at an instant, with changes of the past and timers. Timers that are due because of `idle` are left out.

    It begins an hour before the first change, and ends at least a week from now.
    """
    past = [row for row in told_once(changes) if _is_shown(row)]
    due = [row for row in timers if row["because"] != idle]
    present = _seconds(now)
    instants = [present, *(_seconds(row["at"]) for row in past), *(_seconds(row["due"]) for row in due)]
    scale = Scale([*instants, min(instants) - 3600, max(*instants, present + 7 * DAY_S)])
    marks = [_past(row, scale) for row in past] + [_due(row, scale) for row in due]
    return Strip(scale.place(present), list(_joined(marks)), scale.ticks(), scale.folds, scale.as_json())


def _is_shown(row: Mapping[str, Any]) -> bool:
    return row["kind"] in KINDS and str(row["summary"]).partition(":")[0] not in ATTEMPTS


def _past(row: Mapping[str, Any], scale: Scale) -> Mark:
    lane, shape = KINDS[row["kind"]]
    summary = str(row["summary"])
    text = summary if row["kind"] != "timer" else summary.rpartition(", ")[2]
    return Mark(
        scale.place(_seconds(row["at"])),
        lane,
        shape,
        f"{day(row['at'])}: {text}",
        row["at"],
        row["n"],
        1,
        outcome_of(row).failed,
    )


def _due(row: Mapping[str, Any], scale: Scale) -> Mark:
    lane = 1 if row["kind"] in ATTEMPTS else 3
    return Mark(scale.place(_seconds(row["due"])), lane, "due", f"{day(row['due'])}: {coming(row)}", row["due"])


def _joined(marks: Sequence[Mark]) -> Iterator[Mark]:
    """Marks by lane and place; those that are too close to the one before join it."""
    last: Mark | None = None
    for mark in sorted(marks, key=lambda mark: (mark.lane, mark.x, mark.n)):
        if last and last.lane == mark.lane and mark.x - last.x < CLOSEST and (last.n > 0) == (mark.n > 0):
            things = last.things + 1
            title = f"{things} things up to {mark.title}"
            last = last._replace(at=mark.at, n=mark.n, things=things, title=title, failed=last.failed or mark.failed)
            continue
        if last:
            yield last
        last = mark
    if last:
        yield last


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def _name(at: float, step: int) -> str:
    begin = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=at)
    if step <= DAY_S:
        return f"{begin:%H:%M}" if begin.hour else f"{begin:%a} {begin.day}"
    return f"{begin.day} {begin:%b}" if step <= 7 * DAY_S else f"{begin:%b} {begin.year}"
