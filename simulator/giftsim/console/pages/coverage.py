"""What the apps of a world have met of the service, and the next step for each gap."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response, request

from giftsim.console.control_client import current_world
from giftsim.console.curl import curl_command
from giftsim.console.page import Place, origin, render_page

BLUEPRINT = Blueprint("coverage", __name__)
PLACES = (Place("Coverage", "coverage.show", "v", "check", "Integration", 4, of="partner"),)
AREAS: Final = ("operations", "errors", "events", "transitions", "faults", "clock")
ABOUT: Final = {
    "operations": "Operations that the app called, of those that its credentials may call.",
    "errors": "Documented errors that the app got, of the operations that it calls.",
    "events": "Webhook events that the app received and accepted, of those that it subscribes to.",
    "transitions": "Steps of the state machines that its records took.",
    "faults": "Failures that the app lived through: lost answers, rate limits, repeated and late webhooks.",
    "clock": "Edges of the calendar, and expiries, that passed while the app had something at stake.",
}


@BLUEPRINT.get("/w/<world>/coverage")
def show() -> Response:
    """One area: its gaps, the next step of the one that the query names, and what was met."""
    world = current_world()
    found: dict[str, Any] = world.get("coverage")
    chosen = request.args.get("area", "")
    name = chosen if chosen in AREAS else AREAS[0]
    return render_page(
        "coverage.html",
        areas=found["areas"],
        name=name,
        area=found["areas"][name],
        about=ABOUT[name],
        steps={step["gap"]: step for step in found["next"]},
        gap=request.args.get("gap"),
        command_text=curl_command("GET", origin() + world.path("coverage")),
    )
