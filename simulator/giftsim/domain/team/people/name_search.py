"""Search: `q` is part of a name, whatever the case; what is searched is named by the noun, and is never an email."""

from __future__ import annotations


def contains(q: str, *texts: str | None) -> bool:
    """Whether any of the texts holds `q`; an empty `q` is in everything."""
    sought = q.casefold()
    return not sought or any(text is not None and sought in text.casefold() for text in texts)
