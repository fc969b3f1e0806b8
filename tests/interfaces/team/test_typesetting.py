"""How printed names are typeset: direction, fonts and shapes; and how their glyphs get into a file and a picture."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from giftsim.services.gifting.interfaces.team.font_file import MAIN, MAIN_BOLD, NOTO, printable
from giftsim.services.gifting.interfaces.team.pdf import wrapped
from giftsim.services.gifting.interfaces.team.pdf_file import PdfFile
from giftsim.services.gifting.interfaces.team.raster_picture import SHADES, Drawing
from giftsim.services.gifting.interfaces.team.typesetting import typeset, width_of

POINTED = "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd"  # shalom with its vowels
ARABIC, HEBREW = "\u0645\u062d\u0645\u062f", "\u05e9\u05e8\u05d4"


def shown(text: str) -> str:
    """The characters of a text as their glyphs stand from left to right."""
    return "".join(glyph.text for run in typeset(printable(text)) for glyph in run.glyphs)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        (HEBREW, HEBREW[::-1]),
        (f"Acme {HEBREW} Ltd", f"Acme {HEBREW[::-1]} Ltd"),
        (f"{HEBREW} Acme", f"Acme {HEBREW[::-1]}"),
        (f"{HEBREW} 123", f"123 {HEBREW[::-1]}"),
        (f"Order 42, {HEBREW} 7", f"Order 42, 7 {HEBREW[::-1]}"),
        (f"{HEBREW} 1,250.50 (Ltd)", f")Ltd( 1,250.50 {HEBREW[::-1]}"),  # brackets are mirrored by their glyphs
        (f"{HEBREW} -5%", f"-5% {HEBREW[::-1]}"),
    ],
)
def test_each_part_is_read_in_its_own_direction(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_arabic_letters_join_and_other_scripts_form_their_clusters() -> None:
    joined = [glyph.number for run in typeset(ARABIC) for glyph in run.glyphs]
    alone = [typeset(char)[0].glyphs[0].number for char in ARABIC]
    assert set(joined).isdisjoint(alone[:-1])
    conjunct = "\u0915\u094d\u0937"  # ka, virama, ssa: one glyph
    assert [glyph.text for run in typeset(conjunct) for glyph in run.glyphs][:1] == [conjunct]
    assert width_of(conjunct) < width_of("\u0915") + width_of("\u0937")


def test_a_character_that_the_main_font_lacks_is_of_another_and_its_mark_too() -> None:
    assert [run.font for run in typeset("Ada")] == [MAIN]
    assert [run.font for run in typeset("Ada", bold=True)] == [MAIN_BOLD]
    assert NOTO in {run.font for run in typeset(printable("Sa\u1e43gha \u1f88"))} | {MAIN, NOTO}


def test_marks_are_moved_to_their_letters() -> None:
    moved = [glyph for run in typeset(POINTED) for glyph in run.glyphs if glyph.x or glyph.y]
    assert moved
    file = PdfFile()
    file.add_page()
    file.write(50, 50, POINTED, 10)
    [content] = file.pages[0]
    numbers = re.sub(r"<[0-9a-f]+>", " ", "".join(re.findall(r"\[(.*?)\] TJ", content))).split()
    assert [number for number in numbers if not re.fullmatch(r"-?\d+", number)] == []


def test_a_paragraph_is_broken_at_spaces_and_a_long_word_anywhere() -> None:
    lines = list(wrapped("one two three four five", 50, 10))
    assert " ".join(lines) == "one two three four five"
    assert len(lines) > 1
    pieces = list(wrapped("x" * 100, 50, 10))
    assert "".join(pieces) == "x" * 100
    assert all(width_of(piece) * 10 <= 50_000 for piece in [*lines, *pieces])


def test_a_picture_shows_letters_in_shades_and_rectangles_as_they_are() -> None:
    drawing = Drawing(40, 20)
    drawing.text(2, 15, "O", 14)
    drawing.rectangle((30, 5, 34, 9), SHADES + 1)
    palette = [(255 - 50 * shade,) * 3 for shade in range(SHADES + 1)] + [(1, 2, 3)]
    picture = Image.open(io.BytesIO(drawing.png(palette)))
    assert picture.size == (40, 20)
    pixels = picture.convert("RGB")
    assert pixels.getpixel((30, 5)) == pixels.getpixel((34, 9)) == (1, 2, 3)
    assert pixels.getpixel((29, 5)) == pixels.getpixel((35, 9)) == (255, 255, 255)
    inks = {pixels.getpixel((x, 10)) for x in range(2, 14)}
    assert (255, 255, 255) in inks, "the inside of the letter"
    assert len(inks) > 1, "its stroke"
