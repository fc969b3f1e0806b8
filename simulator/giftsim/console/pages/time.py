"""Time: advance the clock, preview an advance, or let the clock run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from flask import Blueprint, Response, request

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.filters import day, plural, ref_text
from giftsim.console.happened import ATTEMPTS, happened
from giftsim.console.names import fetch_titles, title_of
from giftsim.console.outcome import DELIVERED
from giftsim.console.page import act_and_return, came_from, if_refused, is_own_path, redirect_back, render_page
from giftsim.console.words import move
from giftsim.engine.client.world import goal_of
from giftsim.frontend.states import answer_text, words

BLUEPRINT = Blueprint("time", __name__)
MOST_TIMERS = 1000  # of a preview
GOALS = ("by", "to", "until")
STEPS = {"1h": "1 hour", "1d": "1 day", "1w": "1 week", "next": "the next event", "idle": "the end of all that is due"}


class Line(NamedTuple):
    """One thing that an advance would do, or several alike: when, to what, and how it ends."""

    at: str
    text: str
    about: Mapping[str, Any] | None
    outcome: str = ""
    failed: bool = False
    is_webhook: bool = False
    times: int = 1


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
        lines=lines(result),
        moves={kind: count for kind, count in result["fired_by_kind"].items() if kind not in ATTEMPTS},
        things=things(result),
        failed=failures(result),
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


def lines(result: Mapping[str, Any]) -> list[Line]:
    """What an advance would do, in order of time; what is alike at one instant is one line."""
    fetch_titles(row["about"] for row in result["changed"])
    found: dict[tuple[str, ...], Line] = {}
    for line in (*_moves(result["changed"]), *map(_delivery, result["deliveries"]), *map(_mail, result["mail"])):
        key = line.at, line.text, line.outcome, *map(str, (line.about or {}).values())
        found[key] = line._replace(times=line.times + found[key].times) if key in found else line
    return sorted(found.values(), key=itemgetter(0))


def _moves(rows: Iterable[Mapping[str, Any]]) -> Iterator[Line]:
    """What becomes of records. Webhooks are told as deliveries. A record that only the copy has has no page."""
    for row in rows:
        if kinds := [kind for kind in row["kinds"] if kind not in ATTEMPTS]:
            about = row["about"] if row["about"] and title_of(row["about"]) else None
            name = ref_text(about) if about else words(row["subject"])
            yield Line(row["at"], name, about, ", then ".join(map(move, kinds)).lower())


def _delivery(row: Mapping[str, Any]) -> Line:
    failed = row["outcome"] not in (None, DELIVERED)
    attempt = f", attempt {row['attempt']}" if row["attempt"] > 1 else ""
    text = f"{row['type']} to {host_of(row['url'])}{attempt}"
    return Line(row["at"], text, None, answer_text(row["status"], row["outcome"]), failed, is_webhook=True)


def _mail(row: Mapping[str, Any]) -> Line:
    return Line(row["at"], f"Mail to {row['to']}: {row['subject']}", None)


def host_of(url: str) -> str:
    """The host of an address."""
    return urlsplit(url).netloc or url


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
    happened, failed = things(result), failures(result)
    webhooks = f", {failed:,} of {plural(result['delivery_count'], 'webhook')} failed" if failed else ""
    early = "Stopped early: " if result["canceled"] else ""
    told = plural(happened, "thing") if happened else "Nothing"
    return f"{early}{told} happened{webhooks}. It is {day(result['to'])} now."


def things(result: Mapping[str, Any]) -> int:
    """How many things an advance does: moves of records, webhooks and mails."""
    fired = sum(count for kind, count in result["fired_by_kind"].items() if kind not in ATTEMPTS)
    return int(fired + result["delivery_count"] + result["mail_count"])


def failures(result: Mapping[str, Any]) -> int:
    """How many of its webhooks fail."""
    return sum(row["outcome"] not in (None, DELIVERED) for row in result["deliveries"])


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
