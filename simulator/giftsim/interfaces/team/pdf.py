"""Render documents as PDF with fpdf2.

Why fpdf2 and not reportlab: it takes a document's date from its caller, has types, and needs half the time for a page.
Files are not compressed, because the compressed bytes depend on the machine's zlib: the same document has the same
bytes everywhere. Text that looks like an address or a link is replaced (T-1.11).
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from unicodedata import normalize

from fpdf import FPDF
from fpdf.enums import TableBordersLayout

from giftsim.interfaces.team.document import Document

SERVICE = "Team Gifting"
FONT, SIZE, SMALL, LARGE = "Helvetica", 10, 8, 20
LEADING, MARGIN, LABEL_WIDTH, SUM_WIDTH = 14, 54, 110, 120
INK, FAINT = 30, 110
REMOVED = "[removed]"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PRIVATE = re.compile(r"\S*(?:@|%40|://|www\.|/claim/)\S*", re.IGNORECASE)

# Characters without a Unicode decomposition, and their nearest Latin-1 text: every PDF reader's own fonts have Latin-1.
_NEAREST = str.maketrans(
    {
        "Ł": "L", "ł": "l", "Đ": "D", "đ": "d", "ı": "i", "Œ": "OE", "œ": "oe", "€": "EUR", "–": "-", "—": "-",
        "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "…": "...", "•": "-",
    }
)  # fmt: skip


class PdfWriter(FPDF):
    """Letter pages with a page number at the foot."""

    def __init__(self) -> None:
        super().__init__(orientation="portrait", unit="pt", format="letter")
        self.set_compression(False)
        self.set_margin(MARGIN)
        self.set_auto_page_break(True, MARGIN + LEADING)

    def footer(self) -> None:
        """Write the page number. fpdf2 calls this for every page."""
        self.set_y(-MARGIN)
        self.set_font(FONT, "", SMALL)
        self.set_text_color(FAINT)
        self.cell(0, LEADING, f"Page {self.page_no()} of {{nb}}", align="R")
        self.set_text_color(INK)

    def paragraph(self, text: str, *, size: int = SIZE, style: str = "", leading: int = LEADING) -> None:
        """Write a paragraph over the full width of the page."""
        self.set_font(FONT, style, size)
        self.multi_cell(0, leading, printable(text), new_x="LMARGIN", new_y="NEXT")


def render_pdf(document: Document) -> bytes:
    """The bytes of the PDF, whose creation date is the document's."""
    pdf = PdfWriter()
    pdf.set_creation_date(_EPOCH + timedelta(milliseconds=document.at_ms))
    pdf.set_title(printable(f"{document.title} {document.number}"))
    pdf.set_author(SERVICE)
    pdf.add_page()
    pdf.set_text_color(INK)
    _write_heading(pdf, document)
    _write_table(pdf, document)
    _write_totals(pdf, document)
    return bytes(pdf.output())


def printable(text: str) -> str:
    """The text in Latin-1 characters, without anything that may be an address or a link (T-1.11)."""
    composed = normalize("NFC", _PRIVATE.sub(REMOVED, text).translate(_NEAREST))
    return "".join(char if char.isprintable() and char < "\u0100" else _base_letter(char) for char in composed)


def _base_letter(char: str) -> str:
    first = normalize("NFKD", char)[0]
    return first if first.isprintable() and first < "\u0100" else "?"


def _write_heading(pdf: PdfWriter, document: Document) -> None:
    pdf.paragraph(SERVICE, style="B")
    pdf.paragraph(document.title, size=LARGE, style="B", leading=2 * LEADING)
    for label, value in (("Number", document.number), *document.facts):
        pdf.set_font(FONT, "B", SIZE)
        pdf.cell(LABEL_WIDTH, LEADING, printable(label))
        pdf.paragraph(value)
    pdf.ln(LEADING)
    for line in document.party:
        pdf.paragraph(line)
    pdf.ln(LEADING)


def _write_table(pdf: PdfWriter, document: Document) -> None:
    pdf.set_font(FONT, "", SIZE)
    alignment = ["RIGHT" if column.figures else "LEFT" for column in document.columns]
    with pdf.table(
        borders_layout=TableBordersLayout.HORIZONTAL_LINES, line_height=LEADING, padding=2, text_align=alignment,
        col_widths=[column.share for column in document.columns],
    ) as table:  # fmt: skip
        for cells in ([column.heading for column in document.columns], *document.rows):
            row = table.row()
            for cell in cells:
                row.cell(printable(cell))


def _write_totals(pdf: PdfWriter, document: Document) -> None:
    pdf.ln(LEADING)
    pdf.set_font(FONT, "B", SIZE)
    for label, value in document.totals:
        pdf.cell(pdf.epw - SUM_WIDTH, LEADING, printable(label), align="R")
        pdf.cell(SUM_WIDTH, LEADING, printable(value), align="R", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(LEADING)
    pdf.set_text_color(FAINT)
    pdf.paragraph(document.note, size=SMALL)
