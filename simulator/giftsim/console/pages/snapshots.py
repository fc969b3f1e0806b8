"""Snapshots, and everything that was done in a world and can be undone."""

from __future__ import annotations

from flask import Blueprint, Response, request

from giftsim.console.control_client import current_world
from giftsim.console.curl import curl_command
from giftsim.console.filters import ref_link
from giftsim.console.page import LONGEST, Place, act_and_return, if_refused, origin, redirect_back, render_page
from giftsim.engine.client.control import ControlRefused, quote_segment

BLUEPRINT = Blueprint("snapshots", __name__)
PLACES = (Place("Snapshots", "snapshots.show", "t", "camera", "Tools", 3),)
LISTED = 50


@BLUEPRINT.get("/w/<world>/snapshots")
def show() -> Response:
    """The snapshots of a world, and everything that was done in it and can be undone."""
    world = current_world()
    done = world.get("undo", all=True, limit=LISTED, after=request.args.get("after", type=int))
    for row in done["undo"]:
        row["link"] = ref_link({"kind": "call", "id": row["call"]}) if row["call"] else None
    path = origin() + world.path()
    return render_page(
        "snapshots.html",
        snapshots=world.get("snapshots", limit=100)["snapshots"],
        done=done,
        described=world.describe(),
        save_command=curl_command("POST", f"{path}/snapshots", {"name": "before-the-sale"}),
        undo_command=curl_command("POST", f"{path}/undo", {"count": 1}),
    )


@BLUEPRINT.post("/w/<world>/snapshots")
@if_refused("The snapshot was not saved")
def save() -> Response:
    """Save a snapshot of the world under a name."""
    name = request.form.get("name", "").strip()
    current_world().post("snapshots", {"name": name})
    return redirect_back(f"Saved the snapshot {name}.")


@BLUEPRINT.post("/w/<world>/snapshots/restore")
def restore() -> Response:
    """Restore a snapshot. One click undoes that."""
    name = request.form.get("name", "")
    return act_and_return(f"Restore {name}", lambda world: world.post(f"snapshots/{quote_segment(name)}/restore"))


@BLUEPRINT.post("/w/<world>/snapshots/delete")
def delete() -> Response:
    """Delete a snapshot."""
    name = request.form.get("name", "")
    return act_and_return(
        f"Delete the snapshot {name}",
        lambda world: world.delete(f"snapshots/{quote_segment(name)}"),
        said=lambda _: f"Deleted the snapshot {name}.",
    )


@BLUEPRINT.post("/w/<world>/undo")
def undo() -> Response:
    """Undo everything after a change of the world. `label` is what the first of it was called."""
    to, label = request.form.get("to", type=int), request.form.get("label", "")[:LONGEST]
    if to is None:
        return redirect_back("Nothing was undone: the form does not say to which change.", failed=True)
    try:
        current_world().post("undo", {"to": to})
    except ControlRefused as error:
        return redirect_back(f"Nothing was undone: {error.message}.", failed=True)
    return redirect_back(f"Undone: {label}.")
