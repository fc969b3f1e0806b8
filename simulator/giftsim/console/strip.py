"""The time strip of a page: what happened lately, now, and what is due, as the script of all time strips draws it.

Places go from 0 to 100, and follow time. A quiet stretch is cut short: between two instants the strip is as wide as
the time between them, but at most an eighth of the whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from giftsim.console.filters import day
from giftsim.console.happened import ATTEMPTS
from giftsim.console.outcome import outcome_of, told_once
from giftsim.console.words import coming

PAST, DUE = 300, 60  # changes and timers that are looked at
LANES: Final = (("app", "Your app"), ("webhooks", "Webhooks"), ("people", "People"), ("clock", "Clock"))
END = 100.0
CUT = 8  # parts of the whole
LEAST_CUT_S = 24 * 3600
DAY_S: Final = 86_400
STEPS_S: Final = (3600, 6 * 3600, DAY_S, 7 * DAY_S, 30 * DAY_S, 365 * DAY_S)
MOST_TICKS = 60
APART = 6.5  # between the names of days
KINDS: Final[Mapping[str, tuple[str, str]]] = {  # of changes: their lane and their shape
    "call": ("app", "call"),
    "claim": ("people", "person"),
    "delivery": ("webhooks", "sent"),
    "control": ("people", "person"),
    "timer": ("clock", "timer"),
}


class Entry(NamedTuple):
    """One thing in the strip. `n` is the change, 0 for what is due."""

    place: float
    lane: str
    shape: str
    title: str
    at: str
    n: int = 0
    failed: bool = False


class Scale:
    """Where instants are."""

    def __init__(self, instants: Iterable[float]) -> None:
        self._instants = sorted(set(instants))
        gaps = [later - earlier for earlier, later in zip(self._instants, self._instants[1:], strict=False)]
        cut = max(LEAST_CUT_S, sum(gaps) / CUT)
        widths = [min(gap, cut) for gap in gaps]
        per_second = END / (sum(widths) or 1)
        self._places = [0.0]
        for width in widths:
            self._places.append(self._places[-1] + width * per_second)
        self.folds = [
            {"place": round((self._places[i] + self._places[i + 1]) / 2, 2), "span": round(gap * 1000)}
            for i, gap in enumerate(gaps)
            if gap > 1.5 * cut
        ]
        self.points = [
            [round(place, 3), round(at * 1000)] for place, at in zip(self._places, self._instants, strict=True)
        ]

    def place(self, at: float) -> float:
        """The place of an instant."""
        i = min(max(bisect_left(self._instants, at), 1), len(self._instants) - 1)
        (begin, end), (left, right) = self._instants[i - 1 : i + 1], self._places[i - 1 : i + 1]
        return round(left + (right - left) * (at - begin) / (end - begin), 2)

    def ticks(self) -> list[dict[str, Any]]:
        """Hours, days or months: the shortest of which enough have room for their names."""
        found: list[dict[str, Any]] = []
        for step in STEPS_S:
            found, all_of_them = self._ticks(step)
            if len(found) * (2 if step < DAY_S else 5) >= all_of_them:
                break
        return found

    def _ticks(self, step: int) -> tuple[list[dict[str, Any]], int]:
        """Those that have room, and how many there are; far too many are not looked at."""
        first, last = self._instants[0], self._instants[-1]
        count = int((last - first) // step) + 1
        found: list[dict[str, Any]] = []
        for i in range(count if count <= MOST_TICKS else 0):
            at = first - first % step + step * (i + 1)
            x = self.place(at)
            if at < last and x < END - APART / 2 and x >= (found[-1]["place"] if found else -APART) + APART:
                found.append({"place": x, "text": _name(at, step)})
        return found, count


def build_strip(
    now: str, changes: Sequence[Mapping[str, Any]], timers: Sequence[Mapping[str, Any]], idle: str
) -> dict[str, Any]:
    """The strip at an instant, with changes of the past and timers. Timers that are due because of `idle` are left out.

    It begins an hour before the first change, and ends at least a week from now. `points` are the places and instants,
    in ms, between which time is even.
    """
    past = [row for row in told_once(changes) if _is_shown(row)]
    due = [row for row in timers if row["because"] != idle]
    present = _seconds(now)
    instants = [present, *(_seconds(row["at"]) for row in past), *(_seconds(row["due"]) for row in due)]
    scale = Scale([*instants, min(instants) - 3600, max(*instants, present + 7 * DAY_S)])
    entries = sorted([*(_past(row, scale) for row in past), *(_due(row, scale) for row in due)], key=_order)
    return {
        "end": END,
        "lanes": LANES,
        "entries": [entry._asdict() for entry in entries],
        "folds": scale.folds,
        "ticks": scale.ticks(),
        "now": scale.place(present),
        "points": scale.points,
    }


def _order(entry: Entry) -> tuple[float, bool, int]:
    return entry.place, entry.n == 0, entry.n


def _is_shown(row: Mapping[str, Any]) -> bool:
    return row["kind"] in KINDS and str(row["summary"]).partition(":")[0] not in ATTEMPTS


def _past(row: Mapping[str, Any], scale: Scale) -> Entry:
    lane, shape = KINDS[row["kind"]]
    summary = str(row["summary"])
    text = summary if row["kind"] != "timer" else summary.rpartition(", ")[2]
    place, title = scale.place(_seconds(row["at"])), f"{day(row['at'])}: {text}"
    return Entry(place, lane, shape, title, row["at"], row["n"], outcome_of(row).failed)


def _due(row: Mapping[str, Any], scale: Scale) -> Entry:
    lane = "webhooks" if row["kind"] in ATTEMPTS else "clock"
    return Entry(scale.place(_seconds(row["due"])), lane, "due", f"{day(row['due'])}: {coming(row)}", row["due"])


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def _name(at: float, step: int) -> str:
    begin = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=at)
    if step <= DAY_S:
        return f"{begin:%H:%M}" if begin.hour else f"{begin:%a} {begin.day}"
    return f"{begin.day} {begin:%b}" if step <= 7 * DAY_S else f"{begin:%b} {begin.year}"
