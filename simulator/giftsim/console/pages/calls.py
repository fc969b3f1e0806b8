"""Calls: what clients asked, what they got, and how to make the same call again, in a shell, a scenario or a fault."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, make_response, request

from giftsim.console.call_effects import blocks
from giftsim.console.control_client import current_world
from giftsim.console.curl import KEY, curl_command, source_of, with_key_line
from giftsim.console.filters import LONGEST
from giftsim.console.names import fetch_titles
from giftsim.console.page import Place, act_and_return, origin, redirect_back, render_page
from giftsim.console.pages.faults import BadForm, fault_body
from giftsim.console.pages.home import first_call
from giftsim.engine.client.control import sent_path

BLUEPRINT = Blueprint("calls", __name__)
PLACES = (Place("Calls", "calls.show", "l", "calls", "Integration", 2),)
ROWS = 50
CLASSES = ("2xx", "3xx", "4xx", "5xx", "dropped")
FILTERS = ("status", "interface", "operation", "credential", "fault", "q", "before")
SENT_ON = ("idempotency-key", "x-sim-fault")
CONTENT_TYPE = "content-type"
BASIC = ("Basic", "basic")


@BLUEPRINT.get("/w/<world>/calls")
def show() -> Response:
    """The calls of clients, newest first."""
    world = current_world()
    asked = {name: request.args.get(name) or None for name in FILTERS}
    page = world.get("calls", order="newest", counts=True, bodies=False, limit=ROWS, **asked)
    choices = world.get("faults/choices")
    described = world.describe()
    return render_page(
        "calls.html",
        page=page,
        classes=CLASSES,
        asked=asked,
        call=first_call(described),
        operations=choices["operations"],
        credentials=choices["credentials"],
    )


@BLUEPRINT.get("/w/<world>/calls/<int:seq>")
def call(seq: int) -> Response:
    """One call: the request, the response, and the same as a command."""
    world = current_world()
    entry = world.get(f"calls/{seq}")
    described, effects = world.describe(), world.get(f"calls/{seq}/effects")
    abouts = [row["record"]["of"] for row in effects["changes"]] + [row["about"] for row in effects["set"]]
    fetch_titles(each for each in abouts if each and each["id"] is not None)
    return render_page(
        "calls/call.html",
        call=entry,
        effects=effects,
        changed=blocks(effects),
        command=_command(entry, described["credentials"]),
        steps=[_step(entry)],
        about=_about(entry),
        source=source_of(described, entry["at"], entry["credential"]),
        failures=_failures(world.get("faults/choices"), entry),
        is_long=len(entry["request"]["body"] or "") > LONGEST,
        is_last=seq >= described["counts"]["calls"],
    )


@BLUEPRINT.get("/w/<world>/calls/<int:seq>/scenario")
def call_scenario(seq: int) -> Response:
    """One call as a scenario file."""
    world = current_world()
    return _file(world.get(f"calls/{seq}/scenario"), f"call-{seq}.yaml")


@BLUEPRINT.get("/w/<world>/calls/scenario")
def scenario() -> Response:
    """Everything done to the world as a scenario file."""
    world = current_world()
    return _file(world.get("calls/scenario"), f"{world.id}.yaml")


@BLUEPRINT.post("/w/<world>/calls/<int:seq>/fail")
def fail_next(seq: int) -> Response:
    """Let the next call of the same operation with the same credential fail."""
    entry = current_world().get(f"calls/{seq}")
    effect, _, rest = request.form.get("failure", "").partition("=")
    value, _, code = rest.partition(" ")
    target = f"{entry['interface'] or ''} {entry['operation'] or ''}".strip()
    form = {"effect": effect, "value": value, "code": code, "target": target, "first": "1"}
    try:
        body = fault_body({**form, "credential": entry["credential"] or ""})
    except BadForm as error:
        return redirect_back(f"No fault was added: {error}.", failed=True)
    return act_and_return(
        f"Fail the next {entry['operation'] or 'call'}",
        lambda world: world.post("faults", body),
        said=lambda fault: f"The next call like this fails: the fault {fault['id']} waits for it.",
    )


def _file(text: str, name: str) -> Response:
    response = make_response(text)
    response.headers["Content-Type"] = "application/yaml; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _command(entry: dict[str, Any], credentials: dict[str, Any]) -> str:
    """The call for a shell, after the value of its key, which is a variable."""
    command = _curl(entry)
    return with_key_line(command, credentials.get(entry["credential"])) if f"${KEY}" in command else command


def _about(entry: dict[str, Any]) -> dict[str, Any] | None:
    """The order or gift that the answer of a call names."""
    try:
        answer = json.loads(str((entry["response"] or {}).get("body")))
    except ValueError:
        return None
    if not isinstance(answer, dict):
        return None
    order, gift = answer.get("team_order"), answer.get("gift")
    for kind, found in (("team_order", order), ("gift", gift)):
        if isinstance(found, dict) and isinstance(found.get("id"), (int, str)):
            return {"kind": kind, "id": found["id"]}
    named = answer.get("team_order_id")
    return {"kind": "team_order", "id": named} if isinstance(named, (int, str)) else None


def _step(entry: dict[str, Any]) -> dict[str, Any]:
    """The call for the writers of code."""
    sent, answer = entry["request"], entry["response"]
    headers = {name: value for name, value in sent["headers"].items() if name.lower() in (SENT_ON[0], CONTENT_TYPE)}
    return {
        "method": sent["method"],
        "path": sent["path"],
        "body": sent["body"] or "",
        "headers": headers,
        "credential": entry["credential"] or "",
        "status": answer["status"] if answer else "lost",
    }


def _curl(entry: dict[str, Any]) -> str:
    sent, headers = entry["request"], {}
    headers = {name: value for name, value in sent["headers"].items() if name.lower() in SENT_ON}
    sent_with = {name.lower(): value for name, value in sent["headers"].items()}
    headers |= {"Content-Type": sent_with.get(CONTENT_TYPE, "application/json")} if sent["body"] else {}
    scheme = sent_with.get("authorization", "Bearer" if "x-api-key" in sent_with else "").partition(" ")[0]
    return curl_command(
        sent["method"],
        origin() + sent_path(sent["path"]),
        sent["body"],
        headers=headers,
        scheme=scheme,
        key=KEY if scheme and scheme not in BASIC else None,
        user=KEY if scheme in BASIC else None,
    )


def _failures(choices: dict[str, Any], entry: dict[str, Any]) -> list[tuple[str, str]]:
    """How the next call like this can fail: (value of the form, what it says), the likeliest first."""
    names = entry["interface"], entry["operation"]
    operation = next((each for each in choices["operations"] if (each["interface"], each["operation"]) == names), None)
    if operation is None:
        return []
    errors = [
        (f"status={error['status']} {code}".strip(), f"{error['status']} {code}".strip())
        for error in operation["errors"]
        for code in error["codes"] or ("",)
    ]
    errors.sort(key=lambda error: not error[1].startswith("5"))
    charges = next((each["values"] for each in choices["effects"] if each["name"] == "charge"), ())
    refused = [(f"charge={code}", f"402 {code}") for code in charges] if "charge" in operation["effects"] else []
    lost = [("drop=before", "no answer, nothing done"), ("drop=after", "no answer, but done")]
    return [*errors, *refused, *lost]
