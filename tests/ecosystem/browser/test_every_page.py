"""Every page of the console can be used by everyone, at any size, light and dark, by keyboard and finger.

The pages are those of the console's map of addresses, so that none can be forgotten. The fixture `visit` fails a test
whose page writes to the console, breaks its content policy, or asks another origin for something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from giftsim import Simulator
from giftsim.console.pages.reference import SECTIONS
from giftsim.engine.url_paths import CONTROL
from tests.support.axe import findings_in_both_schemes
from tests.support.console import Console
from tests.support.console_map import console, page_endpoints, reachable_pages
from tests.support.console_story import play_story
from tests.support.large_world import fill_world
from tests.support.page_look import SIZES, look_faults, shift, weight

if TYPE_CHECKING:
    from playwright.sync_api import Page

APP = console()
# Addresses that lead to another page, files, and parts of pages.
NO_PAGES = (
    *(
        "strip.ahead",
        "strip.behind",
        "strip.stretch",
        "strip.own",
        "shared",
        "find.find",
        "docs.find",
        "docs.llms",
        "mail.letter",
        "mail.entry",
        "worlds.others",
    ),
    "home.without_slash",
    "moments.former_address",
    "webhooks.delivery",
    "calls.scenario",
    "calls.call_scenario",
    "worlds.trace",
)
PAGES = [endpoint for endpoint in page_endpoints(APP) if endpoint not in NO_PAGES]
FEW = 4  # presses of Tab that are looked at
MOST_SHIFT, MOST_BYTES = 0.01, 100_000
MANY = 50_000
LARGE = (
    *("", "orders", "orders/order/1001", "gifts", "people/recipients", "money?view=ledger", "inbox"),
    *("webhooks", "webhooks/endpoints/1", "calls", "calls/1", "time/happened", "coverage", "worlds"),
)
FOCUS = """() => {
  const focused = document.activeElement, style = getComputedStyle(focused)
  const ring = getComputedStyle(focused.closest(".finder") ?? focused).boxShadow;
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0
  return {tag: focused.outerHTML.slice(0, 120), inMain: !!focused.closest("main"),
          seen: focused.matches("iframe") || outlined || ring !== "none"}
}"""


@pytest.fixture(scope="module")
def paths(simulator: Simulator) -> dict[str, str]:
    """A path for each page of the console, in a world in which everything has happened."""
    world = play_story(simulator)
    found = reachable_pages(APP, Console(simulator, world), f"/w/{world}/", "/", *unlinked(world), visits=3)
    return {endpoint: pages[0][0] for endpoint, pages in found.items()}


def unlinked(world: str) -> tuple[str, ...]:
    """Pages that no link leads to: where the browser is sent for the control token."""
    return ("/console/sign-in",) if "sign_in.show" in PAGES else ()


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("endpoint", PAGES)
def test_a_page_of_the_console_can_be_used_by_everyone(
    page: Page, paths: dict[str, str], endpoint: str, size: tuple[int, int]
) -> None:
    assert endpoint in paths, f"no link leads to the page {endpoint}: link it, or let it happen in console_story.py"
    page.goto(paths[endpoint])
    assert look_faults(page) == []
    assert shift(page) <= MOST_SHIFT
    assert findings_in_both_schemes(page) == []
    assert unreached(page) == []


@pytest.fixture
def page_of_its_own(request: pytest.FixtureRequest) -> bool:
    """What a page weighs is measured with nothing kept from another."""
    return bool(request.node.originalname == "test_a_page_is_light_when_nothing_is_kept")


@pytest.mark.parametrize("endpoint", ["home.show", "orders.orders", "orders.one", "webhooks.show", "calls.show"])
def test_a_page_is_light_when_nothing_is_kept(page: Page, paths: dict[str, str], endpoint: str) -> None:
    page.goto(paths[endpoint], wait_until="networkidle")
    assert 20_000 < weight(page) <= MOST_BYTES


def test_every_section_of_the_reference_can_be_used_by_everyone(page: Page, paths: dict[str, str]) -> None:
    few = {
        "errors": "card_charge", "events": "gift.sent", "machines": "approval", "settings": "museum", "magic": "Slow",
        "rehearsals": "parcel", "statements": "signature",
    }  # fmt: skip
    assert ["routes", *few] == [section.name for section in SECTIONS]
    for name, q in few.items():
        page.goto(f"{paths['reference.show'].partition('?')[0]}?show={name}&q={q}")
        assert findings_in_both_schemes(page) == [], name


@pytest.fixture(scope="module")
def large(simulator: Simulator) -> str:
    """A world with very many orders, faults and an outage."""
    simulator.client.call("POST", f"{CONTROL}/worlds", body={"id": "large", "fixture": "empty"})
    fill_world(simulator, MANY, "large")
    return "large"


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("path", LARGE)
def test_a_page_bears_very_many_orders(page: Page, large: str, path: str, size: tuple[int, int]) -> None:
    page.goto(f"/w/{large}/{path}")
    assert look_faults(page) == []
    assert shift(page) <= MOST_SHIFT


def unreached(page: Page) -> list[Any]:
    """What the first keys of a visitor without a mouse reach that is not in the content, or without a sign of focus."""
    for key in ("Tab", "Enter"):  # the link that skips the navigation
        page.keyboard.press(key)
    stops = []
    for _ in range(FEW):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))
    in_main = [stop for stop in stops if stop["inMain"]]
    if not in_main and page.locator("main").locator("a, button, summary, input, select").count():
        return ["nothing of the content is reached by Tab", *stops]
    return [stop for stop in in_main if not stop["seen"]]
