"""The page of a webhook endpoint: its secret, where it is forwarded to, how its attempts went, and what mends them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, request, url_for

from giftsim.client.control import segment
from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.endpoint_chart import draw_chart
from giftsim.console.names import learn
from giftsim.console.page import act, asked, chosen, render
from giftsim.console.pages.webhooks import default_outage, outcome_text, receiver_of

BLUEPRINT = Blueprint("endpoint", __name__)
ROWS = 50
OUTCOMES: Final = ("", "delivered", "failed", "in_flight")
TARGET, KEPT_S = "giftsim-forward", 365 * 24 * 3600  # where this browser's user has an app: the same for all endpoints
FIRST_TARGET = "http://127.0.0.1:9000"
KEPT = ("addresses", "host_header", "outage")  # of a host's receiver, when it is forwarded to another place
PORT = re.compile(r"\d{1,5}")


@BLUEPRINT.get("/w/<world>/webhooks/endpoints/<int:endpoint_id>")
def show(endpoint_id: int) -> Response:
    """One endpoint with its attempts, the newest first."""
    world = current_world()
    found, now = world.get(f"endpoints/{endpoint_id}"), world.get("clock")["now"]
    outcome = chosen("outcome", OUTCOMES)
    attempts = world.get(
        "deliveries",
        order="newest",
        limit=ROWS,
        endpoint=endpoint_id,
        host=found["host"],
        outcome=outcome or None,
        **asked("before"),
    )
    learn(row["about"] for row in attempts["deliveries"])
    receiver = receiver_of(world, found["host"])
    forwarded = receiver["to"] if receiver and receiver["mode"] == "forward" else None
    outage = receiver["outage"] if receiver else None
    return render(
        "webhooks/endpoint.html",
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
    return act(
        "Send a test event",
        lambda world: world.post(f"endpoints/{endpoint_id}/test"),
        said=lambda sent: f"The test event {outcome_text(sent)}.",
    )


@BLUEPRINT.post("/w/<world>/webhooks/endpoints/<int:endpoint_id>/forward")
def forward(endpoint_id: int) -> Response:
    """Forward the webhooks of the endpoint's host to this machine, or capture them again."""
    is_on, target = request.form.get("on") == "true", local_url(request.form.get("to", ""))
    response = act(
        "Forward to your machine" if is_on else "Stop forwarding",
        lambda world: _forward(world, endpoint_id, target if is_on else None),
        said=lambda row: (
            f"Webhooks to {row['host']} go to {row['to']} now."
            if is_on
            else f"Webhooks to {row['host']} stay here again."
        ),
        then=url_for("endpoint.show", endpoint_id=endpoint_id),
    )
    if is_on:
        response.set_cookie(TARGET, target, max_age=KEPT_S, httponly=True, samesite="Strict", path="/")
    return response


def _forward(world: WorldControl, endpoint_id: int, target: str | None) -> Any:
    """Set the mode of the host's receiver, which keeps its outage and its addresses."""
    host = world.get(f"endpoints/{endpoint_id}")["host"]
    entry: Mapping[str, Any] = receiver_of(world, host) or {}
    kept = {name: entry[name] for name in KEPT if entry.get(name)}
    mode = {"mode": "forward", "to": target} if target else {"mode": "capture"}
    return world.put(f"receivers/{segment(host)}", {**kept, **mode})


def local_url(text: str) -> str:
    """Where an app listens, as a person types it: `3000`, `localhost:3000` or `http://127.0.0.1:3000/`."""
    text = text.strip().rstrip("/")
    if PORT.fullmatch(text):
        return f"http://127.0.0.1:{text}"
    return text if "://" in text else f"http://{text}"
