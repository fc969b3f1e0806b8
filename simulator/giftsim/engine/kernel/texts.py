"""Parts of messages: a number with its noun, a text of others on one line, and what an unknown name may mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice


def count_with_noun(number: int, noun: str) -> str:
    """A number with its noun, in the singular or plural: `1 call`, `2 calls`."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"


def one_line(text: str) -> str:
    """The text with everything escaped that no line can show: line breaks, control and format characters, odd blanks.

    So no text forges a line, moves the cursor or changes the direction of what is beside it.
    """
    return text if text.isprintable() else "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def join_or(names: Sequence[str]) -> str:
    """Names of which one is meant: `a`, `a or b`, `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


# What is compared, so that no name or list of names takes long: longer names have no nearest one.
LONGEST = 200
MOST = 1_000


def find_nearest(name: str, known: Iterable[str], cutoff: float = 0.5) -> str | None:
    """The known name that is most like `name`, or None if none is alike; `cutoff` goes from 0 to 1, for equal."""
    if len(name) > LONGEST:
        return None
    from difflib import get_close_matches  # only errors need it, and importing it takes longer than reading a scenario

    matches = get_close_matches(name, list(islice(known, MOST)), 1, cutoff)
    return matches[0] if matches else None


def suggest_name(name: str, known: Sequence[str], otherwise: str | None = None, cutoff: float = 0.5) -> str:
    """The end of an error message: `did you mean x?`, else `otherwise`, which by default lists all known names."""
    match = find_nearest(name, known, cutoff)
    if match is not None:
        return f"did you mean {match}?"
    return f"known are {', '.join(known) or 'none'}" if otherwise is None else otherwise
