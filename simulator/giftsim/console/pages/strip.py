"""What the time strip asks for and does: what lies ahead of an instant, what lies behind it, and going back to it."""

from __future__ import annotations

from typing import Final, NamedTuple

from flask import Blueprint, Response, abort, jsonify, request

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.filters import short
from giftsim.console.page import came_from, if_refused, is_own_path, part, redirect_back
from giftsim.console.pages.time import dry_run, lines, things
from giftsim.console.strip import PARTS, entries, own_entries
from giftsim.engine.client.control import quote_segment

BLUEPRINT = Blueprint("strip", __name__)
MOST_TOLD: Final = 5
LISTS: Final = {"order": "orders", "gift": "gifts", "campaign": "campaigns"}
LISTED: Final = 1000  # actions and changes that are looked at


class WayBack(NamedTuple):
    """How to return to an instant: undo to a change, then advance to the instant if that was in an advance."""

    to: int
    advance: bool


@BLUEPRINT.get("/w/<world>/strip/ahead")
def ahead() -> Response:
    """What an advance to the instant `at` would do."""
    at = request.args.get("at", "")
    result = dry_run(current_world(), {"to": at})
    told = lines(result)
    count = things(result)
    more = count - sum(line.times for line in told[:MOST_TOLD])
    shown = {"told": told[:MOST_TOLD], "count": count, "more": more, "cut": result["canceled"], "then": _then()}
    return part("strip_ahead.html", at=at, begin=result["from"], **shown)


@BLUEPRINT.get("/w/<world>/strip/behind")
def behind() -> Response:
    """What going back to the instant `at`, after the change `change`, would undo."""
    world, change = current_world(), request.args.get("change", 0, type=int)
    now, moment = world.get("clock")["now"], request.args.get("moment", "")
    at = request.args.get("at") or now
    if moment:
        return part("strip_moment.html", at=at, now=now, moment=moment, then=_then())
    rows = world.get("changes", after=change, limit=LISTED)["changes"]
    sent = sum(row["kind"] == "delivery" for row in rows)
    calls = sum(row["kind"] == "call" for row in rows)
    return part(
        "strip_behind.html",
        at=at,
        change=change,
        way=_way_back(world, at, change),
        now=now,
        calls=calls,
        sent=sent,
        count=len(rows),
        cut=len(rows) == LISTED,
        then=_then(),
    )


@BLUEPRINT.get("/w/<world>/strip/stretch")
def stretch() -> Response:
    """What is in the stretch of time `from` an instant `to` another, in more detail than in the whole strip."""
    query = {name: request.args.get(name) for name in ("from", "to")}
    found = {"entries": entries(current_world().get("timeline", parts=PARTS, **query))}
    return jsonify(found)


@BLUEPRINT.get("/w/<world>/strip/<kind>/<record_id>")
def own(kind: str, record_id: str) -> Response:
    """What is about one order, gift or campaign."""
    if kind not in LISTS:
        abort(404)
    record = current_world().get(f"{LISTS[kind]}/{quote_segment(record_id)}")
    return jsonify({"entries": own_entries(record)})


@BLUEPRINT.post("/w/<world>/strip/back")
@if_refused("The world did not go back")
def go_back() -> Response:
    """Make the world what it was at the instant `at`, after the change `change`."""
    world, at = current_world(), request.form.get("at", "")
    way = _way_back(world, at, request.form.get("change", 0, type=int))
    if way is None:
        return redirect_back("The world cannot go back that far: what happened there is not kept.", failed=True)
    now = world.post("undo", {"to": way.to, **({"until": at} if way.advance else {})})["now"]
    return redirect_back(f"It is {short(now)} again.", redo=True)


def _way_back(world: WorldControl, at: str, change: int) -> WayBack | None:
    """A call or an action is undone as a whole. Of an advance, the part up to the instant is made again."""
    for row in world.get("undo", all=True, limit=LISTED)["undo"]:
        if row["to"] < change:
            is_inside = row["kind"] == "clock" and row["at"] < at
            return WayBack(row["to"], advance=True) if is_inside else WayBack(change, advance=False)
    return WayBack(change, advance=False) if change else None


def _then() -> str:
    then = request.args.get("then", "")
    return then if is_own_path(then) else came_from()
