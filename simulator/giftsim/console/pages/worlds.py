"""The worlds of this simulator: choosing, creating, resetting and deleting them."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, make_response, request, url_for

from giftsim.console.control_client import current_control, current_world
from giftsim.console.names import world_name
from giftsim.console.page import DEFAULT_WORLD, if_refused, part, redirect_back, render_page
from giftsim.engine.client.control import refusal_error

BLUEPRINT = Blueprint("worlds", __name__)
LISTED = 50
MOST_TRACE_BYTES = 4 * 1024 * 1024  # what the control API takes


@BLUEPRINT.get("/w/<world>/worlds")
def show() -> Response:
    """All worlds, in order of creation, with the form for a new one."""
    control, after = current_control(), request.args.get("after")
    listed = control.get("/worlds", limit=LISTED, after=after)
    return render_page(
        "worlds.html",
        worlds=listed["worlds"],
        next=listed["next"],
        default=DEFAULT_WORLD,
        fixtures=control.get("/fixtures")["fixtures"],
    )


@BLUEPRINT.get("/w/<world>/worlds/others")
def others() -> Response:
    """The other worlds as a list of links, for the sheet in which one is chosen."""
    listed = current_control().get("/worlds", limit=LISTED)["worlds"]
    return part("worlds_others.html", worlds=[each for each in listed if each["id"] != g.world_id])


@BLUEPRINT.post("/w/<world>/worlds")
@if_refused("The world was not created")
def create() -> Response:
    """Create a world and go to its home."""
    fields = {name: value.strip() for name, value in request.form.items() if value.strip()}
    body: dict[str, Any] = {name: fields[name] for name in ("id", "name", "fixture", "now") if name in fields}
    if seed := fields.get("seed"):
        body["seed"] = int(seed) if seed.isascii() and seed.isdigit() else seed
    body["clock"] = {"mode": "running"} if fields.get("clock") == "running" else {"mode": "manual"}
    world = current_control().post("/worlds", body)
    return redirect_back(f"Created the world {world_name(world)}.", to=url_for("home.show", world=world["id"]))


@BLUEPRINT.get("/w/<world>/trace.html")
def trace() -> Response:
    """The trace of the world: a file that shows everything, and from which the world can be opened again."""
    answer = current_world().call("GET", "trace")
    if not answer.is_success:
        raise refusal_error(answer)
    response = make_response(answer.body)
    response.headers["Content-Disposition"] = f'attachment; filename="{g.world_id}.html"'
    return response


@BLUEPRINT.post("/w/<world>/worlds/trace")
@if_refused("The trace was not opened")
def open_trace() -> Response:
    """Create a world from the file of a trace, as it was after an entry or at its end."""
    request.max_content_length = MOST_TRACE_BYTES
    file, at = request.files.get("trace"), request.form.get("at", "").strip()
    body: dict[str, Any] = {"trace": file.read().decode("utf-8", "replace") if file else ""}
    if at:
        body["at"] = int(at) if at.isascii() and at.isdigit() else at
    world = current_control().post("/worlds", body)
    text = f"Opened the trace as {world['id']}, at {world['now']}."
    return redirect_back(text, to=url_for("home.show", world=world["id"]))


@BLUEPRINT.post("/w/<world>/rename")
@if_refused("The world was not renamed")
def rename() -> Response:
    """Give the world another name, or none."""
    world = current_world().patch("", {"name": request.form.get("name", "").strip() or None})
    return redirect_back(f"This world is {world_name(world)} now.")


@BLUEPRINT.post("/w/<world>/fork")
@if_refused("The world was not forked")
def fork() -> Response:
    """Fork the world and go to the home of the fork."""
    name = request.form.get("id", "").strip()
    world = current_world().post("fork", {"id": name} if name else {})
    text = f"Created {world['id']}, a fork of {g.world_id}."
    return redirect_back(text, to=url_for("home.show", world=world["id"]))


@BLUEPRINT.post("/w/<world>/reset")
@if_refused("The world was not reset")
def reset() -> Response:
    """Reset the world to its creation. This also deletes its snapshots."""
    current_world().post("reset")
    return redirect_back(f"{g.world_id} is as it was created.")


@BLUEPRINT.post("/w/<world>/delete")
@if_refused("The world was not deleted")
def delete() -> Response:
    """Delete the world and go to the list of worlds."""
    current_world().delete("")
    return redirect_back(f"Deleted the world {g.world_id}.", to=url_for("worlds.show", world=DEFAULT_WORLD))
