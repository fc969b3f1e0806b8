"""The console in a world with 50,000 orders: time and bytes of each page, also as sent with all it loads; scripts."""

from __future__ import annotations

from collections.abc import Iterator
from gzip import compress
from statistics import median
from typing import Any

from benchmarks.figure import Figure, median_seconds
from benchmarks.workload import advance, funded, place
from giftsim import Simulator
from tests.support.browser import browser_program
from tests.support.console import Console
from tests.support.console_pages import console_pages
from tests.support.listening import listening

ORDERS = 50_000
MOST_MS, MOST_KB, FRAME_MS = 100.0, 150.0, 16.0
FETCH = """async () => {
  window.patching = await import("/console/patch.js");
  window.fetched = await (await fetch(location.href, {headers: {"Giftsim-Update": "true"}})).text();
}"""
PATCH = "patching.patch(patching.parse(fetched), ['side', 'live', 'toasts'])"
HIDE = "Object.defineProperty(document, 'hidden', {value: true})"  # it does not follow its world: that is patched too
SCRIPTED, ACTIONS = ("", "orders", "money", "calls"), 7  # pages, and actions on each


def figures() -> Iterator[Figure]:
    """Three figures for every page that a link leads to, and the time in scripts."""
    simulator, client = funded()
    place(client, ORDERS)
    console = Console(simulator)
    for _ in range(3):
        console.open()
        console.press("Send a gift to Bo")
    console.press("+1 d")
    for name, path in console_pages(console).items():
        if path:
            yield from _measured(simulator, console, name, path)
    yield from _script_of_actions(simulator)


def _measured(simulator: Simulator, console: Console, name: str, path: str) -> Iterator[Figure]:
    console.open(path)
    took_ms = median_seconds(lambda: console.open(path), times=5) * 1000
    kb = (len(compress(console.response.body, 4)) + sum(_loaded(simulator, console))) / 1000
    html_kb = len(console.response.body) / 1000
    yield Figure(f"console, {name}, page", f"{html_kb:.0f} KB", f"{MOST_KB:.0f} KB", html_kb <= MOST_KB)
    yield Figure(f"console, {name}, time of the server", f"{took_ms:.0f} ms", f"{MOST_MS:.0f} ms", took_ms <= MOST_MS)
    yield Figure(f"console, {name}, with everything", f"{kb:.0f} KB", f"{MOST_KB:.0f} KB", kb <= MOST_KB)


def _loaded(simulator: Simulator, console: Console) -> Iterator[int]:
    """The bytes of each script, style sheet and picture that the page loads."""
    links = {
        attributes.get("src") or attributes.get("href", "")
        for tag, attributes in console.page.elements
        if tag in ("script", "img") or (tag == "link" and "icon" not in attributes.get("rel", ""))
    }
    links |= {path for path in _modules(simulator) if any("console.js" in link for link in links)}
    for link in sorted(link for link in links if link.startswith("/")):
        yield len(simulator.client.call("GET", link, headers={"Accept-Encoding": "gzip"}).body)


def _modules(simulator: Simulator) -> Iterator[str]:
    """The modules that console.js imports, itself or by another one."""
    waiting, seen = ["console.js"], {"console.js"}
    while waiting:
        text = simulator.client.call("GET", f"/console/{waiting.pop()}").text
        for line in text.splitlines():
            if line.startswith("import"):
                name = line.rpartition("./")[2].rstrip('";')
                if name not in seen:
                    seen.add(name)
                    waiting.append(name)
                    yield f"/console/{name}"


def _script_of_actions(simulator: Simulator) -> Iterator[Figure]:
    """What a script takes to show what an action did: it parses the new page, and patches the shown one.

    It is processor time of the page's main thread, by the DevTools protocol; the median of some actions.
    """
    program = browser_program()
    if program is None:
        return
    from playwright.sync_api import sync_playwright

    with listening(simulator), sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=program).new_page()
        tools = page.context.new_cdp_session(page)
        tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        for name in SCRIPTED:
            page.goto(f"{simulator.registry.runtime.origin}/w/default/{name}")
            page.locator("#live-state:visible").wait_for()
            page.evaluate(HIDE)
            took_ms = median(_patched_ms(simulator, page, tools) for _ in range(ACTIONS))
            what = f"console, {name or 'home'}, script of an action"
            yield Figure(what, f"{took_ms:.1f} ms", f"{FRAME_MS:.0f} ms", took_ms <= FRAME_MS)


def _patched_ms(simulator: Simulator, page: Any, tools: Any) -> float:
    def spent_s() -> float:
        metrics = tools.send("Performance.getMetrics")["metrics"]
        return float(next(each["value"] for each in metrics if each["name"] == "ThreadTime"))

    advance(simulator.client, "1h")
    page.evaluate(FETCH)
    before = spent_s()
    page.evaluate(PATCH)
    return (spent_s() - before) * 1000
