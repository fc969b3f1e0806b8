"""A line plot as SVG, with text and grid of its own and nothing of anybody else's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 34, 44
COLORS = ("#2563eb", "#c2410c", "#15803d", "#7e22ce")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#374151}.title{font-weight:600;font-size:13px}"
    ".grid{stroke:#e5e7eb}.axis{stroke:#9ca3af}"
    "@media(prefers-color-scheme:dark){text{fill:#d1d5db}.grid{stroke:#374151}.axis{stroke:#6b7280}}"
)


@dataclass(frozen=True)
class Line:
    """A named line through points of numbers above 0."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Plot:
    """Lines over one logarithmic axis; the other one starts at 0, or is logarithmic too."""

    title: str
    across: str
    up: str
    lines: Sequence[Line]
    logarithmic: bool = False

    def svg(self) -> str:
        """The plot as the text of an SVG file."""
        body = [*self._across(), *self._up(), *self._lines()]
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        title = f'<text class="title" x="{LEFT}" y="18">{escape(self.title)}</text>'
        return "\n".join(
            [head, f"<title>{escape(self.title)}</title>", f"<style>{STYLE}</style>", title, *body, "</svg>\n"]
        )

    def _across(self) -> Iterable[str]:
        low, high = self._range(0)
        for exponent in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1):
            x = self._x(10**exponent)
            yield f'<path class="grid" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
            yield _text(x, HEIGHT - BOTTOM + 16, _written(10**exponent), "middle")
        yield f'<path class="axis" d="M{LEFT} {HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
        yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, self.across, "middle")

    def _up(self) -> Iterable[str]:
        for value in self._ticks():
            y = self._y(value)
            yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
            yield _text(LEFT - 8, y + 4, _written(value), "end")
        yield _text(LEFT - 60, TOP - 4, self.up, "start")

    def _lines(self) -> Iterable[str]:
        for i, line in enumerate(self.lines):
            color = COLORS[i % len(COLORS)]
            places = [(self._x(across), self._y(up)) for across, up in line.points]
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
            yield f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"/>'
            yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places)
            yield f'<circle cx="{WIDTH - RIGHT + 16}" cy="{TOP + 14 + i * 20}" r="4" fill="{color}"/>'
            yield _text(WIDTH - RIGHT + 26, TOP + 18 + i * 20, line.name, "start")

    def _ticks(self) -> list[float]:
        low, high = self._range(1)
        if self.logarithmic:
            return [10.0**each for each in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
        step = 10 ** math.floor(math.log10(high))
        step = next(step * part for part in (0.2, 0.5, 1, 2) if high / (step * part) <= 6)
        return [step * i for i in range(math.ceil(high / step) + 1)]

    def _range(self, axis: int) -> tuple[float, float]:
        values = [point[axis] for line in self.lines for point in line.points]
        return min(values), max(values)

    def _x(self, value: float) -> float:
        low, high = self._range(0)
        part = math.log(value / low) / math.log(high / low) if high > low else 0.5
        return LEFT + part * (WIDTH - LEFT - RIGHT)

    def _y(self, value: float) -> float:
        ticks = self._ticks()
        part = math.log(value / ticks[0]) / math.log(ticks[-1] / ticks[0]) if self.logarithmic else value / ticks[-1]
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _written(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:g}"
