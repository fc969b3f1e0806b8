"""Decisions: what giftsim does where the documents leave a question open, read from the pages that state them.

The pages docs/explanation/decisions*.md are the only source. An entry is a list item that begins in bold with its id,
or with several (`**G12, G13`) if they say one rule; it ends with its basis: `Basis: guess.`
On the page about giftsim itself an entry without one has the basis `giftsim`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from giftsim.engine.data_folders import data_folders

# Each page, and what the decisions on it are about if their ids do not say it.
PAGES: Final[Mapping[str, str]] = {
    "decisions": "general",
    "decisions-team": "team",
    "decisions-partner": "partner",
    "decisions-museum": "museum",
    "decisions-giftsim": "general",
}
OWN_PAGE: Final = "decisions-giftsim"

# How sure a decision is, from the surest on; docs/explanation/decisions.md explains each.
DOCUMENTED, IN_PART, INFERRED, GUESS, OWN = "documented", "documented in part", "inferred", "guess", "giftsim"
BASES = (DOCUMENTED, "public sample", IN_PART, INFERRED, GUESS, OWN)

FAMILIES = ("team", "partner", "museum", "general")
_FAMILIES: Final[Mapping[str, str]] = {"A": "team", "B": "partner", "C": "museum"}
_ID = r"(?:0\.\d+|[ABCDG]\d+(?:\.\d+)?)"
_ITEM = re.compile(rf"- \*\*({_ID}(?:, {_ID})*)(?=[. *])\.?\s*((.*?)\.?\*\*.+?)(?: Basis: ([a-z ]+)\.)?")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


class Decision(msgspec.Struct, frozen=True):
    """One decision. `text` includes the title; `page` and `section` say where it stands; `basis` is one of BASES."""

    id: str
    family: str
    title: str
    text: str
    basis: str
    page: str
    section: str


class UnreadableEntry(ValueError):
    """An entry of a page of decisions without what each entry has; the message quotes its beginning."""


@cache
def load_decisions() -> Mapping[str, Decision]:
    """All decisions by id, in the order of the pages. UnreadableEntry names an entry that is incomplete."""
    return read_pages(data_folders("docs/explanation")[0])


def read_pages(folder: Path) -> Mapping[str, Decision]:
    """The decisions of the pages in a folder, by id."""
    found: dict[str, Decision] = {}
    for page in PAGES:
        for decision in read_page((folder / f"{page}.md").read_text(encoding="utf-8"), page):
            if decision.id in found:
                raise UnreadableEntry(f"{page}.md: {decision.id} is defined twice")
            found[decision.id] = decision
    return found


def read_page(text: str, page: str) -> Iterator[Decision]:
    """The decisions of one page. Several ids of one entry are decisions of the same text."""
    section = ""
    for line in _joined(text.splitlines()):
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("- "):
            yield from _decisions(line, page, section)


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """The lines, each with the indented ones that follow it, such as the rest of an entry and the list inside it."""
    item = ""
    for line in lines:
        if item and (line.startswith("  ") or not line):
            item = f"{item} {line.strip().removeprefix('- ')}".rstrip()
            continue
        yield item
        item = line
    yield item


def _decisions(line: str, page: str, section: str) -> Iterator[Decision]:
    match = _ITEM.fullmatch(line)
    basis = match and (match[4] or (OWN if page == OWN_PAGE and " Basis:" not in match[2] else ""))
    if match is None or basis not in BASES:
        raise UnreadableEntry(
            f"{page}.md: {line[:60]}...: an entry begins with its id in bold and ends with one of "
            + ", ".join(f"'Basis: {basis}.'" for basis in BASES)
        )
    ids, text, title, _ = match.groups()
    for number in ids.split(", "):
        family = _FAMILIES.get(number[0]) or PAGES.get(page, "general")
        yield Decision(number, family, _plain(title).rstrip(",:;"), _plain(text), basis, page, section)


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", text.replace("**", "").replace("\\|", "|")).strip()
