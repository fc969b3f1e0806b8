"""What the time strip asks for and does: what lies ahead of an instant, what lies behind it, and going back to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response, request

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.filters import plural, ref_text, short, words
from giftsim.console.happened import ATTEMPTS
from giftsim.console.page import came_from, if_refused, is_own_path, part, redirect_back
from giftsim.console.pages.time import changes, dry_run
from giftsim.console.words import move

BLUEPRINT = Blueprint("strip", __name__)
MOST_TOLD: Final = 5
LISTED: Final = 1000  # actions and changes that are looked at


class Told(NamedTuple):
    """A line of the bubble."""

    at: str
    text: str


class WayBack(NamedTuple):
    """How to return to an instant: undo to a change, then advance to the instant if that was in an advance."""

    to: int
    advance: bool


@BLUEPRINT.get("/w/<world>/strip/ahead")
def ahead() -> Response:
    """What an advance to the instant `at` would do."""
    at = request.args.get("at", "")
    result = dry_run(current_world(), {"to": at})
    told = sorted(_told(result))
    count = len(told) + result["mail_count"]
    shown = {"told": told[:MOST_TOLD], "count": count, "cut": result["canceled"], "then": _then()}
    return part("strip_ahead.html", at=at, begin=result["from"], **shown)


@BLUEPRINT.get("/w/<world>/strip/behind")
def behind() -> Response:
    """What going back to the instant `at`, after the change `change`, would undo."""
    world, change = current_world(), request.args.get("change", 0, type=int)
    now = world.get("clock")["now"]
    at = request.args.get("at") or now
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
        then=_then(),
    )


@BLUEPRINT.post("/w/<world>/strip/back")
@if_refused("The world did not go back")
def go_back() -> Response:
    """Make the world what it was at the instant `at`, after the change `change`."""
    world, at = current_world(), request.form.get("at", "")
    way = _way_back(world, at, request.form.get("change", 0, type=int))
    if way is None:
        return redirect_back("The world cannot go back that far: what happened there is not kept.", failed=True)
    now = world.post("undo", {"to": way.to})["now"]
    if way.advance:
        now = world.advance({"to": at})["to"]
    return redirect_back(f"It is {short(now)} again, and what came after it has not happened.")


def _way_back(world: WorldControl, at: str, change: int) -> WayBack | None:
    """A call or an action is undone as a whole. Of an advance, the part up to the instant is made again."""
    for row in world.get("undo", all=True, limit=LISTED)["undo"]:
        if row["to"] < change:
            is_inside = row["kind"] == "clock" and row["at"] < at
            return WayBack(row["to"], advance=True) if is_inside else WayBack(change, advance=False)
    return WayBack(change, advance=False) if change else None


def _told(result: Mapping[str, Any]) -> Iterator[Told]:
    for row in changes(result["changed"]):
        if kinds := [kind for kind in row["kinds"] if kind not in ATTEMPTS]:
            name = ref_text(row["about"]) if row["about"] else words(row["subject"])
            parcels = f", {plural(row['times'], 'parcel')}" if row["times"] > 1 else ""
            yield Told(row["at"], f"{name}{parcels}: {', '.join(map(move, kinds)).lower()}")
    for row in result["deliveries"]:
        status = "" if row["status"] is None else f" {row['status']}"
        yield Told(row["at"], f"{row['type']} to {row['url'].split('/')[2]}: {words(row['outcome'])}{status}")


def _then() -> str:
    then = request.args.get("then", "")
    return then if is_own_path(then) else came_from()
