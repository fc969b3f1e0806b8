"""Sites of several versions beside each other: a reader chooses one, and a site that stands alone offers no choice."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browser import DESKTOP, BrowserThread, Visit, open_visit
from tests.support.served_folder import served_folder

if TYPE_CHECKING:
    from playwright.sync_api import Page

EXTRAS = Path(__file__).parents[3] / "docs" / "site"
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [0.3.0]\n\n## [0.2.0]\n\n## [0.1.0]\n"
CHOICE = ".sidebar-version select"
# As the site's theme and docs/site/templates make it.
PAGE = """<!doctype html><html data-content_root="{root}"><head><title>{version}</title>
<link rel="icon" href="data:,"><script defer src="{root}_static/site.js"></script></head><body><h1>{version} {name}</h1>
<div class="sidebar-version" data-version="{version}">Version <span>{version}</span></div></body></html>"""


def versions() -> Any:
    """The part of the site's configuration that lists versions."""
    found = importlib.util.spec_from_file_location("versions", EXTRAS / "versions.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def build(folder: Path, version: str, *pages: str, at: str = "") -> None:
    """A site as `make docs` leaves it, with some pages below its start page."""
    site = folder / (at or version)
    for name in ("index", *pages):
        file = site / f"{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PAGE.format(root="../" * name.count("/") or "./", version=version, name=name))
    (site / "_static").mkdir()
    (site / "_static" / "site.js").write_bytes((EXTRAS / "static" / "site.js").read_bytes())
    versions().write_list(site, version, CHANGELOG)


@pytest.fixture
def origin(tmp_path: Path) -> Iterator[str]:
    """The folder in which the sites stand, served."""
    with served_folder(tmp_path) as origin:
        yield origin


@pytest.fixture
def visit(browser_thread: BrowserThread, origin: str) -> Iterator[Visit]:
    """A visit to it: an error in the browser's console fails the test."""
    with open_visit(browser_thread, origin, DESKTOP, scripts=True) as visit:
        yield visit


def test_a_reader_goes_to_the_same_page_of_another_version_or_to_its_start(
    browser_thread: BrowserThread, page: Page, origin: str, tmp_path: Path, visit: Visit
) -> None:
    build(tmp_path, "0.2.0", "how-to/move-time")
    build(tmp_path, "0.3.0", "how-to/move-time", "how-to/explore")
    page.goto(f"{origin}/0.3.0/how-to/move-time.html")
    assert page.locator(f"{CHOICE} option").all_inner_texts() == ["0.3.0", "0.2.0"]
    page.locator(CHOICE).select_option("0.2.0")
    page.wait_for_url("**/0.2.0/how-to/move-time.html")
    page.locator(CHOICE).select_option("0.3.0")
    page.wait_for_url("**/0.3.0/how-to/move-time.html")
    page.goto(f"{origin}/0.3.0/how-to/explore.html")
    page.locator(CHOICE).select_option("0.2.0")
    page.wait_for_url("**/0.2.0/index.html")
    assert any("404" in problem for problem in visit.problems)  # the page that the other version lacks
    visit.problems.clear()


@pytest.mark.parametrize(("version", "at"), [("0.2.0", ""), ("0.2.0", "docs")])
def test_a_version_without_others_beside_it_offers_no_choice(
    browser_thread: BrowserThread, page: Page, origin: str, tmp_path: Path, version: str, at: str
) -> None:
    build(tmp_path, version, at=at)
    page.goto(f"{origin}/{at or version}/index.html", wait_until="networkidle")
    assert page.locator(".sidebar-version").inner_text() == "Version 0.2.0"
    assert (tmp_path / "versions.json").exists() == (not at)


def test_the_list_has_the_versions_of_the_changelog_that_are_there_the_newest_first(tmp_path: Path) -> None:
    build(tmp_path, "0.3.0")
    build(tmp_path, "0.1.0")
    (tmp_path / "drafts").mkdir()
    listed = json.loads((tmp_path / "versions.json").read_text())
    assert listed == [{"version": "0.3.0", "path": "0.3.0/"}, {"version": "0.1.0", "path": "0.1.0/"}]
