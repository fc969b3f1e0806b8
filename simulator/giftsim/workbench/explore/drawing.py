"""What happened in the shortest plan of a failure, as the rows of a drawing: app, giftsim and people, over time.

The rows come from the trace of the plan's run. Before those of each action stands the action in English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from giftsim.workbench.exam.page.finding import Row
from giftsim.workbench.explore.plan import Plan, describe_action

# Entries of a trace that the steps of a scenario and the app make, in the order in which the event log has them.
MADE: Final = frozenset({"call", "claim", "act", "fault", "control", "advance"})
QUIET_TIMERS: Final = ("delivery.", "webhooks.")
PERSON_TIMERS: Final = ("actor",)
MOST_ROWS: Final = 200
MINUTE, DAY = 60, 86_400

Entry = Mapping[str, Any]


def rows(trace: Mapping[str, Any], plan: Plan, begun: Sequence[int]) -> tuple[Row, ...]:
    """The rows for a trace, each with the time if it changed.

    `begun` says for each action of the plan that was reached, and for the end, how many entries were made before it.
    """
    made: list[Row] = []
    first = last = ""
    for at, row in _rows(trace, plan, begun):
        first = first or at
        made.append(msgspec.structs.replace(row, at=_time(first, at) if at != last else ""))
        last = at
    if len(made) > MOST_ROWS:
        left_out = Row("step", f"{len(made) - MOST_ROWS + 1} rows are left out; the trace has all")
        made = [*made[: MOST_ROWS - 2], left_out, made[-1]]
    return tuple(made)


def _rows(trace: Mapping[str, Any], plan: Plan, begun: Sequence[int]) -> Iterator[tuple[str, Row]]:
    steps = [*map(describe_action, plan.actions), "everything that is due happens, and the app is checked"]
    waiting = [*zip(begun, enumerate(steps, 1), strict=False)]
    kinds = _timer_kinds(trace)
    many, setup = 0, begun[0] if begun else 0  # if that failed, it is shown
    for entry in trace["entries"]:
        many += entry["kind"] in MADE
        while waiting and (many > waiting[0][0] or entry["kind"] == "failure"):
            _, (number, text) = waiting.pop(0)
            yield entry["at"], Row("step", f"{number}. {text}" if number < len(steps) else text.capitalize())
        if many > setup or entry["kind"] == "failure":
            yield from ((entry["at"], row) for row in _row(entry, kinds))


def _timer_kinds(trace: Mapping[str, Any]) -> dict[int, str]:
    timers = [*trace["start"]["timers"], *(timer for entry in trace["entries"] for timer in entry.get("set", ()))]
    timers += [entry["timer"] for entry in trace["entries"] if "kind" in entry.get("timer", {})]
    return {timer["id"]: timer["kind"] for timer in timers}


def _row(entry: Entry, kinds: Mapping[int, str]) -> Iterator[Row]:
    match entry["kind"]:
        case "call":
            yield _call(entry)
        case "claim" | "act":
            yield Row("person", entry["title"])
        case "attempt":
            yield _webhook(entry["attempt"])
        case "timer":
            kind = kinds.get(entry["timer"]["id"], "")
            if kind.startswith(PERSON_TIMERS):
                yield Row("person", entry["title"])
            elif not kind.startswith(QUIET_TIMERS):
                yield Row("service", entry["title"])
        case "failure":
            yield Row("wrong", entry["title"], bad=True)


def _call(entry: Entry) -> Row:
    call = entry["call"]
    text = call.get("operation") or entry["title"]
    if call["response"] is None:
        return Row("call", text, "done, but the answer is lost" if entry.get("changes") else "no answer", bad=True)
    status = call["response"]["status"]
    return Row("call", text, " ".join(filter(None, (str(status), _code(call["response"])))), status >= 400)


def _code(response: Mapping[str, Any]) -> str:
    """The code of an error, which each interface has at another place; empty if there is none."""
    try:
        body = msgspec.json.decode(response.get("body", ""))
    except msgspec.DecodeError:
        return ""
    error = body.get("error", body) if isinstance(body, dict) else None
    code = error.get("code") if isinstance(error, dict) else error
    return code if isinstance(code, str) else ""


def _webhook(attempt: Mapping[str, Any]) -> Row:
    again = f", attempt {attempt['number']}" if attempt["number"] > 1 else ""
    mark = f", {attempt['mark'].replace('_', ' ')}" if attempt.get("mark") else ""
    delivered = attempt["outcome"] == "delivered"
    return Row(
        "webhook", f"{attempt['type']}{again}{mark}", str(attempt["status"] or attempt["outcome"]), not delivered
    )


def _time(first: str, at: str) -> str:
    """An instant, and how long after the first one it is."""
    instant = datetime.fromisoformat(at)
    passed = int((instant - datetime.fromisoformat(first)).total_seconds())
    days, minutes = passed // DAY, passed % DAY // MINUTE
    parts = (
        f"{days} d" if days else "",
        f"{minutes // MINUTE} h" if minutes >= MINUTE else "",
        f"{minutes % MINUTE} min" if minutes % MINUTE else "",
    )
    after = " ".join(part for part in parts if part)
    return f"{instant.day} {instant:%B %Y, %H:%M}" + (f" (+{after})" if after else "")
