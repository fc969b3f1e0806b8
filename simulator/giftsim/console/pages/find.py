"""What the palette finds by a part of a text: what a world has, its settings, and the reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for

from giftsim.console.control_client import WorldControl, current_control, current_world
from giftsim.console.filters import ref_link, words
from giftsim.console.names import fetch_titles, title_of
from giftsim.console.pages import docs

BLUEPRINT = Blueprint("find", __name__)
EACH, LONGEST = 5, 90  # of a group, and characters of a title
# Lists of records: their title, their operation, their kind, and the interface without which a world has none.
LISTS = (
    ("Orders", "orders", "team_order", "partner"),
    ("Gifts", "gifts", "gift", "team"),
    ("Campaigns", "campaigns", "campaign", "team"),
)


@BLUEPRINT.get("/w/<world>/find")
def find() -> Response:
    """Everything that contains a text, by groups: its title, a hint and the path of its page."""
    text = request.args.get("q", "").strip()[:100]
    world = current_world()
    finders = (_records, _people, _endpoints, _events, _pages, _settings, _routes, _errors, _statements)
    return jsonify({"found": [each for finder in finders for each in finder(world, text)] if text else []})


def _records(world: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    urls = world.describe()["urls"]
    for group, path, kind, _ in (each for each in LISTS if each[3] in urls):
        for row in world.get(path, q=text.lstrip("#"), order="newest", limit=EACH)[path]:
            link = ref_link({"kind": kind, "id": row["id"]})
            yield {
                "group": group,
                "title": f"{row['title']} #{row['id']}",
                "hint": words(row["status"]),
                "path": link,
            }


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
