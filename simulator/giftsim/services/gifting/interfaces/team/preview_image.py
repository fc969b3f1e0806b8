"""Render previews as PNG with Pillow: each print area in its shape, with a colored rectangle in place of the artwork.

Artwork is never downloaded (A7.20). The rectangle's color is a hash of the artwork's URL. The same preview has the same
bytes everywhere: a palette of flat colors, a bitmap font, and uncompressed pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from giftsim.services.gifting.domain.fulfilment.products import PrintArea
from giftsim.services.gifting.domain.team.design.preview import PrintedArea
from giftsim.services.gifting.domain.team.free_text_redaction import remove_private

# Sizes in pixels. CELL is the square that a print area is fitted into.
CELL, MARGIN, CAPTION, COLUMNS = 320, 20, 20, 4
CAPTION_CHARACTERS = (CELL - 8) // 6
# Indexes in the palette. Each artwork adds its own color, from FIRST_ARTWORK on.
PAPER, PRODUCT, INK, FIRST_ARTWORK = 0, 1, 2, 3
COLORS = ((255, 255, 255), (226, 224, 219), (51, 51, 51))
COVER = "cover"

Box = tuple[int, int, int, int]


def render_preview(placements: Sequence[PrintedArea]) -> bytes:
    """The PNG: the print areas side by side, each with a caption that names the area and its artwork."""
    columns = min(len(placements), COLUMNS)
    rows = -(-len(placements) // COLUMNS)
    size = (MARGIN + columns * (CELL + MARGIN), MARGIN + rows * (CAPTION + CELL + MARGIN))
    image = Image.new("P", size, PAPER)
    image.putpalette([value for color in (*COLORS, *(_color(each) for each in placements)) for value in color])
    draw = ImageDraw.Draw(image)
    for index, placement in enumerate(placements):
        left = MARGIN + index % COLUMNS * (CELL + MARGIN)
        top = MARGIN + index // COLUMNS * (CAPTION + CELL + MARGIN)
        _draw_cell(draw, placement, (left, top), FIRST_ARTWORK + index)
    png = BytesIO()
    image.save(png, "PNG", compress_level=0)
    return png.getvalue()


def _draw_cell(draw: ImageDraw.ImageDraw, placement: PrintedArea, corner: tuple[int, int], color: int) -> None:
    left, top = corner
    caption = remove_private(f"{placement.area.name}: {placement.artwork.name} ({placement.fit})")
    text = caption.encode("latin-1", "replace").decode("latin-1")[:CAPTION_CHARACTERS]
    draw.text((left, top), text, fill=INK, font=ImageFont.load_default_imagefont())
    area = _area_box(placement.area, left, top + CAPTION)
    draw.rectangle(area, fill=PRODUCT, outline=INK)
    draw.rectangle(_artwork_box(area, placement.fit), fill=color)


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
