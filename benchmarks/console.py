"""The console in a world with 50,000 orders: each page's time and bytes, with all it loads and gzip, as sent."""

from __future__ import annotations

from collections.abc import Iterator
from gzip import compress

from benchmarks.figure import Figure, median_seconds
from benchmarks.workload import funded, place
from giftsim import Simulator
from tests.support.console import Console
from tests.support.console_pages import console_pages

ORDERS = 50_000
MOST_MS, MOST_KB = 100.0, 150.0


def figures() -> Iterator[Figure]:
    """Two figures for every page that a link leads to."""
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


def _measured(simulator: Simulator, console: Console, name: str, path: str) -> Iterator[Figure]:
    console.open(path)
    took_ms = median_seconds(lambda: console.open(path), times=5) * 1000
    kb = (len(compress(console.response.body, 4)) + sum(_loaded(simulator, console))) / 1000
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
