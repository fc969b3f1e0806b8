"""What the palette finds by a part of a text: what a world has, its settings, and the reference."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for

from giftsim.console.control_client import WorldControl, current_control, current_world
from giftsim.console.filters import ref_link
from giftsim.console.names import fetch_titles, title_of
from giftsim.console.pages import docs
from giftsim.engine.client.control import ControlRefused
from giftsim.frontend.states import words

BLUEPRINT = Blueprint("find", __name__)
EACH, LONGEST = 5, 90  # of a group, and characters of a title
LONGEST_SEARCH = 200


@BLUEPRINT.get("/w/<world>/find")
def find() -> Response:
    """Everything that a search finds, by groups: its title, a hint and the path of its page.

    `refused` is why a list did not understand the search, if nothing is found but pages; these are left out then.
    """
    text, world = request.args.get("q", "").strip()[:LONGEST_SEARCH], current_world()
    finders = (*LISTS, _people, _endpoints, _events, _calls, _pages, _settings, _routes, _errors, _statements)
    found, refusals = list[dict[str, Any]](), list[str]()
    for each in finders if text else ():
        try:
            found += each(world, text)
        except ControlRefused as error:
            if error.code != "invalid_search":
                raise
            refusals.append(error.message)
    if refusals and all(row["group"] == docs.GROUP for row in found):
        return jsonify({"found": [], "refused": refusals[0]})
    return jsonify({"found": found, "refused": ""})


def _records(group: str, path: str, kind: str, interface: str, world: WorldControl, text: str) -> list[dict[str, Any]]:
    """The orders, gifts or campaigns, if the world has the interface that places them."""
    if interface not in world.describe()["urls"]:
        return []
    rows = world.get(path, q=text.lstrip("#"), order="newest", limit=EACH)[path]
    return [
        {
            "group": group,
            "title": f"{row['title']} #{row['id']}",
            "hint": words(row["status"]),
            "path": ref_link({"kind": kind, "id": row["id"]}),
        }
        for row in rows
    ]


# Records: their title, their operation, their kind, and the interface without which a world has none.
LISTS = (
    partial(_records, "Orders", "orders", "team_order", "partner"),
    partial(_records, "Gifts", "gifts", "gift", "team"),
    partial(_records, "Campaigns", "campaigns", "campaign", "team"),
)


def _calls(world: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    """The calls that a search with a field finds: most words are in the bodies of many calls."""
    if ":" not in text:
        return
    for row in world.get("calls", q=text, order="newest", limit=EACH, bodies=False)["calls"]:
        status = "no response" if row["response"] is None else f"answered {row['response']['status']}"
        title = row["operation"] or f"{row['request']['method']} {row['request']['path']}"
        path = url_for("calls.call", seq=row["seq"])
        yield {"group": "Calls", "title": f"{title} #{row['seq']}", "hint": status, "path": path}


def _events(world: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    rows = world.get("events", q=text, order="newest", limit=EACH)["events"]
    fetch_titles(row["about"] for row in rows)
    for row in rows:
        about = title_of(row["about"]) if row["about"] else ""
        title = f"{row['type']}, {about or words(row['subject'])}"
        path = url_for("webhooks.event", event_id=row["id"])
        yield {"group": "Events", "title": title, "hint": words(row["status"]), "path": path}


def _endpoints(world: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    for row in world.get("endpoints", q=text, limit=EACH)["endpoints"]:
        path = url_for("endpoint.show", endpoint_id=row["id"])
        yield {"group": "Endpoints", "title": row["url"], "hint": row["key"] or f"team {row['team_id']}", "path": path}


def _settings(world: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    names = [name for name in world.get("settings") if text.lower() in name.lower()][:EACH]
    for name in names:
        path = url_for("reference.show", show="settings", q=name)
        yield {"group": "Settings", "title": name, "hint": "setting", "path": path}


def _people(world: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    if "team" not in world.describe()["urls"]:
        return
    for view, name, mail in (("recipients", "name", "email"), ("people", "display_name", "work_email")):
        for row in world.get(view, q=text, order="newest", limit=EACH)[view]:
            path = url_for("people.show", view=view, q=row[mail] or row[name])
            link = ref_link(row.get("about")) or path
            yield {"group": "People", "title": row[name] or row[mail], "hint": row[mail] or words(view), "path": link}


def _routes(_: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    """Operations of all interfaces; those of the control API that make something happen are verbs."""
    for row in current_control().get("/reference/routes", q=text, limit=EACH)["routes"]:
        group = "Verbs" if "/simulate/" in row["path"] else "Routes"
        path = url_for("reference.show", show="routes", q=row["operation"])
        yield {"group": group, "title": row["summary"], "hint": f"{row['method']} {row['path']}", "path": path}


def _errors(_: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    for row in current_control().get("/reference/errors", q=text, limit=EACH)["errors"]:
        path = url_for("reference.show", show="errors", q=row["code"], interface=row["interface"])
        yield {"group": "Errors", "title": f"{row['status']} {row['code']}", "hint": row["interface"], "path": path}


def _statements(_: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    """What the documents say, and what was decided."""
    for row in current_control().get("/statements", text=text, limit=EACH)["statements"]:
        path = url_for("reference.show", show="statements", id=row["id"])
        yield {"group": "Rules", "title": row["text"][:LONGEST], "hint": row["id"], "path": path}


def _pages(_: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    return docs.found(text)
