"""Moments to go back to: snapshots, what the console did, and the client writes that can be undone."""

from __future__ import annotations

from flask import Blueprint, Response, request

from giftsim.console.control_client import ControlError, current_world, segment
from giftsim.console.curl import curl
from giftsim.console.filters import plural
from giftsim.console.page import act, back, origin, render
from giftsim.console.subjects import subject_link
from giftsim.console.undo_ring import NAME, undo_entries

BLUEPRINT = Blueprint("moments", __name__)
WRITES = 50


@BLUEPRINT.get("/w/<world>/moments")
def show() -> Response:
    """The snapshots of a world, the console's own actions, and the client writes that can be undone."""
    world = current_world()
    saved = world.get("snapshots", limit=100)["snapshots"]
    writes = world.get("undo", limit=WRITES, after=request.args.get("after", type=int))
    for write in writes["undo"]:
        write["link"] = subject_link({"kind": "call", "id": write["call"]}) if write["call"] else None
    path = f"{origin()}/_sim/v1/worlds/{world.id}"
    return render(
        "moments.html",
        snapshots=[each for each in saved if not NAME.fullmatch(each["name"])],
        entries=undo_entries(world),
        writes=writes,
        described=world.describe(),
        save_command=curl("POST", f"{path}/snapshots", {"name": "before-the-sale"}),
        undo_command=curl("POST", f"{path}/undo", {"count": 1}),
    )


@BLUEPRINT.post("/w/<world>/moments")
def save() -> Response:
    """Save the present moment under a name."""
    name = request.form.get("name", "").strip()
    try:
        current_world().post("snapshots", {"name": name})
    except ControlError as error:
        return back(f"The moment was not saved: {error.message}", failed=True)
    return back(f"Saved this moment as {name}.")


@BLUEPRINT.post("/w/<world>/moments/restore")
def restore() -> Response:
    """Put a snapshot back; one click takes that back."""
    name = request.form.get("name", "")
    return act(f"Restore {name}", lambda world: world.post(f"snapshots/{segment(name)}/restore"))


@BLUEPRINT.post("/w/<world>/moments/delete")
def delete() -> Response:
    """Delete a snapshot."""
    name = request.form.get("name", "")
    try:
        current_world().delete(f"snapshots/{segment(name)}")
    except ControlError as error:
        return back(f"The moment was not deleted: {error.message}", failed=True)
    return back(f"Deleted the moment {name}.")


@BLUEPRINT.post("/w/<world>/moments/undo")
def undo() -> Response:
    """Undo the last client writes. It cannot be taken back: it removes the snapshots that were saved since."""
    count = request.form.get("count", "1")
    try:
        undone = current_world().post("undo", {"count": int(count) if count.isascii() and count.isdigit() else 0})
    except ControlError as error:
        return back(f"Nothing was undone: {error.message}", failed=True)
    first = undone["undone"][-1]
    what = plural(len(undone["undone"]), "write")
    return back(f"Undone: {what}, back to before {first['method']} {first['path']}.")
