"""Lay documents out as PDF: heading, table and totals on letter pages with a page number at the foot.

Addresses and claim links are removed from every text (T-1.11).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from giftsim.services.gifting.domain.team.free_text_redaction import remove_private
from giftsim.services.gifting.interfaces.team.document import Document
from giftsim.services.gifting.interfaces.team.font_file import UNIT, printable
from giftsim.services.gifting.interfaces.team.pdf_file import HEIGHT, WIDTH, PdfFile
from giftsim.services.gifting.interfaces.team.typesetting import width_of

SERVICE = "Team Gifting"
SIZE, SMALL, LARGE = 10, 8, 20
LEADING, MARGIN, LABEL_WIDTH, SUM_WIDTH, PADDING = 14, 54, 110, 120, 2
INK, FAINT = 30, 110
FULL_WIDTH = WIDTH - 2 * MARGIN
LOWEST = HEIGHT - MARGIN - LEADING  # below is the page number


def render_pdf(document: Document) -> bytes:
    """The bytes of the PDF, whose creation date is the document's."""
    paper = Paper()
    _write_heading(paper, document)
    _write_table(paper, document)
    _write_totals(paper, document)
    return paper.content(f"{document.title} {document.number}", document.at_ms)


class Paper:
    """Pages that are filled from top to bottom. All lengths are in points."""

    def __init__(self) -> None:
        self._file = PdfFile()
        self.y = 0.0
        self.turn()

    def turn(self) -> None:
        """Go on at the top of a new page."""
        self._file.add_page()
        self.y = MARGIN

    def has_room(self, height: float) -> bool:
        """Whether this page has room for this height."""
        return self.y + height <= LOWEST

    def write(
        self, text: str, *, x: float = MARGIN, width: float = FULL_WIDTH, size: int = SIZE, bold: bool = False,
        gray: int = INK, right: bool = False, leading: float = LEADING, down: float = 0,
    ) -> None:  # fmt: skip
        """Write a line of prepared text `down` points below the current height, at the left or right of its column."""
        left = x + width - width_of(text, bold) * size / UNIT if right else x
        self._file.write(left, self.y + down + leading / 2 + 0.3 * size, text, size, bold=bold, gray=gray)

    def paragraph(
        self, text: str, *, x: float = MARGIN, size: int = SIZE, bold: bool = False, gray: int = INK,
        leading: float = LEADING,
    ) -> None:  # fmt: skip
        """Write a paragraph from x to the right margin, over several pages if need be."""
        for line in wrapped(prepare(text), MARGIN + FULL_WIDTH - x, size, bold):
            if not self.has_room(leading):
                self.turn()
            self.write(line, x=x, size=size, bold=bold, gray=gray, leading=leading)
            self.y += leading

    def rule(self) -> None:
        """Draw a line over the full width."""
        self._file.line(MARGIN, self.y, FULL_WIDTH)

    def content(self, title: str, at_ms: int) -> bytes:
        """The bytes of the file, whose pages are numbered."""
        pages = self._file.pages
        for number, page in enumerate(list(pages), start=1):
            pages.append(page)  # what is written goes to the last page
            self.y = HEIGHT - MARGIN
            self.write(f"Page {number} of {len(pages) - 1}", size=SMALL, gray=FAINT, right=True)
            pages.pop()
        return self._file.content(prepare(title), SERVICE, at_ms)


def prepare(text: str) -> str:
    """The printable text, without what is private."""
    return printable(remove_private(text))


def wrapped(text: str, width: float, size: int, bold: bool = False) -> Iterator[str]:
    """The lines of a text that fit a width in points, broken at spaces, or in a word that is longer than a line."""
    most, line = width * UNIT / size, ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width_of(longer, bold) <= most:
            line = longer
            continue
        if line:
            yield line
        *full, line = _pieces(word, most, bold)
        yield from full
    yield line


def _pieces(word: str, most: float, bold: bool) -> Iterator[str]:
    """A word in pieces that fit a width."""
    while width_of(word, bold) > most and len(word) > 1:
        low, high = 1, len(word)
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if width_of(word[:middle], bold) <= most else (low, middle)
        yield word[:low]
        word = word[low:]
    yield word


def _write_heading(paper: Paper, document: Document) -> None:
    paper.paragraph(SERVICE, bold=True)
    paper.paragraph(document.title, size=LARGE, bold=True, leading=2 * LEADING)
    for label, value in (("Number", document.number), *document.facts):
        if not paper.has_room(LEADING):
            paper.turn()
        paper.write(prepare(label), bold=True)
        paper.paragraph(value, x=MARGIN + LABEL_WIDTH)
    paper.y += LEADING
    for line in document.addressee:
        paper.paragraph(line)
    paper.y += LEADING


def _write_table(paper: Paper, document: Document) -> None:
    """Write the rows with lines between them, and with the headings again on each page."""
    total = sum(column.share for column in document.columns)
    widths = [FULL_WIDTH * column.share / total for column in document.columns]
    figures = [column.figures for column in document.columns]
    headings = [column.heading for column in document.columns]
    _write_row(paper, headings, widths, figures, bold=True)
    for cells in document.rows:
        if not _write_row(paper, cells, widths, figures):
            paper.turn()
            _write_row(paper, headings, widths, figures, bold=True)
            _write_row(paper, cells, widths, figures, always=True)


def _write_row(
    paper: Paper, cells: Sequence[str], widths: Sequence[float], figures: Sequence[bool], *, bold: bool = False,
    always: bool = False,
) -> bool:  # fmt: skip
    """Write a row, below a line if it is not the headings; whether the page has room for it."""
    lines = [
        list(wrapped(prepare(cell), width - 2 * PADDING, SIZE, bold)) for cell, width in zip(cells, widths, strict=True)
    ]
    height = max(map(len, lines)) * LEADING + 2 * PADDING
    if not (always or paper.has_room(height)):
        return False
    if not bold:
        paper.rule()
    x: float = MARGIN
    for cell, width, is_figure in zip(lines, widths, figures, strict=True):
        for place, line in enumerate(cell):
            down = PADDING + place * LEADING
            paper.write(line, x=x + PADDING, width=width - 2 * PADDING, down=down, bold=bold, right=is_figure)
        x += width
    paper.y += height
    return True


def _write_totals(paper: Paper, document: Document) -> None:
    paper.y += LEADING
    for label, value in document.totals:
        if not paper.has_room(LEADING):
            paper.turn()
        paper.write(prepare(label), width=FULL_WIDTH - SUM_WIDTH, bold=True, right=True)
        paper.write(prepare(value), bold=True, right=True)
        paper.y += LEADING
    paper.y += LEADING
    paper.paragraph(document.note, size=SMALL, gray=FAINT)
