"""The known route that is nearest to a path, for the message of a 404."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

INDEX_HINT = "GET / lists what there is"

LONGEST_PATH, MOST_SEGMENTS = 200, 12
ENOUGH = 0.5  # of at most 1, the score of a path that is the route
_SLASHES = re.compile("/+")
ALIKE = 0.6  # the least likeness of two words that counts at all
PARAMETER = 0.4  # for a word at the place of a parameter, which fits but proves nothing
DROPPED = 0.05  # what each word costs that the path lacks at its beginning


def nearest_route(path: str, templates: Iterable[str]) -> str | None:
    """The template with the most words like those of the path, which may lack a prefix; None if none is alike."""
    words = _words(path[:LONGEST_PATH])
    if not 0 < len(words) <= MOST_SEGMENTS:
        return None
    scores = {template: _score(words, _words(template)) for template in templates}
    best = max(scores, key=scores.__getitem__, default=None)
    return best if best is not None and scores[best] >= ENOUGH else None


def slashed_base(base: str, path: str) -> str | None:
    """The base path with which a path begins, as it is written there with slashes too many; None for another path."""
    match = re.match(re.escape(base).replace("/", "/+") + "(?=/|$)", path) if "//" in path else None
    return match[0] if match else None


def extra_slashes(path: str, *, repeats: bool = True) -> str:
    """A clause that says where a path has slashes too many, for the message of a 404; empty if it has none.

    It repeats a word of the path only with `repeats`.
    """
    single = _SLASHES.sub("/", path)
    count = len(path) - len(single.rstrip("/") or "/")
    if not count:
        return ""
    before, _, after = path.partition("//")
    word = after.strip("/").partition("/")[0][:60]
    inside = f"before {word!r}" if repeats else "inside"
    where = "at its end" if not word else inside if before else "at its beginning"
    return f"it has a slash too many {where}; " if count == 1 else f"it has {count} slashes too many, first {where}; "


def _words(path: str) -> list[str]:
    return [word for word in path.lower().split("/") if word]


def _score(words: Sequence[str], template: Sequence[str]) -> float:
    """How well the words fit the template from its first word or, where the path is shorter, up to its last one."""
    whole = _fit(words, template)
    dropped = len(template) - len(words)
    return max(whole, _fit(words, template[dropped:]) * (1 - DROPPED * dropped)) if dropped > 0 else whole


def _fit(words: Sequence[str], template: Sequence[str]) -> float:
    return sum(map(_likeness, words, template)) / max(len(words), len(template), 1)


@lru_cache(maxsize=4096)
def _likeness(word: str, expected: str) -> float:
    """How alike two words are, from 0 to 1 (equal)."""
    if word == expected:
        return 1.0
    if "{" in expected:
        return PARAMETER
    from difflib import SequenceMatcher  # only errors need it, and importing it takes longer than reading a scenario

    matcher = SequenceMatcher(None, word, expected)
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:  # bounds that cost far less
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= ALIKE else 0.0
