"""What a person in a browser reads in place of a page that does not work: what is wrong, and how to go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Way(NamedTuple):
    """The title of an error's page, the way on in words, and the label of a link, if that helps."""

    title: str
    text: str
    label: str | None = None


class ErrorWords(NamedTuple):
    """The words for errors at the paths that begin with `prefix`, by code. Links lead to the same page again."""

    prefix: str
    ways: Mapping[str, Way]
    other: Way


ELSEWHERE: Final = Way("This does not work", "The console shows what this simulator has.", "Open the console")
NOWHERE: Final = ELSEWHERE._replace(title="There is nothing here")


def sentence(message: str) -> str:
    """A message as a sentence."""
    return f"{message[:1].upper()}{message[1:]}."
