"""The page of a trace, as tests read it in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.browser import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

URL = "https://artifacts.example/trace.html"


def show(visit: Visit, trace: str, n: int | None = None) -> Page:
    """Open the file of a trace, at entry `n`."""
    visit.pretend(URL, trace)
    page = visit.page
    page.goto(URL)
    slider(page).wait_for()
    wait_until_drawn(page)  # its first rows are drawn anew once their size is known
    if n is not None:
        page.evaluate("n => { location.hash = `#n=${n}` }", n)
        page.locator(f'[role=slider][aria-valuenow="{n}"]').wait_for()
    return page


def wait_until_drawn(page: Page) -> None:
    """Wait until the list has drawn the rows that are in view now."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def slider(page: Page) -> Locator:
    """The slider of the time strip."""
    return page.get_by_role("slider", name="Time")


def entry(page: Page) -> int:
    """The entry that is shown."""
    return int(slider(page).get_attribute("aria-valuenow") or 0)


def region(page: Page, name: str) -> Locator:
    """A region by its name."""
    return page.get_by_role("region", name=name, exact=True)


def follow(page: Page, link: Locator) -> None:
    """Click a link to an entry, and wait until it is shown."""
    n = (link.get_attribute("href") or "").removeprefix("#n=")
    link.scroll_into_view_if_needed()
    wait_until_drawn(page)  # a row that is drawn anew between press and release is not clicked
    link.click()
    page.locator(f'[role=slider][aria-valuenow="{n}"]').wait_for()


def link_of(page: Page, *texts: str) -> Locator:
    """The first entry of the list whose title and status have these texts."""
    links = page.get_by_role("navigation", name="Entries").get_by_role("link")
    for text in texts:
        links = links.filter(has_text=text)
    return links.first
