"""Nothing jumps: for every action of every page the scroll and the focus stay, and the layout does not shift.

Each action is pressed in a fork of one world in which everything has happened, on a page that is scrolled to it, with
all details open but for menus and moves that it is not in, and what has to be filled in filled in. What shifts in the
half second after an input counts too, which the browser's own figure leaves out; what may move then is in a list, which
says why. Actions that lead to another page are in a list, which says where they lead: there a reader begins at the top.
The same holds when the world changes by itself, while somebody reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from giftsim import Simulator
from giftsim.engine.url_paths import CONTROL
from tests.support.browser import Visit
from tests.support.console import Console
from tests.support.console_map import console, page_endpoints, reachable_pages
from tests.support.console_pages import APART
from tests.support.console_story import play_story

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST_SHIFT, MOST_GROWTH, MOST_RENEWED, MOST_RELISTED = 0.02, 0.05, 0.08, 0.25
APP = console()
ELSEWHERE = ("scenarios.session",)  # in worlds of their own
VISITS = 4
CALL = re.compile(r"/calls/\d+$")
# Where the actions lead that do not stay on their page.
LEAVES = {
    "home.send_first_gift": "to the order that was sent",
    "home.play_demo": "to the home of the demo's world",
    "museum.buy": "to the ticket that was bought",
    "people.delete_contact": "to the contacts that are left",
    "compare.fork": "to the comparison with the fork",
    "scenarios.begin": "to the page on which the scenario is played",
    "worlds.create": "to the home of the new world",
    "worlds.fork": "to the home of the fork",
    "worlds.delete": "to the worlds that are left",
    "time.advance": "from a preview back to where it was asked for",
}
# What adds or takes away a row above others, which the action is for: it may move these, by the page and the action.
GROWS = {
    ("faults.show", "faults.end"): "the fault leaves those that are active",
    ("inbox.show", "inbox.decide_approval"): "what is decided leaves the list",
    ("inbox.decisions", "inbox.decide_approval"): "what is decided leaves those that wait",
    ("inbox.decision", "inbox.decide_approval"): "what is decided leaves those that wait",
    ("moments.show", "moments.save"): "the snapshot and the action are the first of their lists",
    ("time.preview", "time.advance"): "the preview begins later, and has other changes",
    ("webhooks.event", "time.advance"): "the ladder gets a rung",
    ("money.show", "time.advance"): "a declined order is listed with the account",
    ("home.show", "attention.end"): "what was broken leaves the top of the page, with its card if it was the last",
    ("home.show", "attention.end_all"): "what was broken leaves the top of the page, with its card",
    ("orders.orders", "orders.cancel"): "the order leaves those that failed",
    ("orders.one", "orders.cancel"): "the order leaves those that failed",
}
# What shows another thing, or another standing of it, at the same address: most of the page may be another.
RENEWS = {
    ("faults.show", "faults.end_all"): "the list of those that are active becomes empty",
    ("orders.campaigns", "orders.send_sample"): "the empty page becomes a list with its details",
    ("people.show", "people.put_contact"): "the empty page becomes a list with its details",
    ("orders.orders", "orders.retry"): "another thing comes next, with other buttons, and the journey is below that",
    (
        "orders.orders",
        "orders.move",
    ): "another thing comes next, other moves are possible, and the journey is below that",
    ("orders.orders", "breaking.rehearse"): "another thing comes next, and other moves and rehearsals are possible",
    ("orders.one", "breaking.rehearse"): "another thing comes next, and other moves and rehearsals are possible",
    ("orders.one", "orders.retry"): "another thing comes next, with other buttons, and the journey is below that",
    ("orders.one", "orders.move"): "another thing comes next, other moves are possible, and the journey is below that",
}
# What leads to another list of what can be done next, in which the button itself was.
RELISTS = {
    ("orders.orders", "breaking.rehearse"): "other situations are possible now, and the journey is below them",
    ("orders.one", "breaking.rehearse"): "other situations are possible now, and the journey is below them",
}
PAGES = [endpoint for endpoint in page_endpoints(APP) if endpoint not in (*APART, *ELSEWHERE)]
WATCH = """() => {
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const {value, sources} of list.getEntries())
      window.shifts.push([value, ...sources.map(({node}) => node?.outerHTML?.slice(0, 120))]);
  }).observe({type: "layout-shift"});
}"""
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
OPEN = """() => {
  for (const each of document.querySelectorAll("main details")) each.open = true;
  document.documentElement.dataset.stays = "true";
}"""
TYPED = (
    """{when: "1d", date: "2027-02-02", text: "scenario: a", email: "bo@example.com", work_email: "bo@example.com"}"""
)
# The buttons of a page, one for each address that their forms are sent to: what tells them apart, and their numbers.
BUTTONS = """() => {
  const all = [...document.querySelectorAll("form[method=post] button:not([disabled], [formmethod=get])")];
  const kinds = new Map();
  for (const [n, button] of all.entries()) {
    for (const field of button.form.elements)
      if (field.required && !field.value && field.type !== "file") field.value = (TYPED)[field.name] ?? "5";
    const path = new URL(button.form.action).pathname.replace(/[0-9a-f-]{8,}|[0-9]+/g, "N");
    const kind = `${path} ${button.name}=${button.value.replace(/[0-9].*/, "N")}`;
    if (button.checkVisibility() && button.form.checkValidity() && !kinds.has(kind)) kinds.set(kind, n);
  }
  return [...kinds];
}"""
# Somebody reads the middle of the page, and has walked to a link there.
FOCUS_MIDDLE = """() => {
  scrollTo(0, (document.documentElement.scrollHeight - innerHeight) / 2);
  const links = [...document.querySelectorAll("main a[href], main summary, main button:not([disabled])")];
  const seen = links.filter(each => each.checkVisibility() && each.getBoundingClientRect().top > innerHeight / 2);
  (seen[0] ?? links.at(-1) ?? document.querySelector("nav a")).focus({preventScroll: true});
}"""
# Menus lie over what is below them, and people have the moves of a thing folded: open is only where the button is.
FOLD = """n => {
  const button = [...document.querySelectorAll("form[method=post] button:not([disabled], [formmethod=get])")][n];
  const folded = document.querySelectorAll("main details:is(.menu, .fold, [id^=impossible])");
  for (const each of folded) each.open = each.contains(button);
}"""
PRESS = """n => {
  const button = [...document.querySelectorAll("form[method=post] button:not([disabled], [formmethod=get])")][n];
  for (const field of button.form.elements)
    if (field.required && !field.value && field.type !== "file") field.value = (TYPED)[field.name] ?? "5";
  button.scrollIntoView({block: "center"});
  button.focus({preventScroll: true});
  button.dataset.pressed = "true";
  return [button.innerText.trim(), new URL(button.getAttribute("formaction") ?? button.form.action, location).pathname];
}"""
PLACE = """() => ({
  cursor: Number(document.getElementById("live")?.dataset.cursor ?? 0),
  top: document.activeElement?.getBoundingClientRect().top,
  path: location.pathname, stays: !!document.documentElement.dataset.stays,
  scroll: scrollY, height: document.documentElement.scrollHeight,
  focus: document.activeElement?.outerHTML.slice(0, 100), lost: document.activeElement === document.body,
  shift: window.shifts?.reduce((sum, [value]) => sum + value, 0), shifts: window.shifts,
})"""


@pytest.fixture(scope="module")
def paths(simulator: Simulator) -> tuple[str, dict[str, list[str]]]:
    """The world in which everything has happened, and paths in it for each page of the console."""
    world = play_story(simulator)
    start = f"/w/{world}/"
    found = reachable_pages(APP, Console(simulator, world), start, visits=VISITS, within=start, apart=APART)
    return world, {endpoint: [path for path, _ in pages] for endpoint, pages in found.items()}


@pytest.mark.parametrize("endpoint", PAGES)
def test_scroll_and_focus_stay_and_nothing_shifts(
    visit: Visit, simulator: Simulator, paths: tuple[str, dict[str, list[str]]], endpoint: str
) -> None:
    world, found = paths
    page, pressed, jumps = visit.page, set[str](), list[Any]()
    for path in found[endpoint]:
        with fork_of(simulator, world) as fork:
            open_page(page, in_fork(path, world, fork))
            buttons = page.evaluate(BUTTONS.replace("TYPED", TYPED))
        for kind, n in buttons:
            if kind in pressed:
                continue
            pressed.add(kind)
            with fork_of(simulator, world) as fork:
                open_page(page, in_fork(path, world, fork))
                jumps += press(page, n, endpoint)
                page.goto("about:blank")
    assert jumps == []
    visit.problems = [each for each in visit.problems if "Failed to load resource" not in each]


@pytest.mark.parametrize("endpoint", PAGES)
def test_nothing_jumps_when_the_world_changes_by_itself(
    visit: Visit, simulator: Simulator, paths: tuple[str, dict[str, list[str]]], endpoint: str
) -> None:
    world, found = paths
    page = visit.page
    with fork_of(simulator, world) as fork:
        open_page(page, in_fork(found[endpoint][0], world, fork))
        page.locator("#live-state:not([hidden])").wait_for(state="attached")  # beside what fails it is not shown
        page.evaluate(FOCUS_MIDDLE)
        before = page.evaluate(PLACE)
        happen(simulator, fork, "live")
        page.wait_for_function(
            "was => Number(document.getElementById('live').dataset.cursor) > was", arg=before["cursor"]
        )
        page.evaluate(FRAMES)
        after = page.evaluate(PLACE)
        page.goto("about:blank")
    moved = abs(after["top"] - before["top"]) if abs(after["scroll"] - before["scroll"]) > 1 else 0
    assert moved <= 1, "the page was scrolled, and not to keep what somebody reads where it is"
    assert after["focus"] == before["focus"]
    assert after["shift"] <= MOST_SHIFT, after["shifts"]


def in_fork(path: str, world: str, fork: str) -> str:
    """The path of a page of a world in a fork of it, whose log has calls of its own."""
    return CALL.sub("/calls/1", path.replace(f"/w/{world}/", f"/w/{fork}/"))


def happen(simulator: Simulator, fork: str, key: str) -> None:
    """A call of an app, and an hour that passes."""
    order = {"idempotency_key": key, "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}]}
    credential = {"Authorization": f"Bearer pk_live_{fork}_prepaid"}
    body = {**order, "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
    assert simulator.client.call("POST", "/api/external/team-orders", body=body, headers=credential).status == 201
    simulator.client.call("POST", f"{CONTROL}/worlds/{fork}/clock/advance", body={"by": "1h"})


@contextmanager
def fork_of(simulator: Simulator, world: str) -> Iterator[str]:
    """A fork of a world, by its id; it has something to undo, and is deleted at the end."""
    path = f"{CONTROL}/worlds/{world}"
    fork: str = simulator.client.call("POST", f"{path}/fork", body={}).json()["id"]
    happen(simulator, fork, "before")
    simulator.client.call("POST", f"{CONTROL}/worlds/{fork}/clock/advance", body={"by": "1s"})
    yield fork
    simulator.client.call("DELETE", f"{CONTROL}/worlds/{fork}")


def open_page(page: Page, path: str) -> None:
    """Open a page with all details, and watch what shifts from then on."""
    page.goto(path)
    page.evaluate(OPEN)
    page.evaluate(FRAMES)
    page.evaluate(WATCH)


def press(page: Page, n: int, shown: str) -> list[Any]:
    """Press a button of the page that is shown; what jumped."""
    page.evaluate(FOLD, n)
    page.evaluate(FRAMES)
    page.evaluate("window.shifts = []")
    text, action = page.evaluate(PRESS.replace("TYPED", TYPED), n)
    endpoint, name = APP.url_map.bind("localhost").match(action, "POST")[0], f"{text} {action}"
    before = page.evaluate(PLACE)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator("[data-pressed]").click(force=True)
    page.locator("#live:not([aria-busy])").wait_for()
    page.evaluate(FRAMES)
    after = page.evaluate(PLACE)
    if not after["stays"]:
        leaves = endpoint in LEAVES and after["path"] != before["path"] and after["scroll"] == 0
        return [] if leaves else [(name, endpoint, "the page was loaded again, or left")]
    moved = abs(after["scroll"] - before["scroll"]) - abs(after["height"] - before["height"])
    found = [(name, "scroll", before, after)] if moved > 1 else []
    found += [(name, "focus", before["focus"], after["focus"])] if after["lost"] else []
    most = most_shift(shown, endpoint)
    return found + ([(name, endpoint, "shift", after["shift"], after["shifts"])] if after["shift"] > most else [])


def most_shift(shown: str, endpoint: str) -> float:
    """How much may shift when an action of a page was pressed."""
    limits = ((RELISTS, MOST_RELISTED), (RENEWS, MOST_RENEWED), (GROWS, MOST_GROWTH))
    return next((most for actions, most in limits if (shown, endpoint) in actions), MOST_SHIFT)
