"""The page of a webhook endpoint: its secret, where it is forwarded to, how its attempts went, and what mends them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, g, request, url_for

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.endpoint_chart import draw_chart
from giftsim.console.filters import plural
from giftsim.console.names import fetch_titles
from giftsim.console.page import act_and_return, choose_parameter, render_page
from giftsim.console.pages.webhooks import default_outage, members_of, outcome_text, receiver_of, webhook_listing
from giftsim.engine.client.control import quote_segment
from giftsim.frontend.states import words

BLUEPRINT = Blueprint("endpoint", __name__)
ROWS = 50
OUTCOMES: Final = ("", "delivered", "failed", "in_flight")
TARGET, KEPT_S = "giftsim-forward", 365 * 24 * 3600  # where this browser's user has an app: the same for all endpoints
FIRST_TARGET = "http://127.0.0.1:9000"
REPLACED = ("mode", "to", "then")  # members of a host's receiver that turning forwarding on or off replaces
PORT = re.compile(r"\d{1,5}")


@BLUEPRINT.get("/w/<world>/webhooks/endpoints/<int:endpoint_id>")
def show(endpoint_id: int) -> Response:
    """One endpoint with its attempts, the newest first."""
    world = current_world()
    found, now = world.get(f"endpoints/{endpoint_id}"), world.get("clock")["now"]
    outcome = choose_parameter("outcome", OUTCOMES)
    attempts = world.get(
        "deliveries",
        order="newest",
        limit=ROWS,
        endpoint=endpoint_id,
        host=found["host"],
        outcome=outcome or None,
        before=request.args.get("older"),
    )
    fetch_titles(row["about"] for row in attempts["deliveries"])
    receiver = receiver_of(world, found["host"])
    forwarded = receiver["to"] if receiver and receiver["mode"] == "forward" else None
    outage = receiver["outage"] if receiver else None
    return render_page(
        "webhooks/endpoint.html",
        listing=webhook_listing(url_for("endpoint.show", endpoint_id=endpoint_id)),
        endpoint=found,
        path=urlsplit(found["url"]).path,
        outcome=outcome,
        attempts=attempts,
        forwarded=forwarded,
        target=forwarded or request.cookies.get(TARGET) or FIRST_TARGET,
        receiver=receiver,
        outage=outage if outage and outage["to"] > now else None,
        chart=draw_chart(found["history"], outage, now),
        default=default_outage(world),
    )


@BLUEPRINT.post("/w/<world>/webhooks/endpoints/<int:endpoint_id>/test")
def test(endpoint_id: int) -> Response:
    """Send a test event."""
    return act_and_return(
        "Send a test event",
        lambda world: world.post(f"endpoints/{endpoint_id}/test"),
        said=lambda sent: f"The test event {outcome_text(sent)}.",
    )


@BLUEPRINT.post("/w/<world>/webhooks/endpoints/<int:endpoint_id>/forward")
def forward(endpoint_id: int) -> Response:
    """Forward the webhooks of the endpoint's host to this machine, or capture them again."""
    is_on, target = request.form.get("on") == "true", local_url(request.form.get("to", ""))
    response = act_and_return(
        "Forward to your machine" if is_on else "Stop forwarding",
        lambda world: _forward(world, endpoint_id, target if is_on else None),
        said=lambda said: said,
        then=url_for("endpoint.show", endpoint_id=endpoint_id),
    )
    if is_on and not g.refused:
        response.set_cookie(TARGET, target, max_age=KEPT_S, httponly=True, samesite="Strict", path="/")
    return response


def _forward(world: WorldControl, endpoint_id: int, target: str | None) -> str:
    """Set the mode of the host's receiver, which keeps its outage, its addresses and the rest of its script."""
    host = world.get(f"endpoints/{endpoint_id}")["host"]
    before = receiver_of(world, host) or {}
    members = members_of(before)
    kept = {name: value for name, value in members.items() if name not in REPLACED}
    mode = {"mode": "forward", "to": target} if target else {"mode": "capture"}
    outage = {"outage": before["outage"]} if before.get("outage") else {}
    world.put(f"receivers/{quote_segment(host)}", {**kept, **outage, **mode})
    script = f" {plural(len(kept['script']), 'answer')} of its script come first." if "script" in kept else ""
    if not target:
        return f"Webhooks to {host} stay here again. They get 200.{script}"
    return f"Webhooks to {host} go to {target} now.{script}{_ended(before)}"


def _ended(before: Mapping[str, Any]) -> str:
    """A sentence, after a blank, on what forwarding replaces; "" if that is the plain 200."""
    then = before.get("then") or {}
    what = f"mode {before['mode']}" if before.get("mode") in ("hold", "refuse") else ""
    if not what and then not in ({}, {"status": 200}):
        what = f"answer {then['status']}" if "status" in then else f"failure “{words(next(iter(then)))}”"
    return f" The {what} ends with that, until you undo it." if what else ""


def local_url(text: str) -> str:
    """Where an app listens, as a person types it: `3000`, `localhost:3000` or `http://127.0.0.1:3000/`."""
    text = text.strip().rstrip("/")
    if PORT.fullmatch(text):
        return f"http://127.0.0.1:{text}"
    return text if "://" in text else f"http://{text}"
