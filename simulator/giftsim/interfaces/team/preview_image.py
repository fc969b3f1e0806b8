"""Previews as PNG, drawn by Pillow: every print area in its shape, with a plate of color where the artwork goes.

Nothing is downloaded (A7.20), so that a plate stands for the image: its color follows from the artwork's URL. The same
preview is the same bytes: flat colors of a palette, a bitmap font, and pixels that are stored, not deflated.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from giftsim.domain.fulfilment.catalogue import PrintArea
from giftsim.domain.team.studio.preview import Printed

CELL, MARGIN, CAPTION, COLUMNS = 320, 20, 20, 4
LETTERS = (CELL - 8) // 6
PAPER, GOODS, INK, FIRST_PLATE = 0, 1, 2, 3
COLORS = ((255, 255, 255), (226, 224, 219), (51, 51, 51))
COVER = "cover"

Box = tuple[int, int, int, int]


def paint(shown: Sequence[Printed]) -> bytes:
    """The image: the areas side by side, each under its name and the artwork's."""
    columns = min(len(shown), COLUMNS)
    rows = -(-len(shown) // COLUMNS)
    size = (MARGIN + columns * (CELL + MARGIN), MARGIN + rows * (CAPTION + CELL + MARGIN))
    image = Image.new("P", size, PAPER)
    image.putpalette([value for color in (*COLORS, *(_color(each) for each in shown)) for value in color])
    draw = ImageDraw.Draw(image)
    for place, each in enumerate(shown):
        left = MARGIN + place % COLUMNS * (CELL + MARGIN)
        top = MARGIN + place // COLUMNS * (CAPTION + CELL + MARGIN)
        _panel(draw, each, (left, top), FIRST_PLATE + place)
    written = BytesIO()
    image.save(written, "PNG", compress_level=0)
    return written.getvalue()


def _panel(draw: ImageDraw.ImageDraw, each: Printed, at: tuple[int, int], plate: int) -> None:
    left, top = at
    caption = f"{each.area.name}: {each.artwork.name} ({each.fit})"
    text = caption.encode("latin-1", "replace").decode("latin-1")[:LETTERS]
    draw.text((left, top), text, fill=INK, font=ImageFont.load_default_imagefont())
    area = _area_box(each.area, left, top + CAPTION)
    draw.rectangle(area, fill=GOODS, outline=INK)
    draw.rectangle(_plate_box(area, each.fit), fill=plate)


def _area_box(area: PrintArea, left: int, top: int) -> Box:
    """The area in its shape, as large as a cell allows and in its middle."""
    longest = max(area.width_px, area.height_px)
    width, height = (max(8, side * CELL // longest) for side in (area.width_px, area.height_px))
    x, y = left + (CELL - width) // 2, top + (CELL - height) // 2
    return (x, y, x + width - 1, y + height - 1)


def _plate_box(area: Box, fit: str) -> Box:
    """Where the artwork goes: all of the area for `cover`, else a square in its middle, as nobody knows its shape."""
    left, top, right, bottom = area
    if fit == COVER:
        return (left + 1, top + 1, right - 1, bottom - 1)
    side = min(right - left, bottom - top) * 3 // 4
    x, y = (left + right - side) // 2, (top + bottom - side) // 2
    return (x, y, x + side, y + side)


def _color(each: Printed) -> tuple[int, int, int]:
    """A color of the artwork's own, never so light that it is lost on the goods."""
    red, green, blue = sha256(each.artwork.url.encode()).digest()[:3]
    return (red * 3 // 4, green * 3 // 4, blue * 3 // 4)
