"""Render previews as PNG: each print area in its shape, with a colored rectangle in place of the artwork.

Artwork is never downloaded (A7.20). The rectangle's color is a hash of the artwork's URL. The same preview has the same
bytes everywhere: a palette of flat colors and uncompressed pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from giftsim.services.gifting.domain.fulfilment.products import PrintArea
from giftsim.services.gifting.domain.team.design.preview import PrintedArea
from giftsim.services.gifting.domain.team.free_text_redaction import remove_private
from giftsim.services.gifting.interfaces.team.font_file import UNIT, printable
from giftsim.services.gifting.interfaces.team.raster_picture import SHADES, Box, Drawing
from giftsim.services.gifting.interfaces.team.typesetting import width_of

# Sizes in pixels. CELL is the square that a print area is fitted into.
CELL, MARGIN, CAPTION, COLUMNS, TEXT = 320, 20, 20, 4, 12
# Indexes in the palette: the paper, shades up to the ink, the product. Each artwork adds its own color after these.
PAPER, INK, PRODUCT, FIRST_ARTWORK = 0, SHADES, SHADES + 1, SHADES + 2
PAPER_COLOR, INK_COLOR, PRODUCT_COLOR = 255, 51, (226, 224, 219)
COVER = "cover"


def render_preview(placements: Sequence[PrintedArea]) -> bytes:
    """The PNG: the print areas side by side, each with a caption that names the area and its artwork."""
    columns = min(len(placements), COLUMNS)
    rows = -(-len(placements) // COLUMNS)
    drawing = Drawing(MARGIN + columns * (CELL + MARGIN), MARGIN + rows * (CAPTION + CELL + MARGIN))
    for index, placement in enumerate(placements):
        left = MARGIN + index % COLUMNS * (CELL + MARGIN)
        top = MARGIN + index // COLUMNS * (CAPTION + CELL + MARGIN)
        _draw_cell(drawing, placement, (left, top), FIRST_ARTWORK + index)
    grays = [PAPER_COLOR - shade * (PAPER_COLOR - INK_COLOR) // SHADES for shade in range(SHADES + 1)]
    return drawing.png([*((gray, gray, gray) for gray in grays), PRODUCT_COLOR, *map(_color, placements)])


def _draw_cell(drawing: Drawing, placement: PrintedArea, corner: tuple[int, int], color: int) -> None:
    left, top = corner
    caption = printable(remove_private(f"{placement.area.name}: {placement.artwork.name} ({placement.fit})"))
    while width_of(caption) * TEXT > CELL * UNIT:
        caption = caption[:-1]
    drawing.text(left, top + TEXT, caption, TEXT)
    area = _area_box(placement.area, left, top + CAPTION)
    drawing.rectangle(area, INK)
    drawing.rectangle((area[0] + 1, area[1] + 1, area[2] - 1, area[3] - 1), PRODUCT)
    drawing.rectangle(_artwork_box(area, placement.fit), color)


def _area_box(area: PrintArea, left: int, top: int) -> Box:
    """The print area in its shape, centered in its cell and as large as fits."""
    longest = max(area.width_px, area.height_px)
    width, height = (max(8, side * CELL // longest) for side in (area.width_px, area.height_px))
    x, y = left + (CELL - width) // 2, top + (CELL - height) // 2
    return (x, y, x + width - 1, y + height - 1)


def _artwork_box(area: Box, fit: str) -> Box:
    """The artwork's place: the whole area for `cover`, else a centered square, since its shape is not known."""
    left, top, right, bottom = area
    if fit == COVER:
        return (left + 1, top + 1, right - 1, bottom - 1)
    side = min(right - left, bottom - top) * 3 // 4
    x, y = (left + right - side) // 2, (top + bottom - side) // 2
    return (x, y, x + side, y + side)


def _color(placement: PrintedArea) -> tuple[int, int, int]:
    """The artwork's color, dark enough to be seen on the product."""
    red, green, blue = sha256(placement.artwork.url.encode()).digest()[:3]
    return (red * 3 // 4, green * 3 // 4, blue * 3 // 4)
