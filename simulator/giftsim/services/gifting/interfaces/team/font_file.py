"""The fonts of printed documents and previews, read with HarfBuzz, and which characters they can print."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import category, normalize

import uharfbuzz as hb

MAIN: Final = "FiraGO_Regular"
MAIN_BOLD: Final = "FiraGO_Bold"
NOTO: Final = "NotoSans_Regular"
CJK: Final = "noto_cjk_sans_jp_regular"
# The fonts to search for characters that the main font does not have.
FALLBACKS: Final = (NOTO, CJK)
BOX: Final = "\u25af"
# All lengths are in thousandths of the font's size, whatever its own unit is.
UNIT: Final = 1000
# Characters without a width that shape the letters beside them: the zero-width joiner and non-joiner.
_JOINERS: Final = ("\u200c", "\u200d")


class FontFile(NamedTuple):
    """A font: its file, its glyphs in thousandths of its size, and the code points that it has."""

    face: hb.Face
    font: hb.Font
    characters: frozenset[int]

    @property
    def is_cff(self) -> bool:
        """Whether its outlines are PostScript's, and not TrueType's."""
        return "CFF " in self.face.table_tags


@cache
def font_file(name: str) -> FontFile:
    """A font by its name. ImportError if its package is not installed."""
    if name == CJK:
        data = Path(str(import_module(CJK).FONT_PATH)).read_bytes()
    else:
        data = import_module(f"pymupdf_fonts.{name}").fontbuffer
    face = hb.Face(data)
    font = hb.Font(face)
    font.scale = (UNIT, UNIT)
    return FontFile(face, font, frozenset(face.unicodes))


@cache
def characters_of(name: str) -> frozenset[int]:
    """The code points that a font has; none if its package is not installed."""
    if name == CJK and find_spec(CJK) is None:
        return frozenset()
    return font_file(name).characters


def printable(text: str) -> str:
    """The text, composed and without control characters."""
    return "".join(_printable_char(char) for char in normalize("NFC", text))


def _printable_char(char: str) -> str:
    kind = category(char)
    if kind == "Cc" or kind[0] == "Z":
        return " "
    if kind == "Cf":
        return char if char in _JOINERS and _has_glyph(char) else ""
    if kind != "Co" and _has_glyph(char):
        return char
    similar = [each for each in normalize("NFKD", char) if each != char and _has_glyph(each)]
    return "".join(similar) or ("" if kind[0] == "M" else BOX)


def _has_glyph(char: str) -> bool:
    return any(ord(char) in characters_of(name) for name in (MAIN, *FALLBACKS))
