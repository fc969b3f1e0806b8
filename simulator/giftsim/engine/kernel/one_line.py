"""Texts of others, such as callers, receivers and files, made fit to be a part of one printed line (G340)."""

from __future__ import annotations


def one_line(text: str) -> str:
    """The text with everything escaped that no line can show: line breaks, control and format characters, odd blanks.

    So no text forges a line, moves the cursor or changes the direction of what is beside it.
    """
    return text if text.isprintable() else "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
