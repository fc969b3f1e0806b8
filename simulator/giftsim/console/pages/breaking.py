"""Break something: presets that act once or for a while, and their end; and rehearsals of what people fear."""

from __future__ import annotations

import json

from flask import Blueprint, Response, abort, request

from giftsim.console.control_client import WorldControl
from giftsim.console.filters import day
from giftsim.console.page import act_and_return
from giftsim.console.pages.webhooks import begin_outage, end_outage
from giftsim.console.presets import BY_NAME, OUTAGE, end_of, fault_of, hosts, replace_fault
from giftsim.console.rehearsals import list_rehearsals
from giftsim.console.rehearsals import rehearse as rehearse_by_form

BLUEPRINT = Blueprint("breaking", __name__)


@BLUEPRINT.post("/w/<world>/break/<name>")
def break_something(name: str) -> Response:
    """Let a preset act, once or for a while."""
    preset, choice = BY_NAME.get(name), request.form.get("choice", "")
    if preset is None or choice not in preset.choices:
        abort(404)
    if name == OUTAGE:
        return act_and_return(preset.title, lambda world: _begin_outages(world, choice), said=lambda said: said)
    return act_and_return(
        preset.title,
        lambda world: replace_fault(world, fault_of(preset, choice, world.get("clock")["now"])),
        said=lambda _: f"{preset.title}: {preset.text}",
    )


@BLUEPRINT.post("/w/<world>/break/<name>/end")
def mend(name: str) -> Response:
    """End what a preset does."""
    preset = BY_NAME.get(name)
    if preset is None:
        abort(404)
    said = f"Ended: {preset.title}."
    if name == OUTAGE:
        return act_and_return(f"End: {preset.title}", _end_outages, said=lambda _: said)
    return act_and_return(f"End: {preset.title}", lambda world: world.delete(f"faults/{name}"), said=lambda _: said)


@BLUEPRINT.post("/w/<world>/rehearse")
def rehearse() -> Response:
    """Let a situation happen to the record that the form names: by a whole body, or by what people wrote."""
    name, body = request.form.get("rehearsal", ""), request.form.get("body", "")
    rehearsal = next((row for row in list_rehearsals() if row["name"] == name), None)
    if rehearsal is None:
        abort(404)
    try:
        whole = json.loads(body) if body else None
    except ValueError:
        abort(400, "the body of this rehearsal is not JSON")
    return act_and_return(
        f"Rehearse {name}",
        lambda world: world.post("rehearse", whole) if body else rehearse_by_form(world, rehearsal, request.form),
        said=lambda done: f"{rehearsal['fear']} Check: {done['check']}".replace("`", ""),
    )


def _begin_outages(world: WorldControl, choice: str) -> str:
    now = world.get("clock")["now"]
    down = hosts(world)
    for host in down:
        begin_outage(world, host, {"from": now, "to": end_of(now, choice), "status": 503})
    return f"{', '.join(down).replace('*', 'every host')} answers 503 until {day(end_of(now, choice))}."


def _end_outages(world: WorldControl) -> None:
    for row in world.get("receivers", limit=1000)["receivers"]:
        if row["outage"]:
            end_outage(world, row["host"])
