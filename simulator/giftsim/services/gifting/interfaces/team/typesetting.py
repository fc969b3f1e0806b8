"""Typeset a line of text: its runs of one font, script and direction in the order of reading, shaped by HarfBuzz.

Directions follow the Unicode Bidirectional Algorithm without its explicit marks and brackets, which `printable` removes
or which no name needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple
from unicodedata import bidirectional, category, name

import uharfbuzz as hb

from giftsim.services.gifting.interfaces.team.font_file import FALLBACKS, MAIN, MAIN_BOLD, characters_of, font_file

LEFT, RIGHT, NUMBER, NEUTRAL = "L", "R", "N", ""
KINDS: Final = {"L": LEFT, "R": RIGHT, "AL": RIGHT, "EN": NUMBER, "AN": NUMBER}
# A sign of a number beside it, and a separator between two.
SIGNS, SEPARATORS = frozenset({"ET", "ES"}), frozenset({"CS", "ES"})
# First words of the names of letters and marks that belong to the script beside them.
INHERITED: Final = frozenset({"COMBINING", "MODIFIER", "FEMININE", "MASCULINE", "VARIATION", "ZERO"})


class Glyph(NamedTuple):
    """A glyph of a font, and the characters that it shows, if another glyph does not show them already.

    Its advance and its offset are in thousandths of the font's size.
    """

    number: int
    text: str
    advance: int
    x: int = 0
    y: int = 0


class Run(NamedTuple):
    """Glyphs of one font, from left to right."""

    font: str
    glyphs: tuple[Glyph, ...]


@lru_cache(4096)
def typeset(text: str, bold: bool = False) -> tuple[Run, ...]:
    """The runs of a printable text, from left to right."""
    levels, fonts, scripts = _levels(text), _fonts(text, bold), _scripts(text)
    keys = list(zip(levels, fonts, scripts, strict=True))
    runs, start = [], 0
    for (level, font, _), same in groupby(keys):
        end = start + len(list(same))
        runs.append((level, _shape(font, text[start:end], "rtl" if level % 2 else "ltr")))
        start = end
    return tuple(_in_order(runs))


def width_of(text: str, bold: bool = False) -> int:
    """The width of a printable text in thousandths of the font's size."""
    return sum(glyph.advance for run in typeset(text, bold) for glyph in run.glyphs)


def _shape(font: str, text: str, direction: str) -> Run:
    buffer = hb.Buffer()
    buffer.add_codepoints([ord(char) for char in text])
    buffer.guess_segment_properties()
    buffer.language, buffer.direction = "und", direction  # not the language of this process
    hb.shape(font_file(font).font, buffer)
    starts = sorted({info.cluster for info in buffer.glyph_infos})
    ends = dict(zip(starts, [*starts[1:], len(text)], strict=True))
    glyphs, shown = [], set()
    for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        own = "" if info.cluster in shown else text[info.cluster : ends[info.cluster]]
        shown.add(info.cluster)
        glyphs.append(Glyph(info.codepoint, own, place.x_advance, place.x_offset, place.y_offset))
    return Run(font, tuple(glyphs))


def _fonts(text: str, bold: bool) -> list[str]:
    """The font of each character. A mark and a joiner have that of the character before, if it can print them."""
    choice: list[str] = []
    main = MAIN_BOLD if bold else MAIN
    for char in text:
        order = [main, *FALLBACKS, MAIN]
        if choice and category(char) in ("Mn", "Mc", "Me", "Cf", "Zs"):
            order.insert(0, choice[-1])
        choice.append(next((each for each in order if ord(char) in characters_of(each)), main))
    return choice


def _scripts(text: str) -> list[str]:
    """The script of each character, as the first word of its name; what has none has that of its neighbour."""
    found, current = [], ""
    for char in text:
        word = name(char, "").partition(" ")[0] if category(char)[0] in "LM" else ""
        current = current if word in INHERITED or not word else word
        found.append(current)
    first = next((each for each in found if each), "")
    return [each or first for each in found]


def _levels(text: str) -> list[int]:
    """The level of each character: even ones are read from left to right, odd ones from right to left."""
    kinds = _kinds(text)
    base = next((each for each in kinds if each in (LEFT, RIGHT)), LEFT)
    strong = base
    for place, kind in enumerate(kinds):  # a number among letters that are read from the left is one of them (W7)
        strong = kind if kind in (LEFT, RIGHT) else strong
        kinds[place] = LEFT if kind == NUMBER and strong == LEFT else kind
    _resolve_neutrals(kinds, base)
    numbers = {LEFT: 0, RIGHT: 1, NUMBER: 2} if base == LEFT else {LEFT: 2, RIGHT: 1, NUMBER: 2}
    return [numbers[kind] for kind in kinds]


def _kinds(text: str) -> list[str]:
    classes = [bidirectional(char) for char in text]
    kinds = [KINDS.get(each, NEUTRAL) for each in classes]
    for place, each in enumerate(classes):
        before = kinds[place - 1] if place else NEUTRAL
        after = kinds[place + 1] if place + 1 < len(kinds) else NEUTRAL
        if each == "NSM":
            kinds[place] = before
        elif (each in SIGNS and NUMBER in (before, after)) or (each in SEPARATORS and before == after == NUMBER):
            kinds[place] = NUMBER
    return kinds


def _resolve_neutrals(kinds: list[str], base: str) -> None:
    """Give what has no direction that of its neighbours, if both have the same one, else that of the line (N1, N2)."""
    place = 0
    while place < len(kinds):
        end = next((each for each in range(place, len(kinds)) if kinds[each] != NEUTRAL), len(kinds))
        before = _direction(kinds[place - 1]) if place else base
        after = _direction(kinds[end]) if end < len(kinds) else base
        kinds[place:end] = [before if before == after else base] * (end - place)
        place = end + 1


def _direction(kind: str) -> str:
    return LEFT if kind == LEFT else RIGHT


def _in_order(runs: Sequence[tuple[int, Run]]) -> list[Run]:
    """The runs from left to right: from the highest level on, neighbours of it or a higher one are reversed (L2)."""
    ordered = list(runs)
    for level in range(max((each for each, _ in ordered), default=0), 0, -1):
        start = 0
        while start < len(ordered):
            end = start
            while end < len(ordered) and ordered[end][0] >= level:
                end += 1
            ordered[start:end] = reversed(ordered[start:end])
            start = end + 1
    return [run for _, run in ordered]
