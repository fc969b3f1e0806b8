"""Two worlds side by side: the records, events and money that differ."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, request, url_for

from giftsim.console.call_effects import PARCEL
from giftsim.console.control_client import current_control, current_world
from giftsim.console.curl import curl_command
from giftsim.console.filters import ref_link
from giftsim.console.names import fetch_titles, title_of, world_name
from giftsim.console.page import Place, act_and_return, if_refused, origin, redirect_back, render_page
from giftsim.frontend.states import words

BLUEPRINT = Blueprint("compare", __name__)
PLACES = (Place("Compare worlds", "compare.show", "d", "split", "Tools", 2),)
ROWS, EVENTS, WORLDS = 50, 30, 200


@BLUEPRINT.get("/w/<world>/compare")
def show() -> Response:
    """What differs between this world and the one that the query names, or the choice of one."""
    world, other = current_world(), request.args.get("with", "")
    others = [each for each in current_control().get("/worlds", limit=WORLDS)["worlds"] if each["id"] != world.id]
    found = _fetch_diff(other) if other else None
    counted = [
        (row["kind"], words(row["kind"]), row["added"] + row["removed"] + row["changed"])
        for row in (found["kinds"] if found else ())
    ]
    path = origin() + world.path(f"diff?with={other or 'OTHER'}")
    return render_page(
        "compare.html",
        other=other,
        others=others,
        other_name=next((world_name(each) for each in others if each["id"] == other), other),
        found=found,
        kind=request.args.get("kind", ""),
        command=curl_command("GET", path),
        events_shown=EVENTS,
        counted=counted,
        all_records=sum(each[2] for each in counted),
    )


@BLUEPRINT.post("/w/<world>/compare/fork")
@if_refused("The world was not forked")
def fork() -> Response:
    """Fork the world, and compare the fork with it: they are equal until something happens in one of them."""
    name = request.form.get("id", "").strip()
    made = current_world().post("fork", {"id": name} if name else {})
    text = f"Created {made['id']}, a fork of {g.world_id}. Do different things in each, then look here."
    return redirect_back(text, to=url_for("compare.show", **{"with": made["id"]}))


@BLUEPRINT.post("/w/<world>/compare/advance")
def advance() -> Response:
    """Bring the world to the instant of the other one."""
    to = request.form.get("to", "")
    return act_and_return(f"Advance to {to}", lambda world: world.advance({"to": to}))


def _fetch_diff(other: str) -> dict[str, Any]:
    """The difference, with the paths of the pages of what differs, in the world that has it."""
    found: dict[str, Any] = current_world().get(
        "diff",
        **{"with": other},
        kind=request.args.get("kind") or None,
        after=request.args.get("after", type=int),
        limit=ROWS,
    )
    for row in (*found["diff"], *found["events"]):
        row["link"] = None if row["what"] == "added" else ref_link(row["subject"])
        row["other_link"] = None if row["what"] == "removed" else ref_link(row["subject"], other)
    parcels = [(row, row["subject"]) for row in found["diff"] if row["kind"] == PARCEL]
    named = [*parcels, *((row, row["about"]) for row in found["events"])]
    fetch_titles(about for _, about in named)
    for row, about in named:
        row["label"] = (about and title_of(about)) or words(row["label"])
    return found
