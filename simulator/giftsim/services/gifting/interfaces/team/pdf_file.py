"""Write a PDF file: pages of typeset text and lines, with the glyphs that they use of each font.

Why not a library: those that shape text need a second one to cut fonts down, and both together took 45 MB. HarfBuzz,
which shapes it, cuts them down too. Nothing is compressed, because the compressed bytes depend on the machine's zlib:
the same document has the same bytes everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import uharfbuzz as hb

from giftsim.services.gifting.interfaces.team.font_file import UNIT, FontFile, font_file
from giftsim.services.gifting.interfaces.team.typesetting import Glyph, typeset

WIDTH, HEIGHT = 612, 792  # letter, in points
# Tables that a printed text does not need: it is shaped, and its glyphs are known by their numbers.
NOT_EMBEDDED: Final = (
    "BASE", "cmap", "DSIG", "GDEF", "GPOS", "GSUB", "name", "OS/2", "post", "TTFA", "VORG", "gasp", "vhea", "vmtx",
)  # fmt: skip
_RUNS = re.compile(rb"(.)\1{2,127}|(?:(?!(.)\2\2).){1,128}", re.DOTALL)
_END_OF_RUNS = b"\x80"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def run_length_encode(content: bytes) -> bytes:
    """The content for the PDF filter `RunLengthDecode`: the same everywhere, unlike zlib's, and short enough."""
    parts = []
    for run in _RUNS.finditer(content):
        length = len(run[0])
        parts.append(bytes((length - 1,)) + run[0] if run[1] is None else bytes((257 - length,)) + run[1])
    return b"".join(parts) + _END_OF_RUNS


class UsedFont:
    """A font of a file, with the glyphs that its pages use.

    A code of a TrueType font stands for a glyph and the text that it shows there, so that the text can be searched and
    copied. A code of a PostScript font is the glyph's number.
    """

    def __init__(self, name: str, label: str) -> None:
        self.name, self.label, self.file = name, label, font_file(name)
        self.codes: dict[tuple[int, str], int] = {}

    def code(self, glyph: Glyph) -> int:
        """The code of a glyph that shows a text."""
        key = (glyph.number, glyph.text)
        if key not in self.codes:
            self.codes[key] = glyph.number if self.file.is_cff else len(self.codes) + 1
        return self.codes[key]

    def width(self, number: int) -> int:
        """The width of a glyph in thousandths of the font's size."""
        return int(self.file.font.get_glyph_h_advance(number))


class PdfFile:
    """A file in the making. Coordinates are in points, from the upper left corner of the page."""

    def __init__(self) -> None:
        self.pages: list[list[str]] = []
        self._fonts: dict[str, UsedFont] = {}

    def add_page(self) -> None:
        """Add a page, to which all that follows is written."""
        self.pages.append([])

    def write(self, x: float, y: float, text: str, size: int, *, bold: bool = False, gray: int = 0) -> None:
        """Write a line of printable text, from x on, with its baseline at y. `gray` is 0 for black to 255 for white."""
        parts = []
        for run in typeset(text, bold):
            if run.font not in self._fonts:
                self._fonts[run.font] = UsedFont(run.font, f"F{len(self._fonts) + 1}")
            font = self._fonts[run.font]
            parts.append(f"/{font.label} {size} Tf {_shown(font, run.glyphs, size)}")
        if parts:
            place = f"1 0 0 1 {_number(x)} {_number(HEIGHT - y)} Tm"
            self.pages[-1].append(f"BT {_number(gray / 255)} g {place} {' '.join(parts)} ET")

    def line(self, x: float, y: float, width: float) -> None:
        """Draw a thin horizontal line."""
        level = _number(HEIGHT - y)
        self.pages[-1].append(f"0.5 w {_number(x)} {level} m {_number(x + width)} {level} l S")

    def content(self, title: str, author: str, at_ms: int) -> bytes:
        """The bytes of the file, created at an instant in milliseconds since the Unix epoch."""
        objects = Objects()
        catalogue, pages, info = objects.reserve(), objects.reserve(), objects.reserve()
        fonts = " ".join(f"/{font.label} {_add_font(objects, font)} 0 R" for font in self._fonts.values())
        numbers = []
        for parts in self.pages:
            content = objects.add_stream("", "\n".join(parts).encode("ascii"))
            numbers.append(objects.add(f"<< /Type /Page /Parent {pages} 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents "
                                       f"{content} 0 R /Resources << /Font << {fonts} >> >> >>"))  # fmt: skip
        kids = " ".join(f"{number} 0 R" for number in numbers)
        objects.put(catalogue, f"<< /Type /Catalog /Pages {pages} 0 R >>")
        objects.put(pages, f"<< /Type /Pages /Count {len(numbers)} /Kids [{kids}] >>")
        created = _EPOCH + timedelta(milliseconds=at_ms)
        objects.put(
            info, f"<< /Title {_text(title)} /Author {_text(author)} /CreationDate (D:{created:%Y%m%d%H%M%S}Z) >>"
        )
        return objects.file(catalogue, info)


class Objects:
    """The numbered objects of a file."""

    def __init__(self) -> None:
        self._bodies: list[bytes] = []

    def reserve(self) -> int:
        """The number of an object that is put later."""
        self._bodies.append(b"")
        return len(self._bodies)

    def put(self, number: int, body: str | bytes) -> None:
        """Put an object in its place."""
        self._bodies[number - 1] = body.encode("ascii") if isinstance(body, str) else body

    def add(self, body: str) -> int:
        """Add an object; its number."""
        number = self.reserve()
        self.put(number, body)
        return number

    def add_stream(self, entries: str, content: bytes) -> int:
        """Add a stream; its number."""
        number = self.reserve()
        head = f"<< {entries} /Length {len(content)} >>\nstream\n".encode("ascii")
        self.put(number, head + content + b"\nendstream")
        return number

    def file(self, catalogue: int, info: int) -> bytes:
        """The whole file."""
        parts, at, offsets = [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"], 15, []
        for number, body in enumerate(self._bodies, start=1):
            offsets.append(at)
            parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, body))
            at += len(parts[-1])
        rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
        size = len(offsets) + 1
        table = f"xref\n0 {size}\n0000000000 65535 f \n{rows}"
        trailer = f"trailer\n<< /Size {size} /Root {catalogue} 0 R /Info {info} 0 R >>\nstartxref\n{at}\n%%EOF\n"
        return b"".join(parts) + (table + trailer).encode("ascii")


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _text(text: str) -> str:
    return f"<feff{text.encode('utf-16-be').hex()}>"


def _shown(font: UsedFont, glyphs: Sequence[Glyph], size: int) -> str:
    """The operators that show glyphs one after the other, each moved as it was shaped."""
    parts: list[str] = []
    row: list[str] = []
    rise = 0
    for glyph in glyphs:
        if glyph.y != rise:
            parts.append(f"[{' '.join(row)}] TJ {_number(glyph.y * size / UNIT)} Ts")
            row, rise = [], glyph.y
        after = font.width(glyph.number) + glyph.x - glyph.advance
        row += [str(-glyph.x)] if glyph.x else []
        row += [f"<{font.code(glyph):04x}>", *([str(after)] if after else [])]
    return " ".join([*parts, f"[{' '.join(row)}] TJ", *(["0 Ts"] if rise else [])])


def _add_font(objects: Objects, font: UsedFont) -> int:
    """Add a font with the glyphs that are used; its number."""
    numbers = sorted({number for number, _ in font.codes})
    renumbered, data = _cut_down(font.file, numbers)
    codes = {code: number for (number, _), code in font.codes.items()}
    name = f"/GIFTSM+{font.name.replace('_', '-')}"
    if font.file.is_cff:
        file = objects.add_stream("/Subtype /CIDFontType0C /Filter /RunLengthDecode", data)
        kind, entry = "/CIDFontType0", f"/FontFile3 {file} 0 R"
    else:
        file = objects.add_stream("/Filter /RunLengthDecode", data)
        table = b"".join(renumbered[codes.get(code, 0)].to_bytes(2, "big") for code in range(max(codes, default=0) + 1))
        kind = f"/CIDFontType2 /CIDToGIDMap {objects.add_stream('', table)} 0 R"
        entry = f"/FontFile2 {file} 0 R"
    descriptor = objects.add(f"<< /Type /FontDescriptor /FontName {name} {_metrics(font.file)} {entry} >>")
    widths = " ".join(f"{code} [{font.width(number)}]" for code, number in sorted(codes.items()))
    inner = objects.add(
        f"<< /Type /Font /Subtype {kind} /BaseFont {name} /FontDescriptor {descriptor} 0 R /W [{widths}] "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
    )
    texts = {code: text for (_, text), code in reversed(font.codes.items())}
    unicode = objects.add_stream("", _to_unicode(texts))
    return objects.add(
        f"<< /Type /Font /Subtype /Type0 /BaseFont {name} /Encoding /Identity-H /DescendantFonts [{inner} 0 R] "
        f"/ToUnicode {unicode} 0 R >>"
    )


def _cut_down(file: FontFile, numbers: Sequence[int]) -> tuple[Mapping[int, int], bytes]:
    """The new numbers of these glyphs in a font without others, and its bytes: of a PostScript font, its outlines."""
    wanted = hb.SubsetInput()
    wanted.glyph_set.update(numbers)
    wanted.drop_table_tag_set.update(int.from_bytes(tag.encode("ascii").ljust(4), "big") for tag in NOT_EMBEDDED)
    plan = hb.SubsetPlan(file.face, wanted)
    face = plan.execute()
    data = face.reference_table("CFF ").data if file.is_cff else face.blob.data
    return dict(plan.old_to_new_glyph_mapping), run_length_encode(data)


def _metrics(file: FontFile) -> str:
    extents = file.font.get_font_extents("ltr")
    box = f"[{-UNIT} {extents.descender} {2 * UNIT} {extents.ascender}]"
    heights = f"/Ascent {extents.ascender} /Descent {extents.descender} /CapHeight {extents.ascender * 3 // 4}"
    return f"/Flags 4 /FontBBox {box} /ItalicAngle 0 {heights} /StemV 80"


def _to_unicode(texts: Mapping[int, str]) -> bytes:
    """The table of the texts that codes stand for, in blocks of a hundred, as the format asks."""
    rows = [f"<{code:04x}> <{text.encode('utf-16-be').hex()}>" for code, text in sorted(texts.items()) if text]
    blocks = [rows[start : start + 100] for start in range(0, len(rows), 100)]
    listed = "\n".join("\n".join([f"{len(block)} beginbfchar", *block, "endbfchar"]) for block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Adobe-Identity-UCS def\n"
        "/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"
        f"{listed}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
    ).encode("ascii")
