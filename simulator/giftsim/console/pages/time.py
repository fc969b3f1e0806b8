"""Time: advance the clock, preview an advance, or let the clock run."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from flask import Blueprint, Response, request

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.filters import day, plural
from giftsim.console.happened import ATTEMPTS, happened
from giftsim.console.names import fetch_titles, title_of
from giftsim.console.page import act_and_return, came_from, if_refused, is_own_path, redirect_back, render_page
from giftsim.engine.client.world import goal_of

BLUEPRINT = Blueprint("time", __name__)
MOST_TIMERS = 1000  # of a preview
GOALS = ("by", "to", "until")
STEPS = {"1h": "1 hour", "1d": "1 day", "1w": "1 week", "next": "the next event", "idle": "the end of all that is due"}


@BLUEPRINT.post("/w/<world>/time/advance")
def advance() -> Response:
    """Advance the clock by a duration, to an instant, or until the next event."""
    goal = read_goal(request.form.to_dict())
    if goal is None:
        return redirect_back("Say by how much, or to when: 3d, PT36H, or 2027-03-01T09:00:00Z.", failed=True)
    return act_and_return(label(goal), lambda world: world.advance(goal), said=summary, lists=True)


@BLUEPRINT.get("/w/<world>/time/happened")
def what_happened() -> Response:
    """What happened after a change of the world, in order of time."""
    after = request.args.get("after", default=0, type=int)
    found = happened(current_world(), max(after, 0))
    fetch_titles(step.about for step in found.steps)
    return render_page("what_happened.html", found=found)


@BLUEPRINT.post("/w/<world>/time/cancel")
@if_refused("Nothing was stopped")
def cancel() -> Response:
    """End the running advance early. What has happened stays."""
    current_world().delete("clock/advance")
    return redirect_back("The advance ends here. What has happened stays, and you can undo it.")


@BLUEPRINT.get("/w/<world>/time/preview")
def preview() -> Response:
    """What an advance would do. It is computed on a copy: the world stays as it is."""
    goal = read_goal(request.args.to_dict()) or {"by": "1d"}
    then = request.args.get("then", "")
    result = dry_run(current_world(), goal)
    return render_page(
        "preview.html",
        goal=goal,
        label=label(goal),
        result=result,
        changes=changes(result["changed"]),
        then=then if is_own_path(then) else came_from(),
    )


@BLUEPRINT.post("/w/<world>/time/clock")
def set_clock() -> Response:
    """Let the clock run at a rate, or stop it."""
    rate = request.form.get("rate", "1").strip()
    running = request.form.get("mode") == "running"
    if running and not _is_number(rate):
        return redirect_back(
            f"The rate {rate[:20]!r} is not a number; 1 is real time, 60 is a minute in a second.", failed=True
        )
    body: dict[str, Any] = {"mode": "running", "rate": float(rate)} if running else {"mode": "manual"}
    text = f"Run the clock at {rate} x" if running else "Stop the clock"
    return act_and_return(text, lambda world: world.put("clock", body))


def dry_run(world: WorldControl, goal: dict[str, str]) -> dict[str, Any]:
    """What an advance would do: the first timers, because a page that waits for fifty thousand is not a preview."""
    result: dict[str, Any] = world.advance(goal, dry_run=True, max_events=MOST_TIMERS)
    return result


def changes(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """What an advance would change, in order of time; `times` parcels of one order that do the same are one row.

    A record that only the copy has is not about anything in the world.
    """
    fetch_titles(row["about"] for row in rows)
    told: dict[Any, dict[str, Any]] = {}
    for row in sorted(rows, key=itemgetter("at")):
        about = row["about"] if row["about"] and title_of(row["about"]) else None
        key = (about["kind"], about["id"]) if about else row["subject"]
        first = told.setdefault((key, row["at"], *row["kinds"]), {**row, "about": about, "times": 0})
        first["times"] += 1
    return list(told.values())


def read_goal(fields: dict[str, str]) -> dict[str, str] | None:
    """The goal of an advance from the fields of a form, or None. `when` takes a duration or an instant."""
    for name in GOALS:
        if value := fields.get(name, "").strip():
            return {name: value}
    when = fields.get("when", "").strip()
    return goal_of(when) if when else None


def label(goal: dict[str, str]) -> str:
    """An advance as text."""
    ((name, value),) = goal.items()
    text = STEPS.get(value, value)
    return f"Advance by {text}" if name == "by" else f"Advance to {_instant(text)}"


def summary(result: dict[str, Any]) -> str:
    """What an advance did: how many things happened, and what time it is."""
    fired = sum(count for kind, count in result["fired_by_kind"].items() if kind not in ATTEMPTS)
    happened = fired + result["delivery_count"] + result["mail_count"]
    failed = sum(row["outcome"] != "delivered" for row in result["deliveries"])
    webhooks = f", {failed:,} of {plural(result['delivery_count'], 'webhook')} failed" if failed else ""
    early = "Stopped early: " if result["canceled"] else ""
    things = plural(happened, "thing") if happened else "Nothing"
    return f"{early}{things} happened{webhooks}. It is {day(result['to'])} now."


def _instant(text: str) -> str:
    try:
        return day(text)
    except ValueError:
        return text


def _is_number(text: str) -> bool:
    try:
        return 0 < float(text) <= 1_000_000
    except ValueError:
        return False
