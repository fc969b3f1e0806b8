"""Break something: presets that act once or for a while, and their end."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from giftsim.console.control_client import WorldControl
from giftsim.console.filters import day
from giftsim.console.page import act_and_return
from giftsim.console.pages.webhooks import begin_outage, end_outage
from giftsim.console.presets import BY_NAME, OUTAGE, end_of, fault_of, hosts, replace_fault

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
