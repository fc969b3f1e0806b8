"""The documentation in the package: its pages, and the search through them.

In a checkout it is the folder `docs`, in the installed package a copy of it. A few pages show a file beside the folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from posixpath import normpath
from textwrap import shorten
from typing import Final, NamedTuple

from giftsim.console.markdown import CODE, anchors, plain

_PACKAGE = Path(__file__).parents[1]
_FOLDERS = (_PACKAGE / "_data" / "docs", _PACKAGE.parents[1] / "docs")
PICTURES = (".svg", ".png")
KINDS: Final = {"tutorials": "Tutorial", "how-to": "How-to", "reference": "Reference", "explanation": "Explanation"}
WITH_PARTS = ("tutorials", "how-to")  # whose sections answer questions of their own
# Pages whose text is a file beside the folder.
BESIDE: Final = {"changelog": "CHANGELOG.md", "contributing": "CONTRIBUTING.md", "security": "SECURITY.md"}
LONGEST = 140  # characters of what a page answers
_FIRST = re.compile(r"^# .*\n+([A-Z`\[].*\n(?:[^\n].*\n)*)", re.MULTILINE)
_HEADING = re.compile(r"^#{1,4} (.+)$", re.MULTILINE)
_QUESTIONS = re.compile(r"<!-- questions: (.*?) -->\n*", re.DOTALL)  # what people ask for, in the page's source
_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)


class Part(NamedTuple):
    """A section of a page: its heading, its anchor, and its words, all lowercase."""

    title: str
    anchor: str
    text: str


class Page(NamedTuple):
    """A page of the documentation: its address below the documentation's, what it is called and answers, its parts.

    `questions` are what people ask for in other words.
    """

    name: str
    kind: str
    title: str
    answers: str
    questions: str
    parts: tuple[Part, ...]


class Found(NamedTuple):
    """A page or a part of one that has what was looked for. `at` is its address below the documentation's."""

    title: str
    answers: str
    kind: str
    at: str


def folder() -> Path:
    """Where the pages are."""
    return next(each for each in _FOLDERS if each.is_dir())


@cache
def pages() -> Mapping[str, Page]:
    """All pages by their names, such as `how-to/undo`."""
    paths = sorted(folder().rglob("*.md"))
    names = [path.relative_to(folder()).with_suffix("").as_posix() for path in paths]
    return {name: _page(name, source(name)) for name in names}


@cache
def moved() -> Mapping[str, str]:
    """Where each page that moved is now, by its old name: a page's name, mostly with the anchor of a heading."""
    lines = (folder() / "moved.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return {old: new for old, new in pairs if "#" not in old}


def source(name: str) -> str:
    """The Markdown of a page."""
    file = folder().parent / BESIDE[name] if name in BESIDE else folder() / f"{name}.md"
    return file.read_text(encoding="utf-8")


def readable(name: str) -> str:
    """The Markdown of a page without its comments."""
    return _COMMENT.sub("", source(name))


def place(link: str, name: str) -> str | None:
    """The address, below the documentation's, of what a link of a page leads to; None for what is not part of it."""
    path, hash_mark, at = link.partition("#")
    start = "" if name in BESIDE else f"docs/{name.rpartition('/')[0]}"
    target = normpath(f"{start}/{path}".lstrip("/")) if path else ""
    beside = {file: page for page, file in BESIDE.items()}
    if not path:
        return f"{name}{hash_mark}{at}"
    page = beside.get(target, target.removeprefix("docs/").removesuffix(".md"))
    if page in pages():
        return f"{page}{hash_mark}{at}"
    return page if target.startswith("docs/") and target.endswith(PICTURES) else None


def search(text: str, most: int) -> list[Found]:
    """Pages whose titles have all words, parts whose headings have them, pages that answer, parts with the text."""
    wanted = text.lower().split()
    ranked = {found.at: found for rank in _RANKS for page in _searched() for found in rank(page, wanted)}
    return list(ranked.values())[:most]


def _by_title(page: Page, wanted: list[str]) -> Iterator[Found]:
    if _has(page.title, wanted):
        yield _whole(page)


def _by_heading(page: Page, wanted: list[str]) -> Iterator[Found]:
    if page.name.startswith(WITH_PARTS):
        yield from (_section(page, part) for part in page.parts[1:] if _has(part.title, wanted))


def _by_answer(page: Page, wanted: list[str]) -> Iterator[Found]:
    if _has(f"{page.title} {page.answers} {page.questions}", wanted):
        yield _whole(page)


def _by_text(page: Page, wanted: list[str]) -> Iterator[Found]:
    for part in page.parts:
        if " ".join(wanted) in part.text:
            yield _whole(page) if part is page.parts[0] else _section(page, part)


_RANKS = (_by_title, _by_heading, _by_answer, _by_text)


def _searched() -> list[Page]:
    """The pages of the four kinds, those that show how first."""
    order = list(KINDS.values())
    listed = [page for page in pages().values() if page.kind and not page.name.endswith("index")]
    return sorted(listed, key=lambda page: order.index(page.kind))


def _whole(page: Page) -> Found:
    return Found(page.title, page.answers, page.kind, page.name)


def _section(page: Page, part: Part) -> Found:
    return Found(part.title, "", f"{page.kind}: {page.title}", f"{page.name}#{part.anchor}")


def _has(text: str, wanted: list[str]) -> bool:
    return all(word in text.lower() for word in wanted)


def _page(name: str, text: str) -> Page:
    asked = _QUESTIONS.search(text)
    text = CODE.sub("", _COMMENT.sub("", text))
    first = _FIRST.search(text)
    answers = plain(first[1]).partition(". ")[0].removesuffix(".") if first else ""
    return Page(
        name,
        KINDS.get(name.partition("/")[0], ""),
        plain(text.partition("\n")[0].removeprefix("# ")),
        shorten(answers, LONGEST, placeholder=" …"),
        " ".join(asked[1].split()) if asked else "",
        tuple(_parts(text)),
    )


def _parts(text: str) -> Iterator[Part]:
    """The sections, from the page's own title on."""
    headings = list(_HEADING.finditer(text))
    names = anchors(heading[1] for heading in headings)
    ends = [*(heading.start() for heading in headings), len(text)][1:]
    for heading, name, end in zip(headings, names, ends, strict=True):
        yield Part(plain(heading[1]), name, plain(text[heading.start() : end]).lower())
