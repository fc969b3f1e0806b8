"""Every page of the console in a world: one address for each of its routes, found by following links."""

from __future__ import annotations

from giftsim.console.app import console_app
from tests.support.console import Console
from tests.support.console_map import page_endpoints, reachable_pages

# No pages of a world, addresses that lead to another page, and files.
APART = (
    *("static", "sign_in.show", "home.start", "home.without_slash", "moments.former_address"),
    *("strip.ahead", "strip.behind", "strip.stretch", "strip.own", "shared", "find.find", "mail.letter", "mail.entry"),
    *("docs.show", "docs.find", "docs.llms", "webhooks.delivery", "calls.scenario", "calls.call_scenario"),
    *("worlds.others", "worlds.trace"),
    "present.show",  # it has neither navigation nor time bar, and its own tests
)
VISITS = 4


def console_pages(console: Console) -> dict[str, str]:
    """An address in the console's world for each endpoint that shows a page; "" for one that no link leads to."""
    app, start = console_app(console.client, "0"), f"/w/{console.world}/"
    found = reachable_pages(app, console, start, visits=VISITS, within=start, apart=APART)
    shown = [endpoint for endpoint in page_endpoints(app) if endpoint not in APART]
    return {endpoint: found[endpoint][0][0] if endpoint in found else "" for endpoint in shown}
