"""The built documentation site as readers use it: search, copy buttons, cards, tables, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

import pytest

from tests.support.axe import findings_in_both_schemes
from tests.support.browser import DESKTOP, PHONE, BrowserThread, Visit, open_visit
from tests.support.reader_questions import MOST_MISSED, missed
from tests.support.served_folder import served_folder

if TYPE_CHECKING:
    from playwright.sync_api import Page

SITE = Path(__file__).parents[3] / "build" / "docs"
pytestmark = pytest.mark.skipif(not (SITE / "llms.txt").is_file(), reason="the site is not built: run `make docs`")
RESULTS = (
    "[...document.querySelectorAll('#search-results li > a')].map(link => link.getAttribute('href').split(/[?#]/)[0])"
)
WIDER = "document.documentElement.scrollWidth > innerWidth"


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    """The site, served."""
    with served_folder(SITE) as origin:
        yield origin


@pytest.fixture
def visit(request: pytest.FixtureRequest, browser_thread: BrowserThread, origin: str) -> Iterator[Visit]:
    """A visit to the site: a message in the browser's console or a request to another host fails the test."""
    callspec = getattr(request.node, "callspec", None)
    size = callspec.params.get("size", DESKTOP) if callspec else DESKTOP
    with open_visit(browser_thread, origin, size, scripts=True) as visit:
        yield visit


def found(page: Page, origin: str, words: str) -> list[str]:
    """The pages that a search finds, best first."""
    page.goto(f"{origin}/search.html?q={quote_plus(words)}")
    page.wait_for_function("/finished|not match/.test(document.querySelector('.search-summary')?.textContent)")
    addresses: list[str] = page.evaluate(RESULTS)
    return addresses


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("rotate secret", "how-to/verify-webhooks.html"),
        ("decline a charge", "how-to/make-things-go-wrong.html"),
        ("fork a world", "how-to/worlds-and-undo.html"),
        ("drop a response", "how-to/make-things-go-wrong.html"),
        ("docker", "how-to/run-in-ci.html"),
        ("fast forward", "how-to/move-time.html"),
        ("webhook retries", "how-to/receive-webhooks.html"),
        ("receive webhooks locally", "how-to/receive-webhooks.html"),
        ("freezegun", "how-to/move-your-apps-time.html"),
        *(
            (words, "how-to/is-my-integration-right.html")
            for words in (
                "is my integration right",
                "check my webhook receiver",
                "readiness",
                "hand over",
            )
        ),
        ("errors", "reference/errors.html"),
        ("settings", "reference/settings.html"),
    ],
)
def test_a_search_finds_the_guide_first_and_a_page_by_its_title(
    browser_thread: BrowserThread, page: Page, origin: str, words: str, first: str
) -> None:
    assert found(page, origin, words)[0] == first


def test_forty_questions_of_readers_find_their_page_among_the_first_three(
    browser_thread: BrowserThread, page: Page, origin: str
) -> None:
    wrong = missed(lambda asked: [each.removesuffix(".html") for each in found(page, origin, asked)])
    assert len(wrong) <= MOST_MISSED, wrong


def test_a_card_is_a_link_wherever_it_is_pressed(browser_thread: BrowserThread, page: Page, origin: str) -> None:
    page.goto(f"{origin}/index.html")
    cards = page.locator("ul.cards > li")
    assert cards.count() == 12
    cards.nth(4).click(position={"x": 6, "y": 6})
    page.wait_for_url("**/how-to/make-things-go-wrong.html")


def test_every_block_of_code_has_a_button_that_copies_it(
    browser_thread: BrowserThread, page: Page, origin: str
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{origin}/index.html")
    page.locator("button.copybtn").first.click()
    page.wait_for_selector("button.copybtn.success")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("def test_a_mug_ships_within_three_days(giftsim):\n    giftsim.subscribe(")
    page.goto(f"{origin}/how-to/make-things-go-wrong.html")
    assert page.locator("div.highlight pre").count() == page.locator("div.highlight button.copybtn").count() > 3


@pytest.mark.parametrize("size", [PHONE, (1440, 900)], ids=["phone", "wide"])
def test_no_page_is_wider_than_the_window_and_none_asks_another_host(
    browser_thread: BrowserThread, page: Page, origin: str, size: tuple[int, int]
) -> None:
    built = (path for path in SITE.rglob("*.html") if 'http-equiv="refresh"' not in path.read_text(encoding="utf-8"))
    paths = sorted(path.relative_to(SITE).as_posix() for path in built)
    assert len(paths) > 50
    wider = []
    for path in paths:
        page.goto(f"{origin}/{path}", wait_until="load" if size == PHONE else "domcontentloaded")
        wider += [path] if page.evaluate(WIDER) else []
    assert wider == []


@pytest.mark.parametrize("path", ["index.html", "how-to/make-things-go-wrong.html", "reference/settings.html"])
def test_the_pages_can_be_read_by_everybody(browser_thread: BrowserThread, page: Page, origin: str, path: str) -> None:
    page.goto(f"{origin}/{path}")
    assert findings_in_both_schemes(page) == []
