"""The worlds of this simulator: choosing, creating, resetting and deleting them."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, request, url_for

from giftsim.client.control import ControlRefused
from giftsim.console.control_client import current_control, current_world
from giftsim.console.page import DEFAULT_WORLD, back, render

BLUEPRINT = Blueprint("worlds", __name__)
LISTED = 50


@BLUEPRINT.get("/w/<world>/worlds")
def show() -> Response:
    """All worlds, in order of creation, with the form for a new one."""
    control, after = current_control(), request.args.get("after")
    listed = control.get("/worlds", limit=LISTED, after=after)
    return render(
        "worlds.html",
        worlds=listed["worlds"],
        next=listed["next"],
        default=DEFAULT_WORLD,
        fixtures=control.get("/fixtures")["fixtures"],
    )


@BLUEPRINT.post("/w/<world>/worlds")
def create() -> Response:
    """Create a world and go to its home."""
    fields = {name: value.strip() for name, value in request.form.items() if value.strip()}
    body: dict[str, Any] = {name: fields[name] for name in ("id", "fixture", "now") if name in fields}
    if seed := fields.get("seed"):
        body["seed"] = int(seed) if seed.isascii() and seed.isdigit() else seed
    body["clock"] = {"mode": "running"} if fields.get("clock") == "running" else {"mode": "manual"}
    try:
        world = current_control().post("/worlds", body)
    except ControlRefused as error:
        return back(f"The world was not created: {error.message}", failed=True)
    return back(f"Created the world {world['id']}.", to=url_for("home.show", world=world["id"]))


@BLUEPRINT.post("/w/<world>/fork")
def fork() -> Response:
    """Fork the world and go to the home of the fork."""
    name = request.form.get("id", "").strip()
    try:
        world = current_world().post("fork", {"id": name} if name else {})
    except ControlRefused as error:
        return back(f"The world was not forked: {error.message}", failed=True)
    text = f"Created {world['id']}, a fork of {g.world_id}."
    return back(text, to=url_for("home.show", world=world["id"]))


@BLUEPRINT.post("/w/<world>/reset")
def reset() -> Response:
    """Reset the world to its creation. This also deletes its snapshots."""
    try:
        current_world().post("reset")
    except ControlRefused as error:
        return back(f"The world was not reset: {error.message}", failed=True)
    return back(f"{g.world_id} is as it was created.")


@BLUEPRINT.post("/w/<world>/delete")
def delete() -> Response:
    """Delete the world and go to the list of worlds."""
    try:
        current_control().world().delete("")
    except ControlRefused as error:
        return back(f"The world was not deleted: {error.message}", failed=True)
    return back(f"Deleted the world {g.world_id}.", to=url_for("worlds.show", world=DEFAULT_WORLD))
