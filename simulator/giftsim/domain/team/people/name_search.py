"""Search by part of a name, ignoring case. Emails are never searched."""

from __future__ import annotations


def contains(q: str, *texts: str | None) -> bool:
    """Whether any of the texts contains `q`; an empty `q` matches everything."""
    sought = q.casefold()
    return not sought or any(text is not None and sought in text.casefold() for text in texts)
