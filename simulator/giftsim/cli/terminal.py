"""Text for a terminal: no line is wider than it, and ids, links and other words stay in one piece."""

from __future__ import annotations

from textwrap import wrap
from typing import TextIO

DEEPER = "    "
# Of the 256 colours that terminals have, some that can be read on white and on black. The yellow of most cannot.
GREEN, RED, AMBER, TEAL = 28, 161, 130, 30


def terminal_width() -> int:
    """The width of the terminal. Only output to one loads what asks for it, which imports all formats of archives."""
    from shutil import get_terminal_size

    return get_terminal_size().columns


def fit(text: str, stream: TextIO) -> str:
    """A text whose lines end between words where the terminal does, and go on deeper. A pipe gets it as it is."""
    return "\n".join(_lines(text, terminal_width())) if stream.isatty() else text


def _lines(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        deeper = line[: len(line) - len(line.lstrip())] + DEEPER
        parts = wrap(
            line, width, subsequent_indent=deeper, expand_tabs=False, replace_whitespace=False,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
        lines += parts if len(line) > width else [line]
    return lines
