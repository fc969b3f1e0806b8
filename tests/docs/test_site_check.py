"""The check of the built site finds what it is there for, and passes the site that `make docs` has built."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.docs.site_check import problems

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
