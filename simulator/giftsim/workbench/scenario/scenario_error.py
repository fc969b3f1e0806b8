"""A scenario file that cannot be played: the place of the error, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

from giftsim.engine.kernel.texts import find_nearest
from giftsim.engine.problem import Problem

MOST_LISTED = 100


class InvalidScenario(Problem, status=400, code="invalid_scenario"):
    """The file is refused before anything runs; `str()` reads `file:line:column: message`, both counted from 1."""

    def __init__(self, file: str, line: int, column: int, message: str) -> None:
        super().__init__(message, line=line, column=column)
        self.details["message"] = message
        self.file, self.line, self.column = file, line, column

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


def quote_words(words: Iterable[str]) -> str:
    """`"a", "b" and "c"`: words as a sentence lists them."""
    *most, last = [f'"{word}"' for word in words]
    return f"{', '.join(most)} and {last}" if most else last


def suggest_known(word: str, known: Iterable[str]) -> str:
    """The end of an error message: the nearest known word, or all of them if none is near; `known` is not empty."""
    words = list(known)
    near = find_nearest(word, words, 0.6)
    if near:
        return f'; did you mean "{near}"?'
    return f"; known are {quote_words(words[:MOST_LISTED])}" + (" and more" if len(words) > MOST_LISTED else "")
