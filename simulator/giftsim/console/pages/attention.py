"""What is done about the health of a world: End, End all, and the acts of what needs somebody."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from flask import Blueprint, Response, abort, request

from giftsim.console.filters import plural
from giftsim.console.page import act_and_return

BLUEPRINT = Blueprint("attention", __name__)
ACT: Final = re.compile(r"simulate/[a-z_]+")


@BLUEPRINT.post("/w/<world>/attention/end")
def end() -> Response:
    """End one fault or outage."""
    fault, host = request.form.get("fault"), request.form.get("host")
    body = {"faults": [fault] if fault else [], "hosts": [host] if host else []}
    return _end(f"End {fault or host or 'nothing'}", body)


@BLUEPRINT.post("/w/<world>/attention/end-all")
def end_all() -> Response:
    """End every fault and outage, and send again what was not delivered."""
    return _end("End all", {"resend": True})


@BLUEPRINT.post("/w/<world>/attention/resend")
def resend() -> Response:
    """End the outages of some hosts, and send again what they were not delivered."""
    hosts = request.form.getlist("host")
    return _end("End outage and resend", {"faults": [], "hosts": hosts, "resend": True})


@BLUEPRINT.post("/w/<world>/attention/act")
def act() -> Response:
    """Do what a row offers: a verb with its body."""
    path, label, title = (request.form.get(name, "") for name in ("path", "label", "title"))
    try:
        body = json.loads(request.form.get("body", ""))
    except ValueError:
        abort(400, "the body of this act is not JSON")
    if not ACT.fullmatch(path):
        abort(400, f"there is no act {path[:60]!r}")
    named = f"{title}: {label}" if title else label
    return act_and_return(named, lambda world: world.post(path, body), said=lambda _: f"{named}. Done.")


def _end(label: str, body: dict[str, Any]) -> Response:
    return act_and_return(label, lambda world: world.post("attention/end", body), said=ended)


def ended(answer: dict[str, Any]) -> str:
    """What has ended, and what was sent again, as sentences."""
    parts = [
        plural(len(answer[name]), noun) for name, noun in (("outages", "outage"), ("faults", "fault")) if answer[name]
    ]
    text = f"Ended: {' and '.join(parts)}." if parts else ""
    again = f"Sent again: {plural(answer['resent'], 'webhook')}." if answer["resent"] else ""
    return " ".join(filter(None, (text, again))) or "Nothing was on."
