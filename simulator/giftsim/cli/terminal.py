"""Text for a terminal: no line is wider than it, and ids, links and other words stay in one piece.

A standard output that is closed or full ends the command with one line.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import wrap
from typing import Final, TextIO

import click

DEEPER = 4
OUTPUT = 1  # the number of standard output
# Where a line goes on: below the last of its columns that begins in the left half of the terminal.
COLUMN: Final = re.compile(r"(?<=\S) {2,}(?=\S)")
COMMAND: Final = re.compile(r"`[^`]+`")
# Of the 256 colours that terminals have, some that can be read on white and on black. The yellow of most cannot.
GREEN, RED, AMBER, TEAL = 28, 161, 130, 30


@contextmanager
def printing() -> Iterator[None]:
    """A block whose output goes to standard output. If that cannot be written, a line says so, and the status is 1."""
    if sys.stdout is None:
        _open_again()
    try:
        yield
    except OSError as error:
        if not _is_of_output(error):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), OUTPUT)  # what is left in its buffer goes nowhere
        click.echo(f"Error: standard output cannot be written: {error.strerror}", err=True)
        raise SystemExit(1) from None


def _open_again() -> None:
    """Open a closed standard output so that it cannot be written: else the next file or socket would get its number."""
    while (number := os.open(os.devnull, os.O_RDONLY)) < OUTPUT:
        pass
    if number != OUTPUT:
        os.dup2(number, OUTPUT)
        os.close(number)
    sys.stdout = open(OUTPUT, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _is_of_output(error: OSError) -> bool:
    """Whether an error comes from printing, which `click.echo` does, and not from another file."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code is click.utils.echo.__code__


def terminal_width() -> int:
    """The width of the terminal. Only output to one loads what asks for it, which imports all formats of archives."""
    from shutil import get_terminal_size

    return get_terminal_size().columns


def print_text(text: str, *, err: bool = False) -> None:
    """Print a text so that it fits."""
    click.echo(fit_text(text, sys.stderr if err else sys.stdout), err=err)


def fit_text(text: str, stream: TextIO) -> str:
    """A text whose lines end between words where the terminal does, and go on deeper. A pipe gets it as it is."""
    return "\n".join(_lines(text, terminal_width())) if stream.isatty() else text


def _lines(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        lines += _parts(line, width) if len(line) > width else [line]
    return lines


def _parts(line: str, width: int) -> list[str]:
    whole = COMMAND.sub(lambda found: found[0].replace(" ", "\0"), line)
    words = max(map(len, whole.split()))
    begins = [found.end() for found in COLUMN.finditer(line, 0, width // 2) if found.end() + words <= width]
    deeper = " " * max([len(line) - len(line.lstrip()) + DEEPER, *begins])
    parts = wrap(
        whole, width, subsequent_indent=deeper, expand_tabs=False, replace_whitespace=False, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    return [part.replace("\0", " ") for part in parts]
