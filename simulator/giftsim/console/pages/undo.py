"""Taking back what the console did in a world."""

from __future__ import annotations

from flask import Blueprint, Response, request

from giftsim.console.control_client import ControlError, current_world
from giftsim.console.page import back
from giftsim.console.undo_ring import take_back

BLUEPRINT = Blueprint("undo", __name__)


@BLUEPRINT.post("/w/<world>/take-back")
def submit() -> Response:
    """Put the world back to before an action of the console; a running clock goes on from there."""
    try:
        entry = take_back(current_world(), request.form.get("name", ""))
    except ControlError as error:
        return back(f"This cannot be taken back: {error.message}", failed=True)
    return back(f"Taken back: {entry.label}.")
