"""The start with an app of one's own: its webhooks are passed on to a port of this machine."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response, request

from giftsim.console.control_client import WorldControl, real_call
from giftsim.console.page import act_and_return, redirect_back, url_parts
from giftsim.console.pages.webhooks import own_members
from giftsim.console.start import CREDENTIAL, ENDPOINTS, HIDDEN, mark_start
from giftsim.engine.client.control import quote_segment

BLUEPRINT = Blueprint("start", __name__)
HOST: Final = "your-app.example"  # of the endpoint that the page makes for an app that has none
EVENTS: Final = ["team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention"]


@BLUEPRINT.post("/w/<world>/start/webhooks")
def send_webhooks() -> Response:
    """Pass webhooks on to a local address, with an endpoint for an app that has none, and send a test."""
    given = request.form.get("to", "").strip()
    parts = url_parts(given if "//" in given else f"http://127.0.0.1:{given.removeprefix(':')}")
    if not parts.netloc or parts.scheme != "http":
        return redirect_back(
            f"{given[:60] or 'Nothing'} is not an address of your app: give its port, or a URL such as"
            " http://127.0.0.1:3000/webhooks.",
            failed=True,
        )
    to, path = f"http://{parts.netloc}", parts.path or "/"
    return act_and_return(
        f"Webhooks to {to}",
        lambda world: _forward(world, to, path),
        said=lambda endpoint: f"Webhooks to {endpoint['url']} go to {to}. A test is on its way.",
    )


@BLUEPRINT.post("/w/<world>/start/hide")
def hide() -> Response:
    """Leave out the start in this browser."""
    response = redirect_back("The start is hidden. Address and key are in “This world”.")
    mark_start(response, HIDDEN)
    return response


def _forward(world: WorldControl, to: str, path: str) -> Any:
    """The endpoint that gets the test."""
    rows = [row for row in world.get("endpoints", limit=ENDPOINTS)["endpoints"] if row["status"] == "active"]
    url = rows[-1]["url"] if rows else f"https://{HOST}{path}"
    host = url.split("/")[2].partition(":")[0]
    kept = {name: value for name, value in own_members(world, host).items() if name in ("addresses", "host_header")}
    world.put(f"receivers/{quote_segment(host)}", {**kept, "mode": "forward", "to": to})
    body = {"url": url, "events": EVENTS}
    endpoint = rows[-1] if rows else real_call(world, CREDENTIAL, "/api/external/webhooks", body)["endpoint"]
    world.post(f"endpoints/{endpoint['id']}/test")
    return endpoint
