"""Pictures of gifts: a drawing chosen by the words of the name, in the color that an option names (G167).

Nothing is loaded from anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from markupsafe import Markup

DRAWINGS: Final[Mapping[str, Markup]] = {
    "parcel": Markup(
        '<rect class="thing" x="5" y="17" width="38" height="25" rx="4"/>'
        '<path d="M24 17v25M5 26h38M24 17C15 6 6 14 24 17c18-3 9-11 0 0"/>'
    ),
    "tee": Markup('<path class="thing" d="M17 7c2 4 12 4 14 0l12 6-4 10-5-2v20H14V21l-5 2-4-10z"/>'),
    "hoodie": Markup(
        '<path class="thing" d="M17 8c2-4 12-4 14 0l9 6 4 22h-7l-2-11v17H13V25l-2 11H4l4-22z"/>'
        '<path d="M17 8c0 6 14 6 14 0M17 29h14l3 8H14zM21 14v7M27 14v7"/>'
    ),
    "cap": Markup(
        '<path class="thing" d="M8 30c0-24 30-24 30-2 5 1 8 4 7 8-8-5-28-6-37-3z"/>'
        '<path d="M23 12v-3M8 30c8-3 22-4 30-2M23 12c-5 4-6 11-6 17"/>'
    ),
    "socks": Markup(
        '<path class="thing" d="M18 6h12v20l9 7c6 5-2 12-9 8l-9-6c-2-1-3-3-3-5z"/>'
        '<path d="M18 13h12M27 40c1-5 5-8 10-7"/>'
    ),
    "mug": Markup(
        '<path d="M34 19h5c7 0 7 16-5 16"/>'
        '<path class="thing" d="M9 13h25v22c0 4-3 7-7 7H16c-4 0-7-3-7-7z"/>'
        '<path d="M17 8c0-3 2-2 2-5M25 8c0-3 2-2 2-5"/>'
    ),
    "bottle": Markup(
        '<path class="thing" d="M19 11h10v4c0 3 5 4 5 9v17c0 2-1 4-4 4H18c-3 0-4-2-4-4V24c0-5 5-6 5-9z"/>'
        '<path d="M18 5h12v6H18zM14 26h20"/>'
    ),
    "notebook": Markup(
        '<rect class="thing" x="11" y="5" width="28" height="38" rx="3"/>'
        '<path d="M17 5v38M8 12h6M8 20h6M8 28h6M8 36h6M24 15h9"/>'
    ),
    "pen": Markup('<path class="thing" d="M35 5l8 8-27 27-11 3 3-11z"/><path d="M30 10l8 8M8 32l8 8"/>'),
    "tote": Markup('<path d="M17 17C17 0 31 0 31 17"/><path class="thing" d="M8 17h32l3 27H5z"/>'),
    "backpack": Markup(
        '<path d="M18 10C18 2 30 2 30 10"/>'
        '<path class="thing" d="M10 22c0-16 28-16 28 0v18c0 2-1 4-4 4H14c-3 0-4-2-4-4z"/>'
        '<path d="M15 29h18v9H15zM18 18h12"/>'
    ),
    "jar": Markup(
        '<path class="thing" d="M11 15h26v24c0 3-2 5-5 5H16c-3 0-5-2-5-5z"/><path d="M13 6h22v9H13zM11 24h26v11H11z"/>'
    ),
    "plant": Markup(
        '<path d="M24 30V14M24 22C12 22 11 13 11 9c9 0 13 5 13 13zM24 18c0-9 5-13 13-13 0 8-5 13-13 13z"/>'
        '<path class="thing" d="M12 30h24l-4 14H16z"/>'
    ),
    "umbrella": Markup(
        '<path class="thing" d="M4 25C6 1 42 1 44 25c-4-4-9-4-13 0-4-4-10-4-14 0-4-4-9-4-13 0z"/>'
        '<path d="M24 22v16c0 7 9 7 9 0M24 7V4"/>'
    ),
    "headphones": Markup(
        '<path d="M8 28C5 2 43 2 40 28"/>'
        '<rect class="thing" x="6" y="26" width="9" height="16" rx="4"/>'
        '<rect class="thing" x="33" y="26" width="9" height="16" rx="4"/>'
    ),
    "speaker": Markup(
        '<rect class="thing" x="10" y="4" width="28" height="40" rx="6"/>'
        '<circle cx="24" cy="29" r="8"/>'
        '<circle cx="24" cy="13" r="3"/>'
    ),
    "lamp": Markup('<path class="thing" d="M17 6h14l9 18H8z"/><path d="M24 24v18M14 43h20"/>'),
    "blanket": Markup(
        '<path class="thing" d="M6 12h36v22H6z"/><path d="M6 19h36M6 27h36M10 34v5M17 34v5M24 34v5M31 34v5M38 34v5"/>'
    ),
    "card": Markup('<rect class="thing" x="4" y="11" width="40" height="27" rx="4"/><path d="M4 20h40M10 30h10"/>'),
    "sweets": Markup(
        '<path class="thing" d="M24 42C-8 22 12 0 24 15c12-15 32 7 0 27z"/><path d="M14 17c-3 2-3 5-2 7"/>'
    ),
}


PARCEL = "parcel"
SHAPES: Final[Mapping[str, str]] = {
    word: shape
    for shape, words in {
        "tee": "tee shirt tshirt top jersey",
        "hoodie": "hoodie sweater sweatshirt jacket fleece pullover",
        "cap": "cap hat beanie",
        "socks": "sock socks",
        "mug": "mug cup",
        "bottle": "bottle flask tumbler",
        "notebook": "notebook planner book journal diary",
        "pen": "pen pens pencil pencils",
        "tote": "tote bag",
        "backpack": "backpack rucksack",
        "jar": "candle jar honey coffee tea",
        "plant": "plant succulent",
        "umbrella": "umbrella",
        "headphones": "headphones earphones headset",
        "speaker": "speaker charger cable powerbank",
        "lamp": "lamp light",
        "blanket": "blanket mat towel scarf",
        "card": "card game puzzle sticker stickers voucher ticket pin lanyard",
        "sweets": "chocolate chocolates snack snacks sweets",
    }.items()
    for word in words.split()
}

COLORS: Final[Mapping[str, str]] = {
    "black": "#26282c",
    "white": "#ffffff",
    "navy": "#1f2f57",
    "blue": "#2f6fc4",
    "sky": "#8fc1ea",
    "red": "#c9343a",
    "burgundy": "#6d1f2f",
    "green": "#2e8b57",
    "forest": "#22543d",
    "olive": "#6b6b35",
    "mint": "#a8dcc4",
    "yellow": "#f2c53d",
    "orange": "#e8833a",
    "pink": "#e79ab5",
    "purple": "#7a54a8",
    "charcoal": "#44484f",
    "grey": "#9aa0a8",
    "gray": "#9aa0a8",
    "silver": "#c3c8ce",
    "steel": "#b6bec7",
    "sand": "#dcc9a3",
    "natural": "#ece3cf",
    "cream": "#f4ecd8",
    "beige": "#e0d3b8",
    "brown": "#7c5a3c",
    "gold": "#cda43a",
    "teal": "#1f7a7a",
    "turquoise": "#3fb8af",
}
_WORD = re.compile(r"[a-z]+")


class Picture(NamedTuple):
    """A drawing, and the color of the thing in it; None is the color of the page."""

    shape: str
    color: str | None = None

    @property
    def drawing(self) -> Markup:
        """The elements inside `<svg>`."""
        return DRAWINGS[self.shape]


def picture_of(name: str) -> Picture:
    """The picture of an item: a parcel if no word of its name has a drawing."""
    return Picture(_shape(name) or PARCEL, _color(name))


def picture_of_option(option: str, item: str) -> Picture | None:
    """The picture of an option: the item in that color, or a drawing for the option's name. None without either."""
    shape, color = _shape(option), _color(option)
    if shape is None and color is None:
        return None
    return Picture(shape or _shape(item) or PARCEL, color)


def _shape(name: str) -> str | None:
    """The drawing for the last word that has one: "book bag" is drawn as a bag."""
    return next((SHAPES[word] for word in reversed(_words(name)) if word in SHAPES), None)


def _color(name: str) -> str | None:
    return next((COLORS[word] for word in reversed(_words(name)) if word in COLORS), None)


def _words(name: str) -> list[str]:
    return _WORD.findall(name.lower())
