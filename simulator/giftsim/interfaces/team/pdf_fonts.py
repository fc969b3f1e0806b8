"""The fonts of PDFs, which come with packages and are embedded, so that a page looks the same on every machine.

FiraGO has Latin, Greek, Cyrillic, Georgian, Arabic, Hebrew, Devanagari and Thai, in two weights. Noto Sans has the rest
of Latin and Cyrillic. Noto Sans CJK has Chinese, Japanese and Korean; its package is large and belongs to the extra
`cjk`. A character that no installed font has is printed as its nearest letters, or else as an empty box.
"""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from unicodedata import category, normalize

from fontTools.ttLib import TTFont

MAIN, MAIN_BOLD = "FiraGO_Regular", "FiraGO_Bold"
NOTO, CJK = "NotoSans_Regular", "noto_cjk_sans_jp_regular"
# Where a character is looked for that the main font does not have.
FALLBACKS = (NOTO, CJK)
BOX = "\u25af"
# Characters without a width that shape the letters beside them: the zero-width joiner and non-joiner.
_JOINERS = ("\u200c", "\u200d")


@cache
def font_path(name: str) -> Path:
    """The path of a font's file. Fonts that their package has in Python modules are written to a directory once."""
    if name == CJK:
        return Path(str(import_module(CJK).FONT_PATH))
    path = _directory() / f"{name}.ttf"
    path.write_bytes(import_module(f"pymupdf_fonts.{name}").fontbuffer)
    return path


@cache
def characters_of(name: str) -> frozenset[int]:
    """The code points that a font has; none if its package is not installed."""
    if name == CJK and find_spec(CJK) is None:
        return frozenset()
    with TTFont(font_path(name), lazy=True) as font:
        return frozenset(font.getBestCmap())


def printable(text: str) -> str:
    """The text with what the fonts have: composed, without control characters."""
    return "".join(_printable_char(char) for char in normalize("NFC", text))


def fallbacks_for(text: str) -> list[str]:
    """The fonts beside the main one that a printable text needs."""
    rest = {ord(char) for char in text} - characters_of(MAIN)
    return [name for name in FALLBACKS if not rest.isdisjoint(characters_of(name))] if rest else []


@cache
def _directory() -> Path:
    directory = mkdtemp(prefix="giftsim-fonts-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return Path(directory)


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
