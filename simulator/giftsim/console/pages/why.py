"""Why something waits or has failed: the sentence, what proves it, and the line that would change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, Response, request, url_for

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.mending import Mend, account_of, mend_of
from giftsim.console.names import fetch_titles
from giftsim.console.page import render_page
from giftsim.console.stepper import failed_charge
from giftsim.engine.client.control import quote_segment

BLUEPRINT = Blueprint("why", __name__)
ORDER: Final = ("order", "team_order")  # as questions name one, and as answers refer to it


@BLUEPRINT.get("/w/<world>/why")
def show() -> Response:
    """The verdicts on a record or a call: the query's `about` is `KIND:ID`, and `expected` what was expected of it."""
    world, about = current_world(), request.args.get("about", "")
    verdicts = world.get("why", about=about, expected=request.args.get("expected") or None)["verdicts"]
    entries = world.get("trace", format="json")["entries"]
    kind, _, record_id = about.partition(":")
    ref = {"kind": kind.replace(*ORDER), "id": int(record_id) if record_id.isdecimal() else record_id}
    fetch_titles([ref])
    return render_page(
        "why.html",
        ref=ref,
        verdicts=verdicts,
        mend=_mend(world, record_id) if kind == "order" else None,
        order=record_id,
        proof=[[_entry(mark, entries[mark["entry"] - 1]) for mark in verdict["marks"]] for verdict in verdicts],
    )


def _mend(world: WorldControl, order: str) -> Mend | None:
    """What lets the payment of an order succeed, if it failed and that can be done here."""
    read = world.get(f"orders/{quote_segment(order)}")
    failed = failed_charge(read["order"], read["money"])
    mend = mend_of(failed, account_of(world, read["order"]), read["timeline"]) if failed else None
    return mend if mend and (mend.changes or mend.call) else None


def _entry(mark: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry that proves a verdict, with the path of its page, which is empty if it has none."""
    return {"at": entry["at"], "title": entry["title"], "what": mark["what"], "path": _path(entry)}


def _path(entry: Mapping[str, Any]) -> str:
    match entry:
        case {"call": {"seq": seq}}:
            return url_for("calls.call", seq=seq)
        case {"event": {"id": event}}:
            return url_for("webhooks.event", event_id=event)
        case {"attempt": {"event_id": event, "seq": seq}}:
            return url_for("webhooks.event", event_id=event, attempt=seq)
    return ""
