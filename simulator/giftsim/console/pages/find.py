"""What the palette finds in a world: orders, gifts, campaigns, events and settings, by a part of a text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.filters import ref_link, words
from giftsim.console.names import learn, title_of

BLUEPRINT = Blueprint("find", __name__)
EACH = 5
LISTS = (("Orders", "orders", "team_order"), ("Gifts", "gifts", "gift"), ("Campaigns", "campaigns", "campaign"))


@BLUEPRINT.get("/w/<world>/find")
def find() -> Response:
    """What has a text, by groups: each with its title, a hint and the path of its page."""
    text = request.args.get("q", "").strip()[:100]
    world = current_world()
    found = [*_records(world, text), *_events(world, text), *_settings(world, text)] if text else []
    return jsonify({"found": found})


def _records(world: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    for group, path, kind in LISTS:
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
    learn(row["about"] for row in rows)
    for row in rows:
        about = title_of(row["about"]) if row["about"] else ""
        title = f"{row['type']}, {about or words(row['subject'])}"
        path = url_for("webhooks.event", event_id=row["id"])
        yield {"group": "Events", "title": title, "hint": words(row["status"]), "path": path}


def _settings(world: WorldControl, text: str) -> Iterator[dict[str, Any]]:
    names = [name for name in world.get("settings") if text.lower() in name.lower()][:EACH]
    for name in names:
        path = url_for("reference.show", show="settings", q=name)
        yield {"group": "Settings", "title": name, "hint": "setting", "path": path}
