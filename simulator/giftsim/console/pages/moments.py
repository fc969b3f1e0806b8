"""Named moments to return to, and everything that was done in a world: what can be undone, and what can be redone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Blueprint, Response, make_response, redirect, request, url_for

from giftsim.console.control_client import WorldControl, current_control, current_world
from giftsim.console.curl import curl_command
from giftsim.console.filters import done, ref_link, short
from giftsim.console.page import LONGEST, Place, Undo, act_and_return, if_refused, origin, redirect_back, render_page
from giftsim.engine.client.control import ControlRefused, quote_segment, refusal_error

BLUEPRINT = Blueprint("moments", __name__)
PLACES = (Place("Moments", "moments.show", "t", "bookmark", "Tools", 3),)
LISTED = 50
FAR = 1_000  # actions among which a moment is looked for


@BLUEPRINT.get("/w/<world>/snapshots")
def former_address() -> Response:
    """The address that the page had before this release."""
    return redirect(url_for("moments.show"), 301)  # type: ignore[return-value]


@BLUEPRINT.get("/w/<world>/moments")
def show() -> Response:
    """The named moments of a world, and everything that was done in it and can be undone."""
    world = current_world()
    found = world.get("undo", all=True, limit=LISTED, after=request.args.get("after", type=int))
    for row in found["undo"]:
        row["link"] = ref_link({"kind": "call", "id": row["call"]}) if row["call"] else None
    path = origin() + world.path()
    return render_page(
        "moments.html",
        moments=world.get("snapshots", limit=100)["snapshots"][::-1],
        done=found,
        chosen=request.args.get("name"),
        address=lambda name: origin() + url_for("moments.show", name=name),
        save_command=curl_command("POST", f"{path}/snapshots", {"name": "before the sale"}),
        undo_command=curl_command("POST", f"{path}/undo", {"count": 1}),
    )


@BLUEPRINT.post("/w/<world>/moments")
def save() -> Response:
    """Name this moment of the world."""
    name = " ".join(request.form.get("name", "").split())
    return act_and_return(
        f"Name this moment {name}",
        lambda world: world.post("snapshots", {"name": name}),
        said=lambda _: f"This moment is “{name}” now.",
    )


@BLUEPRINT.post("/w/<world>/moments/restore")
def restore() -> Response:
    """Return to a moment. One click undoes that."""
    name = request.form.get("name", "")
    return act_and_return(
        f"Return to {name}",
        lambda world: world.post(f"snapshots/{quote_segment(name)}/restore"),
        said=lambda result: f"It is {short(result['now'])} again: “{name}”.",
    )


@BLUEPRINT.post("/w/<world>/moments/delete")
def delete() -> Response:
    """Forget a moment."""
    name = request.form.get("name", "")
    return act_and_return(
        f"Forget the moment {name}",
        lambda world: world.delete(f"snapshots/{quote_segment(name)}"),
        said=lambda _: f"The moment “{name}” is forgotten.",
    )


@BLUEPRINT.post("/w/<world>/moments/file")
@if_refused("There is no file of this moment")
def file() -> Response:
    """A moment as a small file: a trace that ends there, from which anyone can open the world as it was."""
    name = request.form.get("name", "")
    with _copy_at(current_world(), name) as copy:
        answer = current_control().call("GET", f"/worlds/{copy}/trace")
    if not answer.is_success:
        raise refusal_error(answer)
    response = make_response(answer.body)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.html"'
    return response


@contextmanager
def _copy_at(world: WorldControl, name: str) -> Iterator[str]:
    """The id of a fork of the world that has gone back to a moment; it is deleted afterwards."""
    control, copy = current_control(), world.post("fork", {})["id"]
    try:
        rows = control.get(f"/worlds/{copy}/undo", all=True, limit=FAR)["undo"]
        at = next((i for i, row in enumerate(rows) if row["summary"] == f"the snapshot {name} was saved"), None)
        if at is None:
            raise ControlRefused(409, "too_long_ago", "too much has happened since, or it was undone")
        if at:
            control.post(f"/worlds/{copy}/undo", {"to": rows[at - 1]["to"]})
        yield copy
    finally:
        control.delete(f"/worlds/{copy}")


@BLUEPRINT.post("/w/<world>/undo")
def undo() -> Response:
    """Undo everything after a change of the world. `label` is what the first of it was called."""
    to, label = request.form.get("to", type=int), request.form.get("label", "")[:LONGEST]
    if to is None:
        return redirect_back("Nothing was undone: the form does not say to which change.", failed=True)
    world = current_world()
    try:
        before = world.get("clock")["now"]
        now = world.post("undo", {"to": to})["now"]
    except ControlRefused as error:
        return redirect_back(f"Nothing was undone: {error.message}.", failed=True)
    again = f" It is {short(now)} again." if now != before else ""
    return redirect_back(f"Undone: {done(label)}.{again}", redo=True)


@BLUEPRINT.post("/w/<world>/redo")
@if_refused("Nothing came back")
def redo() -> Response:
    """Bring back what the last undo took away."""
    world = current_world()
    lost = world.get("undo", limit=1)["redo"]
    now = world.post("redo")["now"]
    rows = world.get("undo", all=True, limit=1, after=max(0, lost["actions"] - 1))["undo"] if lost else []
    what = done(lost["summary"]) if lost else "what was undone"
    undo = Undo(rows[0]["to"], what) if rows else None
    return redirect_back(f"Back again: {what}. It is {short(now)}.", undo=undo)
