"""The name and the color of the sender of a page. Text keeps a contrast of 4.5 to 1 in every color (G165)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

Rgb = tuple[int, int, int]

LEAST_CONTRAST = 4.5
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
LIGHT_PAPERS = ("#ffffff", "#f3f1ec")  # card and page, as in page.css
DARK_PAPERS = ("#1c222d", "#12161d")
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")
_LETTER = re.compile(r"[^\W_]")


class Theme(NamedTuple):
    """Who a page is from: a name, and a color written #RRGGBB; None is giftsim's own look. `sheets` are its styles."""

    name: str | None = None
    color: str | None = None
    sheets: tuple[str, ...] = ("page.css",)

    @property
    def initials(self) -> str:
        """The first letters of the first two words of the name."""
        words = [match[0] for match in map(_LETTER.search, (self.name or "").split()) if match]
        return "".join(words[:2]).upper()

    @property
    def css(self) -> str:
        """The variables of the style sheet that depend on the color."""
        return _css(self.color) if self.color and _COLOR.fullmatch(self.color) else ""


PLAIN = Theme()


def contrast(one: str, other: str) -> float:
    """The contrast of two colors as the Web Content Accessibility Guidelines define it, from 1 to 21."""
    dark, light = sorted((_luminance(_rgb(one)), _luminance(_rgb(other))))
    return (light + 0.05) / (dark + 0.05)


def readable(color: str, papers: tuple[str, ...], toward: Rgb) -> str:
    """The color itself if text in it can be read on all papers, else mixed with black or white until it can."""
    red, green, blue = _rgb(color)
    for share in range(0, 101, 4):
        mixed = _text(tuple(round(a + (b - a) * share / 100) for a, b in zip((red, green, blue), toward, strict=True)))
        if all(contrast(mixed, paper) >= LEAST_CONTRAST for paper in papers):
            return mixed
    return _text(toward)


@lru_cache(maxsize=256)
def _css(color: str) -> str:
    on_brand = "#ffffff" if contrast(color, "#ffffff") >= LEAST_CONTRAST else "#000000"
    light, dark = readable(color, LIGHT_PAPERS, BLACK), readable(color, DARK_PAPERS, WHITE)
    return (
        f":root {{ --brand: {color.lower()}; --on-brand: {on_brand}; --accent: {light}; }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ --accent: {dark}; }} }}\n"
    )


def _rgb(color: str) -> Rgb:
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue


def _text(rgb: tuple[int, ...]) -> str:
    return f"#{bytes(rgb).hex()}"


def _luminance(rgb: Rgb) -> float:
    red, green, blue = (_linear(value / 255) for value in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
