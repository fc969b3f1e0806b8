"""Faults: those that are active with their hits, and a palette of what can go wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, request

from giftsim.console.control_client import current_world
from giftsim.console.curl import curl_command
from giftsim.console.page import Place, act_and_return, origin, redirect_back, render_page
from giftsim.console.presets import panel
from giftsim.console.rehearsals import fields_of, list_rehearsals
from giftsim.engine.client.control import quote_segment

TEXTS = ("from", "to")
WHOLE = ("first", "every")


class BadForm(Exception):
    """A field of the form is wrong; the message names it."""


def fault_body(form: Mapping[str, str]) -> dict[str, Any]:
    """The body of `POST /faults`. Empty fields say nothing. Raise BadForm."""
    fields = {name: value.strip() for name, value in form.items() if value.strip()}
    body: dict[str, Any] = {"effect": _parse_effect(fields)}
    match = _match(fields)
    when = _parse_when(fields)
    named = {"id": fields["id"]} if "id" in fields else {}
    return {**named, **body, **({"match": match} if match else {}), **({"when": when} if when else {})}


def _parse_effect(fields: Mapping[str, str]) -> dict[str, Any]:
    name = fields.get("effect", "")
    if not name:
        raise BadForm("choose an effect")
    effect: dict[str, Any] = {name: _effect_value(name, fields.get("value", ""))}
    if "code" in fields:
        effect["code"] = fields["code"]
    if "retry_after" in fields:
        effect["retry_after"] = _number("retry_after", fields["retry_after"])
    if "undocumented" in fields:
        effect["undocumented"] = True
    return effect


def _effect_value(name: str, text: str) -> Any:
    if text == "true":
        return True
    if not text:
        raise BadForm(f"{name} needs a value")
    if name == "status":
        return _number(name, text)
    if name == "delay_s":
        first, dots, last = text.partition("..")
        return {"from": _seconds(first), "to": _seconds(last)} if dots else _seconds(first)
    return text


def _match(fields: Mapping[str, str]) -> dict[str, str]:
    interface, _, operation = fields.get("target", "").partition(" ")
    members = {"interface": interface, "operation": operation}
    members |= {name: fields.get(name, "") for name in ("credential", "event", "host")}
    return {name: value for name, value in members.items() if value}


def _parse_when(fields: Mapping[str, str]) -> dict[str, Any]:
    when: dict[str, Any] = {name: _number(name, fields[name]) for name in WHOLE if name in fields}
    when |= {name: fields[name] for name in TEXTS if name in fields}
    if "calls" in fields:
        when["calls"] = [_number("calls", part) for part in fields["calls"].replace(",", " ").split()]
    if "probability" in fields:
        when["probability"] = _seconds(fields["probability"], "probability")
    return when


def _number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadForm(f"{name} takes a whole number, not {text[:40]!r}") from None


def _seconds(text: str, name: str = "delay_s") -> float:
    try:
        return float(text)
    except ValueError:
        raise BadForm(f"{name} takes a number, not {text[:40]!r}") from None


BLUEPRINT = Blueprint("faults", __name__)
PLACES = (Place("Break something", "faults.show", "f", "zap", "Integration", 3),)
EXAMPLE = {"match": {"credential": "partner.prepaid"}, "when": {"first": 1}, "effect": {"status": 503}}


@BLUEPRINT.get("/w/<world>/faults")
def show() -> Response:
    """Active faults, the palette, and the form of the chosen effect, filled in from the query."""
    world = current_world()
    choices = world.get("faults/choices")
    page = world.get("faults", limit=200, after=request.args.get("after"))
    url = origin() + world.path("faults")
    chosen = request.args.get("effect", "")
    return render_page(
        "faults.html",
        panel=panel(world, world.get("clock")["now"]),
        rehearsals=[{**row, "fields": fields_of(row)} for row in list_rehearsals()],
        faults=page["faults"],
        titles={row["id"]: row["title"] for row in world.get("attention")["faults"]},
        next=page["next"],
        choices=choices,
        given=request.args,
        chosen=next((each for each in choices["effects"] if each["name"] == chosen), None),
        groups_of=_by_interface(choices["operations"]),
        call=curl_command("POST", url, EXAMPLE),
    )


@BLUEPRINT.post("/w/<world>/faults")
def add() -> Response:
    """Add the fault of the form."""
    try:
        body = fault_body(request.form.to_dict())
    except BadForm as error:
        return redirect_back(f"No fault was added: {error}.", failed=True)
    name = next(iter(body["effect"]))
    return act_and_return(
        f"Add the fault {name}",
        lambda world: world.post("faults", body),
        said=lambda fault: f"The fault {fault['id']} is active.",
    )


@BLUEPRINT.post("/w/<world>/faults/end")
def end() -> Response:
    """End one fault. Calls that it holds continue."""
    fault_id = request.form.get("id", "")
    return act_and_return(
        f"End the fault {fault_id}",
        lambda world: world.delete(f"faults/{quote_segment(fault_id)}"),
        said=lambda _: f"The fault {fault_id} has ended.",
    )


@BLUEPRINT.post("/w/<world>/faults/end-all")
def end_all() -> Response:
    """End every fault."""
    return act_and_return(
        "End all faults",
        lambda world: world.delete("faults"),
        said=lambda result: f"{len(result['deleted'])} faults have ended.",
    )


def _by_interface(operations: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for each in operations:
        groups.setdefault(each["interface"], []).append(each)
    return groups
