"""Break something: presets that act once or for a while, and their end; and rehearsals of what people fear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, abort, request

from giftsim.console.control_client import WorldControl
from giftsim.console.filters import day, record_id
from giftsim.console.page import act_and_return
from giftsim.console.pages.webhooks import begin_outage, end_outage
from giftsim.console.presets import BY_NAME, OUTAGE, end_of, fault_of, hosts, rehearsals, replace_fault
from giftsim.engine.client.control import ControlRefused

BLUEPRINT = Blueprint("breaking", __name__)
TEXTS = ("contact", "into", "provider")  # members that are text, also if it is digits


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
    """Let a situation happen to the record that the form names: by a member of the body, or by its `id` alone."""
    name = request.form.get("rehearsal", "")
    rehearsal = next((row for row in rehearsals() if row["name"] == name), None)
    if rehearsal is None:
        abort(404)
    given = {
        member: text if member in TEXTS else record_id(text)
        for member, text in request.form.items()
        if member in rehearsal["takes"] and text.strip()
    }
    named = request.form.get("id", "").strip()
    return act_and_return(
        f"Rehearse {name}",
        lambda world: (
            _rehearse_by_id(world, rehearsal, record_id(named), given) if named else _rehearse(world, name, given)
        ),
        said=lambda done: f"{rehearsal['fear']} {done['check']}".replace("`", ""),
    )


def _rehearse(world: WorldControl, name: str, members: Mapping[str, Any]) -> Any:
    return world.post("rehearse", {"name": name, **members})


def _rehearse_by_id(
    world: WorldControl, rehearsal: Mapping[str, Any], record: int | str, given: Mapping[str, Any]
) -> Any:
    """Try each member that may name the record: ids of different kinds of records never coincide."""
    names = [each for each in rehearsal["takes"] if each.endswith("_id") and each not in ("order_id", "recipient_id")]
    missing: list[str] = []
    for member in names or rehearsal["takes"][:1]:
        try:
            return _rehearse(world, rehearsal["name"], {**given, member: record})
        except ControlRefused as refused:
            if refused.status != 404:
                raise
            missing.append(refused.message)
    raise ControlRefused(404, "not_found", "; ".join(missing) or "it takes nothing: leave the field empty")


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
