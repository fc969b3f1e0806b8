"""Links between Markdown pages, to files and to the names of functions in them, as they work without the site."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.pages import FENCE, ROOT, Page, pages

LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`)*+)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
NAMES = re.compile(r"`([\w.]+)(?:\(\))?`")


def links(page: Page) -> Iterator[tuple[str, str]]:
    """The text and target of every link of a page that leads to no other host."""
    for match in LINK.finditer(FENCE.sub("", page.text)):
        if "://" not in match[3]:
            yield match[2], match[3]


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a Markdown file's headings."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    words = (re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip().lower() for heading in HEADING.findall(text))
    return frozenset(re.sub(r"[^\w\- ]", "", each).replace(" ", "-") for each in words)


@cache
def defined(path: Path) -> frozenset[str]:
    """The names that a Python file defines: functions, classes, their members, and variables."""
    names: set[str] = set()
    _collect(ast.parse(path.read_text(encoding="utf-8")).body, "", names)
    return frozenset(names)


def _collect(body: list[ast.stmt], prefix: str, names: set[str]) -> None:
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(prefix + name)
            case ast.ClassDef(name=name):
                names.add(prefix + name)
                _collect(node.body, f"{prefix}{name}.", names)
            case ast.Assign(targets=[ast.Name(id=name), *_]) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(prefix + name)


def broken(page: Page) -> Iterator[str]:
    """What is wrong with each link of a page."""
    for text, target in links(page):
        file, _, fragment = unquote(target).partition("#")
        path = (page.path.parent / file).resolve() if file else page.path
        if not path.exists():
            yield f"{page.name}: {target}: there is no such file"
        elif fragment and fragment not in anchors(path):
            yield f"{page.name}: {target}: there is no heading #{fragment}"
        elif path.suffix == ".py":
            names = NAMES.findall(text)
            yield from (f"{page.name}: {file} defines no {name}" for name in names if name not in defined(path))


@pytest.mark.parametrize("page", pages(), ids=[page.name for page in pages()])
def test_every_local_link_leads_somewhere(page: Page) -> None:
    assert list(broken(page)) == [], "a file, a heading or a function has moved: change the link"


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 200
