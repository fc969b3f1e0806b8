"""Undoing what was done in a world."""

from __future__ import annotations

from flask import Blueprint, Response, request

from giftsim.client.control import ControlRefused
from giftsim.console.control_client import current_world
from giftsim.console.page import LONGEST, back

BLUEPRINT = Blueprint("undo", __name__)


@BLUEPRINT.post("/w/<world>/undo")
def submit() -> Response:
    """Undo everything after a change of the world. `label` is what the first of it was called."""
    to, label = request.form.get("to", type=int), request.form.get("label", "")[:LONGEST]
    if to is None:
        return back("Nothing was undone: the form does not say to which change.", failed=True)
    try:
        current_world().post("undo", {"to": to})
    except ControlRefused as error:
        return back(f"Nothing was undone: {error.message}.", failed=True)
    return back(f"Undone: {label}.")
