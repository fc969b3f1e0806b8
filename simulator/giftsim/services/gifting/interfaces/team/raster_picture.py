"""Draw rectangles and text with a palette, and write the picture as PNG: the same bytes on every machine."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from giftsim.services.gifting.interfaces.team.font_file import UNIT, font_file
from giftsim.services.gifting.interfaces.team.typesetting import typeset

# Entries 1 to SHADES of a palette are shades between the paper, which is 0, and the ink.
SHADES: Final = 4
STEPS: Final = 4  # points of a pixel in each direction that a letter may cover
CURVE: Final = 4  # straight pieces of a curve
STORED_BLOCK: Final = 65_535

Point = tuple[float, float]
Box = tuple[int, int, int, int]


class Drawing:
    """A picture whose pixels are entries of a palette. All lengths are in pixels, from the upper left corner."""

    def __init__(self, width: int, height: int) -> None:
        self._rows = [bytearray(width) for _ in range(height)]

    def rectangle(self, box: Box, color: int) -> None:
        """Fill a rectangle: left, top, right and bottom, all of them within it."""
        left, top, right, bottom = box
        for row in self._rows[top : bottom + 1]:
            row[left : right + 1] = bytes((color,)) * (right + 1 - left)

    def text(self, x: float, y: float, text: str, size: int) -> None:
        """Write a line of printable text in ink, with its baseline at y."""
        for run in typeset(text):
            for glyph in run.glyphs:
                place = (x + glyph.x * size / UNIT, y - glyph.y * size / UNIT)
                self._fill(_outline(run.font, glyph.number), place, size / UNIT)
                x += glyph.advance * size / UNIT

    def png(self, palette: Sequence[tuple[int, int, int]]) -> bytes:
        """The bytes of the PNG."""
        size = len(self._rows[0]).to_bytes(4, "big") + len(self._rows).to_bytes(4, "big")
        colors = b"".join(map(bytes, palette))
        pixels = _stored(b"".join(b"\0" + row for row in self._rows))
        chunks = ((b"IHDR", size + b"\x08\x03\0\0\0"), (b"PLTE", colors), (b"IDAT", pixels), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)

    def _fill(self, edges: Sequence[tuple[Point, Point]], place: Point, scale: float) -> None:
        """Shade each pixel by how many of its points are inside the outline."""
        covered: dict[tuple[int, int], int] = {}
        placed = [((place[0] + a * scale, place[1] - b * scale), (place[0] + c * scale, place[1] - d * scale))
                  for (a, b), (c, d) in edges]  # fmt: skip
        heights = [point[1] for edge in placed for point in edge]
        for step in range(int(min(heights, default=0) * STEPS), int(max(heights, default=0) * STEPS) + 1):
            for left, right in _spans(placed, (step + 0.5) / STEPS):
                for point in range(int(left * STEPS + 0.5), int(right * STEPS + 0.5)):
                    pixel = (step // STEPS, point // STEPS)
                    covered[pixel] = covered.get(pixel, 0) + 1
        for (row, column), points in covered.items():
            if 0 <= row < len(self._rows) and 0 <= column < len(self._rows[0]):
                shade = -(-points * SHADES // STEPS**2)
                self._rows[row][column] = max(self._rows[row][column], min(shade, SHADES))


def _spans(edges: Sequence[tuple[Point, Point]], y: float) -> list[Point]:
    """The parts of a horizontal line that are inside an outline, by the winding of its edges."""
    crossings = sorted(
        (ax + (y - ay) * (bx - ax) / (by - ay), 1 if ay < by else -1)
        for (ax, ay), (bx, by) in edges
        if min(ay, by) <= y < max(ay, by)
    )
    spans, winding, start = [], 0, 0.0
    for x, turn in crossings:
        start = x if winding == 0 else start
        winding += turn
        if winding == 0:
            spans.append((start, x))
    return spans


class _Pen:
    """Notes the outline of a glyph as straight edges, in thousandths of the font's size."""

    def __init__(self) -> None:
        self.edges: list[tuple[Point, Point]] = []
        self._start: Point = (0, 0)
        self._at: Point = (0, 0)

    def moveTo(self, point: Point) -> None:  # noqa: N802  # the names of HarfBuzz
        self._start = self._at = point

    def lineTo(self, point: Point) -> None:  # noqa: N802
        self.edges.append((self._at, point))
        self._at = point

    def qCurveTo(self, *points: Point) -> None:  # noqa: N802
        self._curve((self._at, *points))

    def curveTo(self, *points: Point) -> None:  # noqa: N802
        self._curve((self._at, *points))

    def closePath(self) -> None:  # noqa: N802
        self.lineTo(self._start)

    def _curve(self, points: Sequence[Point]) -> None:
        for piece in range(1, CURVE + 1):
            share, row = piece / CURVE, list(points)
            while len(row) > 1:  # de Casteljau
                row = [(a + (c - a) * share, b + (d - b) * share) for (a, b), (c, d) in pairwise(row)]
            self.lineTo(row[0])


@cache
def _outline(font: str, number: int) -> list[tuple[Point, Point]]:
    pen = _Pen()
    font_file(font).font.draw_glyph_with_pen(number, pen)
    return pen.edges


def _chunk(kind: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")


def _stored(content: bytes) -> bytes:
    """The content as zlib reads it, uncompressed."""
    blocks = [content[start : start + STORED_BLOCK] for start in range(0, len(content), STORED_BLOCK)]
    parts = [b"\x78\x01"]
    for number, block in enumerate(blocks, start=1):
        size = len(block).to_bytes(2, "little")
        parts += [bytes((number == len(blocks),)), size, bytes(255 - byte for byte in size), block]
    return b"".join([*parts, zlib.adler32(content).to_bytes(4, "big")])
