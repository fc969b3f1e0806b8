"""The retry ladder of one delivery as a drawing: attempts made and to come on a scale of time, and the instant now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import log1p
from typing import Any, NamedTuple

from giftsim.frontend.states import answer_text

TOP, HEIGHT, MARGIN = 42, 380, 34
BESIDE = 40  # the height for each attempt beside a ladder that has one rung
TEXT, CLEAR = 22, 14  # how far the text of an attempt reaches below and above it
UNIT_S = 300  # the first delay: near it the scale is almost even, and later attempts still have room
DELIVERED = "delivered"
GOOD, BAD, OPEN, PLANNED = "good", "bad", "open", "planned"


class Mark(NamedTuple):
    """An attempt of the ladder, or beside it: how far down it is, its text, and its number if it was made."""

    y: int
    state: str
    title: str
    after: str
    at: str | None
    seq: int | None


class Drawing(NamedTuple):
    """The marks of a ladder from top to bottom. `now_y` is None if no instant is known."""

    marks: list[Mark]
    others: list[Mark]
    now_y: int | None
    height: int
    summary: str


def draw(delivery: Mapping[str, Any], now: str) -> Drawing:
    """The drawing of a delivery of `GET /events/{id}` at the instant `now`."""
    tried = [row for row in delivery["attempts"] if row["rung"] is not None]
    others = [row for row in delivery["attempts"] if row["rung"] is None]
    known = [row["at"] for row in (*tried, *delivery["planned"]) if row["at"] is not None]
    scale = _Scale([*known, *(row["at"] for row in others)], _height(tried, delivery["planned"], others))
    marks = [
        Mark(scale.y(row["at"]), _state(row), _title(row), scale.after(row["at"]), row["at"], row["seq"])
        for row in tried
    ]
    for i, row in enumerate(delivery["planned"]):
        y = scale.y(row["at"]) if row["at"] is not None else TOP + (len(tried) + i) * (HEIGHT // 9)
        title = f"{row['rung']}: to come"
        marks.append(Mark(y, PLANNED, title, scale.after(row["at"]), row["at"], None))
    beside = [Mark(scale.y(row["at"]), _state(row), row["mark"] or "", "", row["at"], row["seq"]) for row in others]
    is_over = all(mark.state in (GOOD, BAD) for mark in marks)
    now_y = None if is_over else _below_text(scale.y(now), marks, now)
    bottom = max([TOP, *(mark.y for mark in (*marks, *beside)), now_y or 0])
    return Drawing(marks, beside, now_y, bottom + MARGIN, _summary(tried, delivery))


def _height(tried: Sequence[Mapping[str, Any]], planned: Sequence[Any], others: Sequence[Any]) -> int:
    """How high the drawing is: low if the first attempt delivered, whatever was sent again later."""
    at_once = not planned and all(_state(row) == GOOD for row in tried)
    return min(BESIDE * len(others), HEIGHT) if at_once else HEIGHT


def _below_text(y: int, marks: Sequence[Mark], now: str) -> int:
    """Where the current instant is drawn: below the text of the attempt before it, and above the attempt after it."""
    passed = [mark.y for mark in marks if mark.at is not None and mark.at < now]
    coming = [mark.y for mark in marks if mark.y > y]
    below = max(y, max(passed) + TEXT) if passed else y
    return min(below, min(coming) - CLEAR) if coming else below


class _Scale:
    """Maps instants to heights. Later instants lie closer together."""

    def __init__(self, instants: Sequence[str], height: int) -> None:
        self.height = height
        seconds = sorted(map(_seconds, instants)) or [0.0]
        self.first, self.span = seconds[0], max(seconds[-1] - seconds[0], UNIT_S * 4)

    def y(self, instant: str) -> int:
        """How far down an instant is. Instants before the first are above it, and those after the last below it."""
        passed = _seconds(instant) - self.first
        if passed < 0:
            return TOP - 24
        return TOP + min(round(self.height * log1p(passed / UNIT_S) / log1p(self.span / UNIT_S)), self.height + 24)

    def after(self, instant: str | None) -> str:
        """How long after the first one an instant is, as text."""
        if instant is None:
            return "open"
        minutes = round((_seconds(instant) - self.first) / 60)
        days, minutes = divmod(minutes, 1440)
        hours, minutes = divmod(minutes, 60)
        parts = [f"{count} {unit}" for count, unit in ((days, "d"), (hours, "h"), (minutes, "min")) if count]
        return f"+{' '.join(parts[:2])}" if parts else "start"


def _seconds(instant: str) -> float:
    return datetime.fromisoformat(instant).timestamp()


def _state(row: Mapping[str, Any]) -> str:
    if row["outcome"] is None:
        return OPEN
    return GOOD if row["outcome"] == DELIVERED else BAD


def _title(row: Mapping[str, Any]) -> str:
    if row["outcome"] is None:
        return f"{row['rung']}: on its way"
    return f"{row['rung']}: {answer_text(row['status'], row['outcome'])}"


def _summary(tried: Sequence[Mapping[str, Any]], delivery: Mapping[str, Any]) -> str:
    failed = sum(_state(row) == BAD for row in tried)
    if failed and any(row["mark"] == "resend" and _state(row) == GOOD for row in delivery["attempts"]):
        return f"Delivered by resend after {failed} failed {'attempt' if failed == 1 else 'attempts'}."
    if tried and not failed and delivery["status"] == DELIVERED:
        return "Delivered by the first attempt."
    coming = len(delivery["planned"])
    text = f"{len(tried)} of 9 attempts made, {failed} failed; it is {delivery['status']}"
    return f"{text}, and {coming} {'attempt is' if coming == 1 else 'attempts are'} to come." if coming else f"{text}."
