"""Links between Markdown pages, to files and to the names of functions in them, as they work without the site."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tests.docs.pages import DOCS, FENCE, ROOT, Page, pages
from tests.docs.site_check import problems

SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_has_the_layers_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    enforced = {
        contract["id"]: [{name.strip(" ()") for name in layer.split("|")} for layer in contract["layers"]]
        for contract in contracts
        if contract["type"] == "layers"
    }
    picture = ElementTree.parse(DOCS / "layers.svg").getroot()
    shown = {
        str(wing.get("id")): [
            {text.text for text in group.iter(f"{SVG}text") if text.get("class") == "package"}
            for group in wing
            if group.get("class") == "layer"
        ]
        for wing in picture.iter(f"{SVG}g")
        if wing.get("class") == "wing"
    }
    assert shown == enforced, "docs/layers.svg shows other layers than pyproject.toml; draw them anew"


@pytest.mark.parametrize("drawing", ["call", "timer", "webhook"])
def test_the_names_in_a_drawing_are_defined_in_their_files(drawing: str) -> None:
    picture = ElementTree.parse(DOCS / f"{drawing}.svg").getroot()
    names = [text for text in picture.iter(f"{SVG}text") if text.get("class") == "name"]
    assert len(names) >= 8
    missing = [
        f"{file} defines no {name}"
        for text in names
        if (name := text.get("data-name") or text.text) not in defined_by(file := str(text.get("data-in")))
    ]
    assert missing == [], f"a function has moved: change docs/{drawing}.svg"


def defined_by(file: str) -> frozenset[str]:
    """The names that a file of the simulator defines, none if there is no such file."""
    path = ROOT / "simulator/giftsim" / file
    return defined(path) if path.is_file() else frozenset()


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


def test_the_page_about_the_architecture_fits_on_three_screens() -> None:
    assert len((DOCS / "architecture.md").read_text(encoding="utf-8").split()) <= 1150


def test_the_changelog_is_what_a_user_notices() -> None:
    assert (ROOT / "CHANGELOG.md").stat().st_size < 12_000


SITE = ROOT / "build" / "docs"


def site(folder: Path, html: str, css: str = "") -> Path:
    """A site of one page beside a page `there.html` with the element `#part`."""
    (folder / "index.html").write_text(html)
    (folder / "there.html").write_text('<p id="part"></p>')
    (folder / "style.css").write_text(css)
    return folder


def test_local_links_may_lead_to_pages_elements_and_files(tmp_path: Path) -> None:
    html = (
        '<link href="style.css"><a href="there.html#part"></a><a href="#top" id="top"></a><a href="https://a.example/">'
    )
    assert list(problems(site(tmp_path, html, "p {background: url('data:,')}"))) == []


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ('<a href="gone.html"></a>', "index.html: gone.html: there is no such file"),
        ('<a href="there.html#gone"></a>', "index.html: there.html#gone: there is no #gone"),
        ('<a href="#gone"></a>', "index.html: #gone: there is no #gone"),
        ('<script src="https://cdn.example/a.js"></script>', "index.html: loads https://cdn.example/a.js"),
        ('<link rel="stylesheet" href="//fonts.example/f.css">', "index.html: loads //fonts.example/f.css"),
        ('<img src="http://img.example/i.png">', "index.html: loads http://img.example/i.png"),
    ],
)
def test_a_broken_link_and_a_file_from_another_host_are_found(tmp_path: Path, html: str, problem: str) -> None:
    assert list(problems(site(tmp_path, html))) == [problem]


def test_a_style_sheet_that_loads_a_font_from_another_host_is_found(tmp_path: Path) -> None:
    css = "@font-face {src: url(https://fonts.example/f.woff2)}"
    assert list(problems(site(tmp_path, "", css))) == ["style.css: loads https://fonts.example/f.woff2"]


@pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="the site is not built: run `make docs`")
def test_the_built_site_has_no_problem() -> None:
    assert list(problems(SITE)) == []
