"""Scrub the error text of an outside provider of anything that could be an address, a link or a token.

Such text may contain them in any encoding (plain, URL-encoded, base64, inside JSON). So only words that cannot be one
are kept, rather than removing those that look like one (A8.5, T-1.14).
"""

from __future__ import annotations

import re

REMOVED = "[removed]"
MAX_LENGTH = 300

# A word in lower case, capitalized or in upper case, or a number as short as an HTTP status or a count of seconds.
_PLAIN = re.compile(r"[(\"']*([A-Z]?[a-z]{1,15}([-'][a-z]{1,15})?|[A-Z]{1,6}|[0-9]{1,4})[)\"'.,;:!?]*", re.ASCII)


def scrub(text: str) -> str:
    """The text in one line, with every word replaced that is not plainly a word or a small number, and truncated."""
    words: list[str] = []
    for word in text.split():
        safe = word if _PLAIN.fullmatch(word) else REMOVED
        if safe != REMOVED or words[-1:] != [REMOVED]:
            words.append(safe)
    line = " ".join(words)
    return line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - 3] + "..."
