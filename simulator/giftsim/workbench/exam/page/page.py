"""What the page of an exam and that of a search have in common: a heading, figures, findings, and further parts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from markupsafe import Markup, escape

from giftsim.frontend.offline_page import offline_page
from giftsim.workbench.exam.page.finding import Finding

FOLDER: Final = Path(__file__).parent
_CODE: Final = re.compile("`([^`]+)`")
_WORD_ENDS: Final = re.compile("(?<=[a-z])(?=[A-Z])|(?<=[a-z][._])(?=[a-z])")
# The tone of each outcome; of all others it is plain.
TONES: Final[Mapping[str, str]] = {"passed": "good", "failed": "bad", "error": "bad", "skipped": "wait"}
WAYS: Final[Mapping[str, str]] = {
    "call": "The app calls giftsim:",
    "webhook": "giftsim sends the app:",
    "person": "A person does:",
    "service": "In the service:",
    "wrong": "Wrong:",
}


class Card(NamedTuple):
    """A figure at the top that leads to its part: what it counts, the figure, what that means, and its tone."""

    part: str
    title: str
    figure: str
    text: str = ""
    tone: str = ""


class Head(NamedTuple):
    """The top of a page: what it is about, the verdict with its tone, and further lines."""

    about: str
    title: str
    tone: str
    lines: Sequence[str] = ()


def render(
    template: str, head: Head, findings: Sequence[Finding], *, cards: Sequence[Card] = (), **values: Any
) -> bytes:
    """A page of a template that extends `page.html`. It opens offline, and has no scripts."""
    return offline_page(
        FOLDER,
        template,
        ["page.css", "drawing.css"],
        head=head,
        cards=cards,
        findings=findings,
        TONES=TONES,
        WAYS=WAYS,
        breakable=_breakable,
        marked=_marked,
        words=words,
        json_text=_json_text,
        **values,
    ).encode()


def words(outcome: str) -> str:
    """An outcome in words: `not offered`."""
    return outcome.replace("_", " ")


def worst_first(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows with those that failed first, and those that passed last."""
    return sorted(rows, key=lambda row: ("bad", "wait", "", "good").index(TONES.get(row["outcome"], "")))


def _breakable(text: str) -> Markup:
    """A text whose long names may be broken where a word of theirs ends."""
    return Markup(_WORD_ENDS.sub("<wbr>", escape(text)))


def _marked(text: str) -> Markup:
    """A text of the documents, with what is between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def _json_text(value: Any) -> str:
    """A value as text for people: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
