"""Calls: what clients asked, what they got, and how to make the same call again, in a shell, a scenario or a fault."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, make_response, request, url_for

from giftsim.console.call_effects import blocks
from giftsim.console.call_story import lines
from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.curl import KEY, curl_command, source_of, with_key_line
from giftsim.console.filters import LONGEST
from giftsim.console.listing import Entry, List, Listing, read_listing
from giftsim.console.names import fetch_titles
from giftsim.console.page import Place, act_and_return, origin, redirect_back, render_page
from giftsim.console.pages.faults import BadForm, fault_body
from giftsim.console.pages.home import first_call
from giftsim.engine.client.control import sent_path

BLUEPRINT = Blueprint("calls", __name__)
PLACES = (Place("Calls", "calls.show", "l", "calls", "Integration", 2),)
RELATED, SHOWN = 50, 4  # calls that may be about the same, and of these shown before and after the call
PLACE = "x-sim-source"  # the header in which an app says where in its code a call was made
PATHS = {"team-orders": "team_order", "gifts": "gift", "large-campaigns": "campaign"}
NAMED_IN_PATH = re.compile(r"/(team-orders|gifts|large-campaigns)/([0-9]+|[0-9a-f-]{36})(?=[/?]|$)")
SENT_ON = ("idempotency-key", "x-sim-fault")
CONTENT_TYPE = "content-type"
BASIC = ("Basic", "basic")


@BLUEPRINT.get("/w/<world>/calls")
def show() -> Response:
    """The calls of clients: what was refused first, then the newest. The first one is shown beside the list."""
    listing = _listing()
    if listing.first is not None:
        return _show(listing, listing.first["seq"])
    return render_page("calls.html", listing=listing, call=first_call(current_world().describe()))


@BLUEPRINT.get("/w/<world>/calls/<int:seq>")
def call(seq: int) -> Response:
    """One call: who made it, what it changed, the request, the response, and the same as a command."""
    return _show(_listing(url_for("calls.call", seq=seq)), seq)


def _listing(shown: str | None = None) -> Listing:
    return read_listing("calls", List("Calls", url_for("calls.show"), _entry), shown=shown, bodies=False)


def _entry(row: Mapping[str, Any]) -> Entry:
    status = row["response"] and row["response"]["status"]
    asked = f"{row['request']['method']} {row['request']['path']}"
    standing = row.get("standing", "").removeprefix(f"{row['operation'] or 'no operation'}: ")
    line = standing or asked
    if row["fault"]:
        line = f"{line}, changed by {row['fault']}"
    return Entry(
        path=url_for("calls.call", seq=row["seq"]),
        title=row["operation"] or asked,
        ident=f"#{row['seq']}",
        line=line,
        tone=status_tone(status),
        end="no answer" if status is None else str(status),
        at=row["at"],
    )


def status_tone(status: int | None) -> str:
    """The colour of a status of HTTP; None if nothing was answered."""
    return (
        "bad" if status is None or status >= 500 else "wait" if status >= 400 else "good" if status < 300 else "plain"
    )


def _show(listing: Listing, seq: int) -> Response:
    world = current_world()
    entry = world.get(f"calls/{seq}")
    described, effects = world.describe(), world.get(f"calls/{seq}/effects")
    about = _about(entry)
    abouts = [row["record"]["of"] for row in effects["changes"]] + [row["about"] for row in effects["set"]]
    fetch_titles(each for each in (about, *abouts) if each and each["id"] is not None)
    return render_page(
        "calls/call.html",
        listing=listing,
        call=entry,
        effects=effects,
        lines=lines(effects),
        changed=blocks(effects),
        command=_command(entry, described["credentials"]),
        steps=[_step(entry)],
        about=about,
        related=_related(world, about, seq) if about else [],
        maker=_maker(entry),
        source=source_of(described, entry["at"], entry["credential"]),
        failures=_failures(world.get("faults/choices"), entry),
        is_long=len(entry["request"]["body"] or "") > LONGEST,
    )


def _maker(entry: dict[str, Any]) -> dict[str, str]:
    """What the headers of a call say of who made it: the program, and the place in its code."""
    sent = {name.lower(): value for name, value in entry["request"]["headers"].items()}
    return {"program": sent.get("user-agent", ""), "place": sent.get(PLACE, "")}


def _related(world: WorldControl, about: dict[str, Any], seq: int) -> list[Entry]:
    """The calls about the same order or gift, just before and after a call and itself, oldest first."""
    found = world.get("calls", q=f'"{about["id"]}"', order="newest", limit=RELATED)["calls"]
    rows = [row for row in reversed(found) if row["seq"] == seq or _is_about(row, about)]
    place = next((n for n, row in enumerate(rows) if row["seq"] == seq), len(rows))
    some = rows[max(0, place - SHOWN) : place + SHOWN + 1]
    return list(map(_entry, some)) if len(some) > 1 else []


def _is_about(row: dict[str, Any], about: dict[str, Any]) -> bool:
    path = row["request"]["path"].partition("?")[0]
    return str(about["id"]) in path.split("/") or _about(row) == about


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
    """The order or gift that the path or the answer of a call names."""
    if named := NAMED_IN_PATH.search(entry["request"]["path"]):
        return {"kind": PATHS[named[1]], "id": int(named[2]) if named[2].isdecimal() else named[2]}
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
