"""What the apps of a world have met of the service, as a map and by area, and the next step for each gap."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from giftsim.console.control_client import current_world
from giftsim.console.curl import curl_command
from giftsim.console.page import Place, origin, render_page
from giftsim.frontend.coverage_texts import ABOUT, NOT_COUNTED, STATES, WAYS, grouped
from giftsim.frontend.machine_map import draw_machine

BLUEPRINT = Blueprint("coverage", __name__)
PLACES = (Place("Coverage", "coverage.show", "v", "check", "Integration", 4, of="partner"),)


@BLUEPRINT.get("/w/<world>/coverage")
def show() -> Response:
    """The map, or one area: its gaps, the next step of the one that the query names, and what was met."""
    world = current_world()
    chosen, gap = request.args.get("area", ""), request.args.get("gap")
    found: dict[str, Any] = world.get("coverage", next=bool(gap))  # the steps are most of its size
    name = chosen if chosen in ABOUT else ""
    return render_page(
        "coverage.html",
        areas=found["areas"],
        map=found["map"],
        draw=draw_machine,
        name=name,
        step=next((step for step in found["next"] if step["gap"] == gap), None),
        gap=gap,
        opened=request.args.get("of", ""),
        grouped=grouped,
        texts={"about": ABOUT, "ways": WAYS, "states": STATES, "apart": NOT_COUNTED},
        command_text=curl_command("GET", origin() + world.path("coverage")),
    )
