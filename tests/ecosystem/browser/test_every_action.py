"""Nothing jumps: for every action of every page the scroll and the focus stay, and the layout does not shift.

Each action is pressed in a fork of one world in which everything has happened, on a page that is scrolled to it, with
all details open. Actions that lead to another page are left out: they begin at its top. The browser's own figure counts
what shifts without an input in the half second before; what an action takes away or adds may move what is below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from giftsim import Simulator
from giftsim.paths import CONTROL
from tests.support.browser import Visit
from tests.support.console import Console
from tests.support.console_map import console, page_endpoints, reachable_pages
from tests.support.console_pages import APART
from tests.support.console_story import play_story

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST_SHIFT, MOST_SHIFT_IN_ALL = 0.02, 0.2
SOON_MS = 450  # an answer within it counts as one to the input
APP = console()
ELSEWHERE = ("scenarios.session",)  # in worlds of their own
PAGES = [endpoint for endpoint in page_endpoints(APP) if endpoint not in (*APART, *ELSEWHERE)]
WATCH = """() => {
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const {value, hadRecentInput, sources} of list.getEntries())
      window.shifts.push([value, hadRecentInput, ...sources.map(({node}) => node?.outerHTML?.slice(0, 120))]);
  }).observe({type: "layout-shift"});
}"""
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
OPEN = """() => {
  for (const each of document.querySelectorAll("main details")) each.open = true;
  document.documentElement.dataset.stays = "true";
}"""
# The buttons of a page, one for each address that their forms are sent to: what tells them apart, and their numbers.
BUTTONS = """() => {
  const all = [...document.querySelectorAll("form[method=post] button:not([disabled], [formmethod=get])")];
  const kinds = new Map();
  for (const [n, button] of all.entries()) {
    const path = new URL(button.form.action).pathname.replace(/[0-9a-f-]{8,}|[0-9]+/g, "N");
    const kind = `${path} ${button.name}=${button.value.replace(/[0-9].*/, "N")}`;
    if (button.checkVisibility() && button.form.checkValidity() && !kinds.has(kind)) kinds.set(kind, n);
  }
  return [...kinds.values()];
}"""
PRESS = """n => {
  const button = [...document.querySelectorAll("form[method=post] button:not([disabled], [formmethod=get])")][n];
  button.scrollIntoView({block: "center"});
  button.focus({preventScroll: true});
  button.dataset.pressed = "true";
  return button.innerText.trim() + " " + button.form.action;
}"""
PLACE = """() => ({
  path: location.pathname, stays: !!document.documentElement.dataset.stays,
  scroll: scrollY, height: document.documentElement.scrollHeight,
  focus: document.activeElement?.outerHTML.slice(0, 100), lost: document.activeElement === document.body,
  shift: window.shifts?.reduce((sum, [value, recent]) => sum + (recent ? 0 : value), 0),
  shiftInAll: window.shifts?.reduce((sum, [value]) => sum + value, 0), shifts: window.shifts, at: performance.now(),
})"""


@pytest.fixture(scope="module")
def paths(simulator: Simulator) -> tuple[str, dict[str, str]]:
    """The world in which everything has happened, and a path in it for each page of the console."""
    world = play_story(simulator)
    found = reachable_pages(
        APP, Console(simulator, world), f"/w/{world}/", visits=3, within=f"/w/{world}/", apart=APART
    )
    return world, {endpoint: pages[0][0] for endpoint, pages in found.items()}


@pytest.mark.parametrize("endpoint", PAGES)
def test_scroll_and_focus_stay_and_nothing_shifts(
    visit: Visit, simulator: Simulator, paths: tuple[str, dict[str, str]], endpoint: str
) -> None:
    world, found = paths
    page = visit.page
    with fork_of(simulator, world) as fork:
        open_page(page, found[endpoint].replace(f"/w/{world}/", f"/w/{fork}/"))
        buttons = page.evaluate(BUTTONS)
    jumps: list[Any] = []
    for n in buttons:
        with fork_of(simulator, world) as fork:
            open_page(page, found[endpoint].replace(f"/w/{world}/", f"/w/{fork}/"))
            jumps += press(page, n)
            page.goto("about:blank")
    assert jumps == []
    visit.problems = [each for each in visit.problems if "Failed to load resource" not in each]


@contextmanager
def fork_of(simulator: Simulator, world: str) -> Iterator[str]:
    """A fork of a world, by its id; it has something to undo, and is deleted at the end."""
    path = f"{CONTROL}/worlds/{world}"
    fork: str = simulator.client.call("POST", f"{path}/fork", body={}).json()["id"]
    simulator.client.call("POST", f"{CONTROL}/worlds/{fork}/clock/advance", body={"by": "1s"})
    yield fork
    simulator.client.call("DELETE", f"{CONTROL}/worlds/{fork}")


def open_page(page: Page, path: str) -> None:
    """Open a page with all details, and watch what shifts from then on."""
    page.goto(path)
    page.evaluate(OPEN)
    page.evaluate(FRAMES)
    page.evaluate(WATCH)


def press(page: Page, n: int) -> list[Any]:
    """Press a button of the page; what jumped."""
    name = page.evaluate(PRESS, n)
    before = page.evaluate(PLACE)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator("[data-pressed]").click(force=True)
    page.locator("#live:not([aria-busy])").wait_for()
    page.evaluate(FRAMES)
    after = page.evaluate(PLACE)
    if not after["stays"]:
        return [(name, "the page was loaded again")] if after["path"] == before["path"] else []
    moved = abs(after["scroll"] - before["scroll"]) - abs(after["height"] - before["height"])
    found = [(name, "scroll", before, after)] if moved > 1 else []
    found += [(name, "focus", before["focus"], after["focus"])] if after["lost"] else []
    prompt = after["at"] - before["at"] < SOON_MS
    shifted = (prompt and after["shift"] > MOST_SHIFT) or after["shiftInAll"] > MOST_SHIFT_IN_ALL
    return found + ([(name, "shift", after["shift"], after["shifts"])] if shifted else [])
