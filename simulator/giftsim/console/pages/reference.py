"""The reference: routes, errors, events, machines, settings, magic values, rehearsals, and what each rests on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, request

from giftsim.console.control_client import WorldControl, current_control, current_world
from giftsim.console.curl import KEY, curl_command, with_key_line
from giftsim.console.page import Place, act_and_return, origin, render_page

BLUEPRINT = Blueprint("reference", __name__)
PLACES = (Place("Reference", "reference.show", "r", "book", "Tools", 4),)
ALL = 1000
CREDENTIALS = {"team": "team.live_approver", "partner": "partner.prepaid"}  # of commands, by interface
OPERATIONS_SHOWN = 6


class Section(NamedTuple):
    """One part of the reference: its list in the control API, and how many rows a page of it has."""

    name: str
    title: str
    about: str
    path: str
    rows: int = ALL
    interfaces: tuple[str, ...] = ()
    whole: bool = False  # whether its rows are searched here, because the list has no search


THREE = ("team", "partner", "museum")
SECTIONS = (
    Section(
        "routes",
        "Routes",
        "Every call of every interface: what it does, and the scopes it needs.",
        "/reference/routes",
        45,
        (*THREE, "control"),
    ),
    Section("errors", "Errors", "Every error, what it means, and how to cause it.", "/reference/errors", 50, THREE),
    Section(
        "events",
        "Events",
        "Every kind of webhook event that an endpoint can subscribe to.",
        "/reference/events",
        50,
        ("team", "partner"),
    ),
    Section(
        "machines",
        "Machines",
        "The lives of orders, payments, deliveries and the rest, as states and transitions.",
        "/machines",
        whole=True,
    ),
    Section(
        "settings",
        "Settings",
        "What the documents leave open, and this world may decide otherwise.",
        "/reference/settings",
        40,
    ),
    Section(
        "magic",
        "Magic values",
        "Texts that make something happen wherever they are found. No fault has to be set up.",
        "/reference/magic_values",
    ),
    Section(
        "rehearsals",
        "Rehearsals",
        "What goes wrong in the world around an app, each situation by one word.",
        "/reference/rehearsals",
    ),
    Section(
        "statements",
        "Statements and decisions",
        "What the documents of the service say, and what was decided where they leave a question open.",
        "/statements",
        30,
    ),
)


@BLUEPRINT.get("/w/<world>/reference")
def show() -> Response:
    """One section of the reference, with what the search finds in it."""
    name = request.args.get("show", "routes")
    section = next((each for each in SECTIONS if each.name == name), None)
    if section is None:
        abort(404, f"The reference has no section {name[:40]}.")
    listed, next_row = _rows(section, request.args)
    world = current_world()
    values = world.get("settings") if section.name == "settings" else {}
    own_origin = origin()
    return render_page(
        "reference.html",
        section=section,
        sections=SECTIONS,
        rows=listed,
        next_row=next_row,
        values=values,
        curl=curl_command("GET", own_origin + current_control().path(section.path)),
        copied=partial(command_of, own_origin=own_origin, credentials=world.describe()["credentials"]),
        allowed=allowed_values,
        as_text=as_text,
        shown=OPERATIONS_SHOWN,
    )


@BLUEPRINT.post("/w/<world>/reference/settings")
def change_setting() -> Response:
    """Give a setting another value in this world."""
    name, text = request.form.get("name", ""), request.form.get("value", "")

    def change(world: WorldControl) -> Any:
        present = world.get("settings").get(name)
        default = next((row["default"] for row in _all("/reference/settings", q=name) if row["name"] == name), present)
        value = default if request.form.get("reset") else read_value(text, default)
        return world.patch("settings", {name: value})

    return act_and_return(
        f"Change {name[:80]}", change, said=lambda values: f"{name} is {as_text(values.get(name))} now."
    )


def read_value(text: str, default: Any) -> Any:
    """A value of a setting as a form has it: in the type of the default, and as JSON where that has no type."""
    text = text.strip()
    if isinstance(default, str):
        return text
    if isinstance(default, list):
        return [json_or_text(part.strip()) for part in text.split(",") if part.strip()]
    return None if text in ("", "null") else json_or_text(text)


def json_or_text(text: str) -> Any:
    """What a text means as JSON, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def as_text(value: Any) -> str:
    """A value of a setting as its form shows it."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)


def allowed_values(takes: str) -> tuple[str, ...]:
    """The values that a setting can take, if they are a few words; the empty tuple if it is written by hand."""
    if takes == "true or false":
        return ("true", "false")
    return tuple(takes.removeprefix("one of ").split(", ")) if takes.startswith("one of ") else ()


def command_of(row: dict[str, Any], own_origin: str, credentials: Mapping[str, Any]) -> str:
    """The command that makes a call, after the line that sets its key, and with `<id>` for what a path needs."""
    url = own_origin + re.sub(r"\{(\w+)\}", r"<\1>", row["path"])
    body: dict[str, Any] | None = {} if row["method"] in ("POST", "PUT", "PATCH") else None
    headers = {"Idempotency-Key": "first"} if row["idempotency"] == "required" else None
    name = CREDENTIALS.get(row["interface"])
    command = curl_command(row["method"], url, body, key=KEY if name else None, headers=headers)
    return with_key_line(command, credentials.get(name)) if name else command


def _rows(section: Section, query: Any) -> tuple[list[dict[str, Any]], int | None]:
    """The rows of a section that the query asks for, and where those of the next page begin."""
    q = query.get("q", "").strip()
    asked = {"limit": section.rows, "after": query.get("after") or None}
    if section.name == "statements":
        found = current_control().get(section.path, text=q or None, id=query.get("id") or None, **asked)
        return found["statements"], found["next"]
    if section.whole:
        return [row for row in _all(section.path) if q.casefold() in json.dumps(row).casefold()], None
    interface = query.get("interface") if section.interfaces else None
    found = current_control().get(section.path, q=q or None, interface=interface or None, **asked)
    return found[section.path.rpartition("/")[2]], found["next"]


def _all(path: str, **query: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = current_control().get(path, limit=ALL, **query)[path.rpartition("/")[2]]
    return rows
