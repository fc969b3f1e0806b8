"""Papers as PDF that a person can print, drawn by fpdf2.

Of the two libraries that are well kept, fpdf2 takes a document's date from its caller where reportlab writes one of its
own, is typed, and needs half the time for a page. Nothing is compressed, since how well bytes shrink depends on the
machine's zlib: the same document has the same bytes everywhere. What looks like an address or a link is left out.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from unicodedata import normalize

from fpdf import FPDF
from fpdf.enums import TableBordersLayout

from giftsim.interfaces.team.document import Paper

SERVICE = "Team Gifting"
FONT, SIZE, SMALL, LARGE = "Helvetica", 10, 8, 20
LEADING, MARGIN, LABEL_WIDTH, SUM_WIDTH = 14, 54, 110, 120
INK, FAINT = 30, 110
GONE = "[removed]"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PRIVATE = re.compile(r"\S*(?:@|%40|://|www\.|/claim/)\S*", re.IGNORECASE)

# What no decomposition brings nearer to the Western European letters, which every reader's own fonts have.
_NEAREST = str.maketrans(
    {
        "Ł": "L", "ł": "l", "Đ": "D", "đ": "d", "ı": "i", "Œ": "OE", "œ": "oe", "€": "EUR", "–": "-", "—": "-",
        "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "…": "...", "•": "-",
    }
)  # fmt: skip


class Sheet(FPDF):
    """Letter pages with a numbered foot."""

    def __init__(self) -> None:
        super().__init__(orientation="portrait", unit="pt", format="letter")
        self.set_compression(False)
        self.set_margin(MARGIN)
        self.set_auto_page_break(True, MARGIN + LEADING)

    def footer(self) -> None:
        """Which page this is, of how many."""
        self.set_y(-MARGIN)
        self.set_font(FONT, "", SMALL)
        self.set_text_color(FAINT)
        self.cell(0, LEADING, f"Page {self.page_no()} of {{nb}}", align="R")
        self.set_text_color(INK)

    def say(self, text: str, *, size: int = SIZE, style: str = "", leading: int = LEADING) -> None:
        """A paragraph across the page."""
        self.set_font(FONT, style, size)
        self.multi_cell(0, leading, plain(text), new_x="LMARGIN", new_y="NEXT")


def draw(paper: Paper) -> bytes:
    """The PDF, dated by the paper's own instant."""
    sheet = Sheet()
    sheet.set_creation_date(_EPOCH + timedelta(milliseconds=paper.at_ms))
    sheet.set_title(plain(f"{paper.title} {paper.number}"))
    sheet.set_author(SERVICE)
    sheet.add_page()
    sheet.set_text_color(INK)
    _head(sheet, paper)
    _table(sheet, paper)
    _foot(sheet, paper)
    return bytes(sheet.output())


def plain(text: str) -> str:
    """The text in letters that every reader has, without what may be an address or a link (T-1.11)."""
    whole = normalize("NFC", _PRIVATE.sub(GONE, text).translate(_NEAREST))
    return "".join(letter if letter.isprintable() and letter < "\u0100" else _nearest(letter) for letter in whole)


def _nearest(letter: str) -> str:
    first = normalize("NFKD", letter)[0]
    return first if first.isprintable() and first < "\u0100" else "?"


def _head(sheet: Sheet, paper: Paper) -> None:
    sheet.say(SERVICE, style="B")
    sheet.say(paper.title, size=LARGE, style="B", leading=2 * LEADING)
    for label, value in (("Number", paper.number), *paper.facts):
        sheet.set_font(FONT, "B", SIZE)
        sheet.cell(LABEL_WIDTH, LEADING, plain(label))
        sheet.say(value)
    sheet.ln(LEADING)
    for line in paper.party:
        sheet.say(line)
    sheet.ln(LEADING)


def _table(sheet: Sheet, paper: Paper) -> None:
    sheet.set_font(FONT, "", SIZE)
    aligned = ["RIGHT" if column.figures else "LEFT" for column in paper.columns]
    with sheet.table(
        borders_layout=TableBordersLayout.HORIZONTAL_LINES, line_height=LEADING, padding=2, text_align=aligned,
        col_widths=[column.share for column in paper.columns],
    ) as table:  # fmt: skip
        for cells in ([column.heading for column in paper.columns], *paper.rows):
            row = table.row()
            for cell in cells:
                row.cell(plain(cell))


def _foot(sheet: Sheet, paper: Paper) -> None:
    sheet.ln(LEADING)
    sheet.set_font(FONT, "B", SIZE)
    for label, value in paper.totals:
        sheet.cell(sheet.epw - SUM_WIDTH, LEADING, plain(label), align="R")
        sheet.cell(SUM_WIDTH, LEADING, plain(value), align="R", new_x="LMARGIN", new_y="NEXT")
    sheet.ln(LEADING)
    sheet.set_text_color(FAINT)
    sheet.say(paper.note, size=SMALL)
