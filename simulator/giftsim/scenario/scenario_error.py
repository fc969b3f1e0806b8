"""A scenario file that cannot be played: where it is wrong, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

from giftsim.kernel.problem import Problem


class InvalidScenario(Problem):
    """The file is refused before anything runs; `str()` reads `file:line:column: message`, both counted from 1."""

    status = 400
    code = "invalid_scenario"

    def __init__(self, file: str, line: int, column: int, message: str) -> None:
        super().__init__(message, line=line, column=column)
        self.details["message"] = message
        self.file, self.line, self.column = file, line, column

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


def quoted(words: Iterable[str]) -> str:
    """`"a", "b" and "c"`: words as a sentence lists them."""
    *most, last = [f'"{word}"' for word in words]
    return f"{', '.join(most)} and {last}" if most else last


def meant(word: str, known: Iterable[str]) -> str:
    """The end of a refusal: the nearest known word, or all of them where none is near; `known` is not empty."""
    # difflib is wanted only for a file that is wrong; importing it would slow every good one down.
    from difflib import get_close_matches

    words = list(known)
    near = get_close_matches(word, words, n=1, cutoff=0.6)
    return f'; did you mean "{near[0]}"?' if near else f"; there is {quoted(words)}"
