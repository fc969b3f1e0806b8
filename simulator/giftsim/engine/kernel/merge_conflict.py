"""Finds the marker that a merge leaves in a file whose conflict is not resolved."""

from __future__ import annotations

import re

MESSAGE = "a merge left a conflict here: keep one side, and delete the lines with <<<<<<<, ======= and >>>>>>>"
_MARKER = re.compile(rb"^<{7}(?: .*)?\r?$", re.MULTILINE)


def conflict_line(raw: bytes) -> int | None:
    """The line, counted from 1, at which the first conflict begins; None if there is none."""
    found = _MARKER.search(raw)
    return raw.count(b"\n", 0, found.start()) + 1 if found else None
