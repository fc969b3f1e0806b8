"""Faults: those that are active with their hits, and a palette of what can go wrong."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from giftsim.console.control_client import WorldControl, current_world, segment
from giftsim.console.curl import curl
from giftsim.console.fault_form import BadForm, fault_body
from giftsim.console.page import act, back, origin, render

BLUEPRINT = Blueprint("faults", __name__)
EXAMPLE = {"match": {"credential": "partner.prepaid"}, "when": {"first": 1}, "effect": {"status": 503}}


@BLUEPRINT.get("/w/<world>/faults")
def show() -> Response:
    """Active faults, the palette, and the form of the chosen effect, filled in from the query."""
    world = current_world()
    choices = world.get("faults/choices")
    page = world.get("faults", limit=200, after=request.args.get("after"))
    url = f"{origin()}/_sim/v1/worlds/{segment(world.id)}/faults"
    chosen = request.args.get("effect", "")
    return render(
        "faults.html", faults=page["faults"], next=page["next"], choices=choices, given=request.args,
        chosen=next((each for each in choices["effects"] if each["name"] == chosen), None),
        groups_of=_by_interface(choices["operations"]), call=curl("POST", url, EXAMPLE),
    )  # fmt: skip


@BLUEPRINT.post("/w/<world>/faults")
def add() -> Response:
    """Add the fault of the form."""
    try:
        body = fault_body(request.form.to_dict())
    except BadForm as error:
        return back(f"No fault was added: {error}.", failed=True)
    name = next(iter(body["effect"]))
    return act(
        f"Add the fault {name}", lambda world: world.post("faults", body),
        said=lambda fault: f"The fault {fault['id']} is active.",
    )  # fmt: skip


@BLUEPRINT.post("/w/<world>/faults/end")
def end() -> Response:
    """End one fault; what it holds goes on."""
    fault_id = request.form.get("id", "")
    return act(
        f"End the fault {fault_id}", lambda world: world.delete(f"faults/{segment(fault_id)}"),
        said=lambda _: f"The fault {fault_id} has ended.",
    )  # fmt: skip


@BLUEPRINT.post("/w/<world>/faults/end-all")
def end_all() -> Response:
    """End every fault."""

    def end_every(world: WorldControl) -> Any:
        return world.delete("faults")

    return act("End all faults", end_every, said=lambda result: f"{len(result['deleted'])} faults have ended.")


def _by_interface(operations: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for each in operations:
        groups.setdefault(each["interface"], []).append(each)
    return groups
