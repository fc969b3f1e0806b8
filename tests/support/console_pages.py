"""Every page of the console in a world: one address for each of its routes, found by following links."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from giftsim.console.app import console_app
from tests.support.console import HOST, Console

# No pages of a world, addresses that lead to another page, and files.
APART = (
    *("static", "sign_in.show", "home.start", "home.without_slash"),
    *("webhooks.delivery", "calls.scenario", "calls.call_scenario"),
)
MOST_VISITS = 400


def console_pages(console: Console) -> dict[str, str]:
    """An address in the console's world for each endpoint that shows a page; "" for one that no link leads to."""
    app = console_app(console.client, "0")
    routes = app.url_map.bind(HOST)
    pages = {rule.endpoint: "" for rule in app.url_map.iter_rules() if _shows_page(rule.methods, rule.endpoint)}
    for path in _reached(console, routes):
        endpoint = _endpoint(routes, path)
        if endpoint in pages and not pages[endpoint]:
            pages[endpoint] = path
    return pages


def _shows_page(methods: set[str] | None, endpoint: str) -> bool:
    return "GET" in (methods or ()) and endpoint not in APART


def _reached(console: Console, routes: MapAdapter) -> Iterator[str]:
    """The addresses that links lead to, nearest first; of each route only the first few are opened."""
    start = f"/w/{console.world}/"
    waiting, seen, opened = deque([start]), {start}, dict[str, int]()
    for _ in range(MOST_VISITS):
        if not waiting:
            return
        path = waiting.popleft()
        yield path
        endpoint = _endpoint(routes, path)
        opened[endpoint] = opened.get(endpoint, 0) + 1
        if not endpoint or opened[endpoint] > 4:
            continue
        for _, link in console.open(path).links:
            target = link.partition("#")[0]
            if target.startswith(f"/w/{console.world}/") and target not in seen:
                seen.add(target)
                waiting.append(target)


def _endpoint(routes: MapAdapter, path: str) -> str:
    try:
        endpoint: str = routes.match(path.partition("?")[0], method="GET")[0]
    except HTTPException:
        return ""
    return endpoint
