"""Render documents as PDF with fpdf2.

Why fpdf2 and not reportlab: it takes a document's date from its caller, has types, needs half the time for a page, and
shapes Arabic, Devanagari and Thai. Files are not compressed, because the compressed bytes depend on the machine's zlib:
the same document has the same bytes everywhere. Addresses and claim links are removed from every text (T-1.11).
"""

from __future__ import annotations

import atexit
import re
import shutil
import zlib
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from unicodedata import category, normalize

from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.enums import TableBordersLayout
from fpdf.fonts import TTFFont
from fpdf.output import OutputProducer
from fpdf.syntax import Name, PDFContentStream, PDFObject

from giftsim.services.gifting.domain.team.free_text_redaction import remove_private
from giftsim.services.gifting.interfaces.team.document import Document

MAIN, MAIN_BOLD = "FiraGO_Regular", "FiraGO_Bold"
NOTO, CJK = "NotoSans_Regular", "noto_cjk_sans_jp_regular"
# The fonts to search for characters that the main font does not have.
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
    """The text, composed and without control characters."""
    return "".join(_printable_char(char) for char in normalize("NFC", text))


def fallbacks_for(text: str) -> list[str]:
    """The fonts besides the main one that a printable text needs."""
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


SERVICE = "Team Gifting"
FAMILY, SIZE, SMALL, LARGE = "main", 10, 8, 20
LEADING, MARGIN, LABEL_WIDTH, SUM_WIDTH = 14, 54, 110, 120
INK, FAINT = 30, 110
# A placeholder for the number of pages. Private-use characters of a document's texts are never printed.
PAGES = "\ue000"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


# Tables that shape text. A printed text is shaped already: without them a font is smaller and quicker to embed.
SHAPING_TABLES = ("BASE", "GDEF", "GPOS", "GSUB", "TTFA", "VORG")
_RUNS = re.compile(rb"(.)\1{2,127}|(?:(?!(.)\2\2).){1,128}", re.DOTALL)
_END_OF_RUNS = b"\x80"


class ReproducibleOutput(OutputProducer):
    """Writes fonts with the run-length filter in place of zlib, for which fpdf2 has no setting."""

    def _add_pdf_obj(self, pdf_obj: PDFObject, trace_label: str | None = None) -> int:
        if isinstance(pdf_obj, PDFContentStream) and pdf_obj.filter is not None:
            content = run_length_encode(zlib.decompress(pdf_obj.content_stream()))
            pdf_obj._contents, pdf_obj.filter, pdf_obj.length = content, Name("RunLengthDecode"), len(content)
        return super()._add_pdf_obj(pdf_obj, trace_label)


def run_length_encode(content: bytes) -> bytes:
    """The content for the PDF filter `RunLengthDecode`: the same everywhere, unlike zlib's, and short enough."""
    parts = []
    for run in _RUNS.finditer(content):
        length = len(run[0])
        parts.append(bytes((length - 1,)) + run[0] if run[1] is None else bytes((257 - length,)) + run[1])
    return b"".join(parts) + _END_OF_RUNS


class PdfWriter(FPDF):
    """Letter pages with a page number at the foot."""

    def __init__(self) -> None:
        super().__init__(orientation="portrait", unit="pt", format="letter")
        self.set_compression(False)
        self.add_font(FAMILY, "", font_path(MAIN))
        self.add_font(FAMILY, "B", font_path(MAIN_BOLD))
        self.fallbacks: list[str] = []
        self.set_text_shaping(True)
        self.alias_nb_pages(PAGES)
        self.set_margin(MARGIN)
        self.set_auto_page_break(True, MARGIN + LEADING)

    def footer(self) -> None:
        """Write the page number. fpdf2 calls this for every page."""
        self.set_y(-MARGIN)
        self.set_font(FAMILY, "", SMALL)
        self.set_text_color(FAINT)
        self.cell(0, LEADING, f"Page {self.page_no()} of {PAGES}", align="R")
        self.set_text_color(INK)

    def paragraph(self, text: str, *, size: int = SIZE, style: str = "", leading: int = LEADING) -> None:
        """Write a paragraph over the full width of the page."""
        self.set_font(FAMILY, style, size)
        self.multi_cell(0, leading, self.prepare(text), align="LEFT", new_x="LMARGIN", new_y="NEXT")

    def prepare(self, text: str) -> str:
        """The printable text, without what is private. Adds the fonts that it needs."""
        shown = printable(remove_private(text))
        for name in fallbacks_for(shown):
            if name not in self.fallbacks:
                self.add_font(name, "", font_path(name))
                self.fallbacks.append(name)
                self.set_fallback_fonts(self.fallbacks, exact_match=False)
        return shown

    def finish(self) -> bytes:
        """The bytes of the file."""
        for font in self.fonts.values():
            if isinstance(font, TTFFont):
                for table in SHAPING_TABLES:
                    if table in font.ttfont:
                        del font.ttfont[table]
        return bytes(self.output(output_producer_class=ReproducibleOutput))


def render_pdf(document: Document) -> bytes:
    """The bytes of the PDF, whose creation date is the document's."""
    pdf = PdfWriter()
    pdf.set_creation_date(_EPOCH + timedelta(milliseconds=document.at_ms))
    pdf.set_title(pdf.prepare(f"{document.title} {document.number}"))
    pdf.set_author(SERVICE)
    pdf.add_page()
    pdf.set_text_color(INK)
    _write_heading(pdf, document)
    _write_table(pdf, document)
    _write_totals(pdf, document)
    return pdf.finish()


def _write_heading(pdf: PdfWriter, document: Document) -> None:
    pdf.paragraph(SERVICE, style="B")
    pdf.paragraph(document.title, size=LARGE, style="B", leading=2 * LEADING)
    for label, value in (("Number", document.number), *document.facts):
        pdf.set_font(FAMILY, "B", SIZE)
        pdf.cell(LABEL_WIDTH, LEADING, pdf.prepare(label))
        pdf.paragraph(value)
    pdf.ln(LEADING)
    for line in document.addressee:
        pdf.paragraph(line)
    pdf.ln(LEADING)


def _write_table(pdf: PdfWriter, document: Document) -> None:
    pdf.set_font(FAMILY, "", SIZE)
    alignment = ["RIGHT" if column.figures else "LEFT" for column in document.columns]
    with pdf.table(
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        line_height=LEADING,
        padding=2,
        text_align=alignment,
        col_widths=[column.share for column in document.columns],
    ) as table:
        for cells in ([column.heading for column in document.columns], *document.rows):
            row = table.row()
            for cell in cells:
                row.cell(pdf.prepare(cell))


def _write_totals(pdf: PdfWriter, document: Document) -> None:
    pdf.ln(LEADING)
    pdf.set_font(FAMILY, "B", SIZE)
    for label, value in document.totals:
        pdf.cell(pdf.epw - SUM_WIDTH, LEADING, pdf.prepare(label), align="R")
        pdf.cell(SUM_WIDTH, LEADING, pdf.prepare(value), align="R", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(LEADING)
    pdf.set_text_color(FAINT)
    pdf.paragraph(document.note, size=SMALL)
