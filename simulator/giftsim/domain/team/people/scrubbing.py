"""Scrubbing: what an outside provider says of its failure, without anything that could be an address, link or token.

Such text may hold them in any spelling (plain, URL-encoded, base64, inside JSON), so words are let through that cannot
be one, rather than those taken out that look like one (A8.5, T-1.14).
"""

from __future__ import annotations

import re

REMOVED = "[removed]"
MAX_LENGTH = 300

# A word of a language in one case (with a capital first), or a number as short as a status or a count of seconds.
_PLAIN = re.compile(r"[(\"']*([A-Z]?[a-z]{1,15}([-'][a-z]{1,15})?|[A-Z]{1,6}|[0-9]{1,4})[)\"'.,;:!?]*", re.ASCII)


def scrub(text: str) -> str:
    """The text with every word replaced that is not plainly a word or a small number; cut to one readable line."""
    words: list[str] = []
    for word in text.split():
        safe = word if _PLAIN.fullmatch(word) else REMOVED
        if safe != REMOVED or words[-1:] != [REMOVED]:
            words.append(safe)
    line = " ".join(words)
    return line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - 3] + "..."
