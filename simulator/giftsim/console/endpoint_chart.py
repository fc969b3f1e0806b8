"""How the attempts of an endpoint went, as a drawing: bars for periods of time, and bands for outages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from giftsim.console.filters import plural, short, until

HEIGHT, BASE = 92, 93  # pixels of the highest bar, and where the line below the bars is
LEAST, APART = 3, 2  # pixels of a bar of one attempt among hundreds, and between delivered and failed
FILLED = 0.64  # of a period, by its bar
MOST_AHEAD = 0.5  # how much of an outage that goes on is drawn, as a part of the past
LEAST_BAND, LEAST_LABEL = 0.8, 14.0  # percent: of a short outage, and of one whose name fits
TICKS: Final = 6
LATEST_LABEL = 92.0  # percent, so that the text of a tick fits
DAY_S: Final = 86_400
Row = Mapping[str, Any]


class Bar(NamedTuple):
    """A period: its left edge and width in percent, two heights in pixels, and a text."""

    x: float
    width: float
    delivered: int
    failed: int
    title: str


class Band(NamedTuple):
    """An outage: its left edge and width in percent, its name if that fits, and a text."""

    x: float
    width: float
    name: str
    title: str


class Tick(NamedTuple):
    """An instant below the bars."""

    x: float
    text: str


class Chart(NamedTuple):
    """The drawing. `now_x` is in percent."""

    bars: list[Bar]
    bands: list[Band]
    ticks: list[Tick]
    now_x: float


def draw_chart(history: Row, outage: Row | None, now: str) -> Chart | None:
    """The drawing of an endpoint's history at an instant, with the outage that is simulated; None without attempts."""
    periods = history["periods"]
    if not periods:
        return None
    first, last = _seconds(periods[0]["from"]), _seconds(periods[-1]["to"])
    if outage and _seconds(outage["to"]) > last:
        last = min(_seconds(outage["to"]), last + (last - first) * MOST_AHEAD)
    scale = _Scale(first, last)
    bands = [*_simulated(scale, outage, now), *_failing(scale, history["failing"], outage, now)]
    return Chart(list(_bars(scale, periods)), bands, _ticks(first, last, scale), scale.x(_seconds(now)))


class _Scale(NamedTuple):
    first: float
    last: float

    def x(self, second: float) -> float:
        """How far to the right an instant is, in percent."""
        return round(min(max((second - self.first) / (self.last - self.first), 0), 1) * 100, 2)


def _bars(scale: _Scale, periods: Sequence[Row]) -> Iterator[Bar]:
    most = max(row["delivered"] + row["failed"] for row in periods) or 1
    for row in periods:
        x, end = scale.x(_seconds(row["from"])), scale.x(_seconds(row["to"]))
        width = (end - x) * FILLED
        counts = f"{row['delivered']} delivered, {row['failed']} failed"
        yield Bar(
            round(x + (end - x - width) / 2, 2),
            round(width, 2),
            _height(row["delivered"], most),
            _height(row["failed"], most),
            f"{short(row['from'])}: {counts}",
        )


def _height(count: int, most: int) -> int:
    return max(round((HEIGHT - 20) * count / most), LEAST) if count else 0


def _failing(scale: _Scale, failing: Sequence[Row], outage: Row | None, now: str) -> Iterator[Band]:
    """The times without a delivery, as they were; the last may go on."""
    for row in failing:
        ends = row["until"] or now
        span = until(ends, row["from"]).removeprefix("in ")
        title = (
            f"Nothing was delivered for {span}, from {short(row['from'])}: {plural(row['attempts'], 'attempt')} failed"
        )
        is_known = outage and outage["from"] <= row["from"] < outage["to"]
        yield _band(scale, row["from"], ends, "" if is_known else f"Down, {span}", title)


def _simulated(scale: _Scale, outage: Row | None, now: str) -> Iterator[Band]:
    """The simulated outage, also if it is to come or over."""
    if outage is None:
        return
    left = until(outage["to"], now).removeprefix("in ")
    name = f"Outage, {left} left" if outage["from"] <= now < outage["to"] else "Outage"
    title = f"A simulated outage, from {short(outage['from'])} until {short(outage['to'])}"
    yield _band(scale, outage["from"], outage["to"], name, title)


def _band(scale: _Scale, starts: str, ends: str, name: str, title: str) -> Band:
    x = scale.x(_seconds(starts))
    width = max(scale.x(_seconds(ends)) - x, LEAST_BAND)
    return Band(x, round(width, 2), name if width >= LEAST_LABEL else "", title)


def _ticks(first: float, last: float, scale: _Scale) -> list[Tick]:
    """At most TICKS instants, evenly: hours within a day, days with hours within TICKS days, and otherwise days."""
    step = (last - first) / TICKS
    instants = [first + step * i for i in range(TICKS)]
    return [
        Tick(scale.x(second), _tick_text(second, last - first))
        for second in instants
        if scale.x(second) <= LATEST_LABEL
    ]


def _tick_text(second: float, span: float) -> str:
    at = datetime.fromtimestamp(second, UTC)
    return (
        f"{at:%H:%M}"
        if span <= DAY_S
        else f"{at:%a} {at.day} {at:%H:%M}"
        if span <= DAY_S * TICKS
        else f"{at.day} {at:%b}"
    )


def _seconds(instant: str) -> float:
    return datetime.fromisoformat(instant).timestamp()
