"""Pictures of what a gift is: a drawing by the words of its name, in the color that an option names (G167).

Nothing is loaded from anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from markupsafe import Markup

from giftsim.interfaces.claim.drawings import DRAWINGS

PARCEL = "parcel"
SHAPES: Final[Mapping[str, str]] = MappingProxyType(
    {
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
)

COLORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "black": "#26282c", "white": "#ffffff", "navy": "#1f2f57", "blue": "#2f6fc4", "sky": "#8fc1ea",
        "red": "#c9343a", "burgundy": "#6d1f2f", "green": "#2e8b57", "forest": "#22543d", "olive": "#6b6b35",
        "mint": "#a8dcc4", "yellow": "#f2c53d", "orange": "#e8833a", "pink": "#e79ab5", "purple": "#7a54a8",
        "charcoal": "#44484f", "grey": "#9aa0a8", "gray": "#9aa0a8", "silver": "#c3c8ce", "steel": "#b6bec7",
        "sand": "#dcc9a3", "natural": "#ece3cf", "cream": "#f4ecd8", "beige": "#e0d3b8", "brown": "#7c5a3c",
        "gold": "#cda43a", "teal": "#1f7a7a", "turquoise": "#3fb8af",
    }
)  # fmt: skip
_WORD = re.compile(r"[a-z]+")


class Picture(NamedTuple):
    """A drawing, and the color of the thing in it; None is the color of the page."""

    shape: str
    color: str | None = None

    @property
    def drawing(self) -> Markup:
        """The inside of the SVG."""
        return DRAWINGS[self.shape]


def picture_of(name: str) -> Picture:
    """The picture of an item, a parcel if its name says nothing else."""
    return Picture(_shape(name) or PARCEL, _color(name))


def picture_of_option(option: str, item: str) -> Picture | None:
    """The picture of an option of an item: the item in that color, or a thing of its own. None if it is neither."""
    shape, color = _shape(option), _color(option)
    if shape is None and color is None:
        return None
    return Picture(shape or _shape(item) or PARCEL, color)


def _shape(name: str) -> str | None:
    """The drawing for the last word that has one: in "book bag" the bag counts."""
    return next((SHAPES[word] for word in reversed(_words(name)) if word in SHAPES), None)


def _color(name: str) -> str | None:
    return next((COLORS[word] for word in reversed(_words(name)) if word in COLORS), None)


def _words(name: str) -> list[str]:
    return _WORD.findall(name.lower())
