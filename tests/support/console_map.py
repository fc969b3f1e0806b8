"""Every page of the console: found in its map of addresses, and reached by the links of its pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from typing import Any

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from giftsim import Simulator
from giftsim.console.app import console_app
from tests.support.console import Console
from tests.support.html_page import HtmlPage

NO_PAGES = ("static",)


def console() -> Flask:
    """The console, of which only the addresses are asked."""
    return console_app(Simulator(fixture="bare").client, "0")


def page_endpoints(app: Flask) -> list[str]:
    """The endpoints that answer GET."""
    rules = (rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()))
    return sorted({rule.endpoint for rule in rules} - set(NO_PAGES))


def reachable_pages(
    app: Flask, browser: Console, *starts: str, visits: int, within: str = "/", apart: Container[str] = ()
) -> dict[str, list[tuple[str, HtmlPage]]]:
    """The HTML pages that links lead to from the starting paths, `visits` of each endpoint at most. Broken links fail.

    One endpoint has a page for each of its filters and records. Addresses that do not begin with `within`, and
    endpoints that are `apart`, are left out.
    """
    addresses, found, queue = app.url_map.bind("localhost"), dict[str, list[tuple[str, HtmlPage]]](), list(starts)
    visited: Counter[str] = Counter()
    seen = set(queue)
    while queue:
        path = queue.pop(0)
        endpoint = _endpoint(addresses, path)
        if endpoint is None or endpoint in apart or visited[endpoint] == visits:
            continue
        visited[endpoint] += 1
        page = browser.open(path)
        assert browser.status < 400, f"a link leads to {path}, which answers {browser.status}"
        if browser.response.headers["content-type"].startswith("text/html"):
            found.setdefault(endpoint, []).append((path, page))
            new = [link for link in dict.fromkeys(_paths(page, path)) if link not in seen and link.startswith(within)]
            seen.update(new)
            queue += new
    return found


def _endpoint(addresses: MapAdapter, path: str) -> str | None:
    try:
        endpoint: str = addresses.match(path.partition("?")[0], "GET")[0]
    except HTTPException:
        return None
    return endpoint


def _paths(page: HtmlPage, path: str) -> Iterator[str]:
    """The addresses of the console that a page leads to: links, and forms that read."""
    targets: list[Any] = [href for _, href in page.links]
    targets += [form.action for form in page.forms if form.method.lower() == "get"]
    for target in targets:
        address = target.partition("#")[0]
        if address.startswith("?"):
            yield path.partition("?")[0] + address
        elif address.startswith("/") and not address.startswith("//"):
            yield address
