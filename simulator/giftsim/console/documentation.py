"""The documentation in the package: its pages and where those that moved are.

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
KINDS: Final = {
    "tutorials": "Tutorial",
    "how-to": "How-to",
    "reference": "Reference",
    "explanation": "Explanation",
    "internals": "Internals",  # in a checkout only
}
# Pages whose text is a file beside the folder; the package has the file alone.
BESIDE: Final = {"changelog": "CHANGELOG.md", "security": "SECURITY.md"}
# For people who change giftsim: in the repository and on the site, not in the package.
INTERNALS = ("internals/", "architecture", "contributing")
LONGEST = 140  # characters of what a page answers
_FIRST = re.compile(r"#+ .*\n+([A-Za-z`\[*].*\n(?:[^\n].*\n)*)")
_HEADING = re.compile(r"^#{1,4} (.+)$", re.MULTILINE)
_QUESTIONS = re.compile(r"<!-- questions: (.*?) -->\n*", re.DOTALL)  # what people ask for, in the page's source
_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)


class Part(NamedTuple):
    """A section of a page: its heading, its anchor, its first sentence, what people ask in other words, its text."""

    title: str
    anchor: str
    answers: str
    questions: tuple[str, ...]
    text: str


class Page(NamedTuple):
    """A page of the documentation: its address below the documentation's, what it is called and answers, its parts."""

    name: str
    kind: str
    title: str
    answers: str
    parts: tuple[Part, ...]


def folder() -> Path:
    """Where the pages are."""
    return next(each for each in _FOLDERS if each.is_dir())


@cache
def pages() -> Mapping[str, Page]:
    """All pages by their names, such as `how-to/move-time`, without those for people who change giftsim."""
    paths = sorted(folder().rglob("*.md"))
    names = {path.relative_to(folder()).with_suffix("").as_posix() for path in paths}
    return {name: _page(name, source(name)) for name in sorted({*names, *BESIDE}) if not name.startswith(INTERNALS)}


@cache
def moved() -> Mapping[str, str]:
    """Where each page that moved is now, by its old name: a page's name, mostly with the anchor of a heading."""
    lines = (folder() / "moved.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return {old: new for old, new in pairs if "#" not in old and new.partition("#")[0] in pages()}


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


def _page(name: str, text: str) -> Page:
    text = CODE.sub("", text)
    return Page(
        name,
        KINDS.get(name.partition("/")[0], ""),
        plain(text.partition("\n")[0].removeprefix("# ")),
        _answer(_COMMENT.sub("", text)),
        tuple(_parts(text)),
    )


def _parts(text: str) -> Iterator[Part]:
    """The sections, from the page's own title on."""
    headings = list(_HEADING.finditer(text))
    names = anchors(heading[1] for heading in headings)
    ends = [*(heading.start() for heading in headings), len(text)][1:]
    for heading, name, end in zip(headings, names, ends, strict=True):
        section = text[heading.start() : end]
        asked = "; ".join(_QUESTIONS.findall(section))
        said = _COMMENT.sub("", section)
        questions = tuple(" ".join(each.split()) for each in asked.split(";") if each.strip())
        yield Part(plain(heading[1]), name, _answer(said), questions, plain(said).lower())


def _answer(text: str) -> str:
    """The first sentence below a heading, shortened; empty if something else follows it."""
    first = _FIRST.match(text)
    sentence = plain(first[1]).partition(". ")[0].removesuffix(".") if first else ""
    return shorten(sentence, LONGEST, placeholder=" …")
