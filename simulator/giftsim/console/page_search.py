"""The search through the documentation: pages by a question in a reader's words, best first.

A word counts more the fewer pages have it. Headings, and the questions that a section answers (comments in its source),
count by how much they are like what is asked. The site's search (docs/site/search_order.js) ranks so too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from math import log
from typing import Final, NamedTuple

from giftsim.console.documentation import Page, Part, pages

# Words that say nothing about what is asked.
_IDLE_WORDS: Final = """
    a about after all an and any app are as at be because but by can cannot could did do does during each else every
    for from get gives got had has have how i if in into is it its just let like make me my need not of on one only or
    our out over own see shall should show so some such t than that the their them then there these they this those to
    too up us use using want was way we were what when where which while who why will with without would you your
"""
_IDLE: Final = frozenset(_IDLE_WORDS.split())
_WORD: Final = re.compile(r"[a-z0-9]+")
_ENDINGS: Final = (
    "ations",
    "ation",
    "ate",
    "acy",
    "ings",
    "ing",
    "edly",
    "ied",
    "ies",
    "ed",
    "es",
    "s",
    "ly",
    "e",
    "y",
)
_KIND: Final = {"How-to": 1.3, "Tutorial": 1.15, "Reference": 1.0, "Explanation": 0.9, "Internals": 0.8}
_TITLE, _ALIKE, _WHOLE = (
    2.0,
    5.0,
    1.2,
)  # how much a word of a heading counts, and what is like a heading, or the page's title
_KNOWN, _LEAST = 0.5, 0.3  # the shares of what is asked that any page must have, and that one must have


class Found(NamedTuple):
    """A page or a part of one that has what was looked for. `at` is its address below the documentation's."""

    title: str
    answers: str
    kind: str
    at: str


class Entry(NamedTuple):
    """A page as the search knows it: the words of its text, and those of each heading and question with their part."""

    page: Page
    words: frozenset[str]
    phrases: tuple[tuple[frozenset[str], Part], ...]


class Index(NamedTuple):
    """All pages, and how many of them have each word."""

    entries: tuple[Entry, ...]
    counts: Counter[str]

    def weight(self, words: Collection[str]) -> float:
        """How much words say: each the more, the fewer pages have it."""
        return sum(log(1 + len(self.entries) / (1 + self.counts[word])) for word in words)


def search(text: str, most: int) -> list[Found]:
    """The pages that answer a text, best first, each once: by the section that is most like it."""
    index = _index()
    asked = [words for words in (_spellings(word, index) for word in words_of(text)) if words]
    if not asked or len(asked) < _KNOWN * len(words_of(text)):
        return []
    ranked = sorted(_ranked(index, asked), key=lambda each: -each[0])
    return [found for _, found in ranked[:most]]


def words_of(text: str) -> frozenset[str]:
    """The stems of the words of a text that say something; all of them if none does."""
    words = _WORD.findall(text.lower())
    return frozenset(_stem(word) for word in words if word not in _IDLE) or frozenset(map(_stem, words))


def _stem(word: str) -> str:
    ending = next((each for each in _ENDINGS if word.endswith(each) and len(word) - len(each) >= 3), "")
    stem = word.removesuffix(ending) if ending else word
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls" else stem


def _spellings(word: str, index: Index) -> frozenset[str]:
    """The words of the pages that a word stands for: itself, or else those that begin with it."""
    if index.counts[word]:
        return frozenset({word})
    return frozenset(each for each in index.counts if each.startswith(word)) if len(word) >= 3 else frozenset()


def _ranked(index: Index, asked: list[frozenset[str]]) -> Iterator[tuple[float, Found]]:
    whole = sum(max(index.weight({each}) for each in words) for words in asked)
    for entry in index.entries:
        words = frozenset[str]().union(*asked) & entry.words
        met = sum(max(index.weight({each}) for each in one & words) for one in asked if one & words)
        if met < _LEAST * whole:
            continue
        titles = frozenset[str]().union(*(phrase for phrase, _ in entry.phrases))
        named = index.weight(words & titles)
        alike, part = max((_likeness(index, phrase, words, whole), part) for phrase, part in entry.phrases)
        alike *= _WHOLE if part is entry.page.parts[0] else 1
        score = (met + _TITLE * named + _ALIKE * whole * alike) * _KIND[entry.page.kind]
        yield score, _found(entry.page, part if alike else entry.page.parts[0])


def _likeness(index: Index, phrase: frozenset[str], words: frozenset[str], whole: float) -> float:
    """From 0 to 1: how much a heading or a question and what is asked have in common."""
    common = index.weight(phrase & words)
    return common * common / (whole * index.weight(phrase)) if common else 0.0


def _found(page: Page, part: Part) -> Found:
    if part is page.parts[0]:
        return Found(page.title, page.answers, page.kind, page.name)
    return Found(part.title, part.answers, f"{page.kind}: {page.title}", f"{page.name}#{part.anchor}")


@cache
def _index() -> Index:
    listed = (page for page in pages().values() if page.kind and not page.name.endswith("index"))
    entries = tuple(_entry(page) for page in listed)
    return Index(entries, Counter(word for entry in entries for word in entry.words))


def _entry(page: Page) -> Entry:
    phrases = [(words_of(each), part) for part in page.parts for each in (part.title, *part.questions)]
    phrases.append((words_of(page.name.rpartition("/")[2]), page.parts[0]))
    text = frozenset(_stem(word) for part in page.parts for word in _WORD.findall(part.text))
    return Entry(page, text.union(*(phrase for phrase, _ in phrases)), tuple(phrases))
