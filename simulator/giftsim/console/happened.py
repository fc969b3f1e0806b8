"""What happened in a world since one of its changes, in order of time: what changed, from which state to which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from giftsim.console.control_client import WorldControl, current_control
from giftsim.console.outcome import DELIVERED, outcome_of, told_once
from giftsim.frontend.states import answer_text

SEARCHED = 1000  # changes of one page
SHOWN = ("timer", "delivery", "mail")
ATTEMPTS = ("delivery.attempt", "webhooks.source")  # timers that the list of deliveries shows
AGAIN = "waiting"


class Step(NamedTuple):
    """Something that happened to one record or to several alike: `times` of them, first `about` one.

    `before` and `after` are its states, "" if it has none.
    """

    at: str
    kind: str
    text: str
    about: Mapping[str, Any] | None
    times: int
    before: str = ""
    after: str = ""


class Happened(NamedTuple):
    """Steps, and the number of the last change that was looked at if there are more.

    The first `own` steps are those of the record that was asked for; the others follow in order of time.
    """

    steps: list[Step]
    next: int | None
    own: int = 0


# The states before and after, by the kind of timer and its reason: a delayed parcel is produced for another reason.
Moves = Mapping[tuple[str, str], tuple[str, str]]


def happened(world: WorldControl, after: int, about: str = "") -> Happened:
    """What happened after a change, first to the record `about`, `KIND:ID`."""
    found = world.get("changes", after=after, limit=SEARCHED)
    rows = found["changes"]
    more = rows[-1]["n"] if len(rows) == SEARCHED else None
    steps = list(_steps(told_once(rows), _moves()))
    own = [step for step in steps if step.about and f"{step.about['kind']}:{step.about['id']}" == about]
    return Happened([*own, *(step for step in steps if step not in own)] if own else steps, more, len(own))


def _moves() -> Moves:
    """What each timer of a state machine does. A move from several states for one reason has no state before."""
    moves: dict[tuple[str, str], tuple[str, str]] = {}
    for machine in current_control().get("/machines")["machines"]:
        for row in machine["transitions"]:
            timer = f"{machine['name']}.{row['trigger']}", row["because"]
            known = moves.get(timer, (row["from"], row["to"]))
            if row["by_itself"]:
                moves[timer] = ("" if known[0] != row["from"] else row["from"], row["to"])
    return moves


def _steps(rows: Iterable[Mapping[str, Any]], moves: Moves) -> Iterator[Step]:
    told = (row for row in rows if row["kind"] in SHOWN and _head(row) not in ATTEMPTS)
    for _, group in groupby(told, key=_alike):
        alike = list(group)
        yield _step(alike[0], len(alike), moves)


def _alike(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """The key of rows that are shown as one."""
    if row["kind"] == "delivery":
        return row["at"], "delivery", _outcome(row)
    because = _because(row) if row["kind"] == "timer" else ""
    return row["at"], row["kind"], _head(row), because, row["subject"] and row["subject"]["id"]


def _step(row: Mapping[str, Any], count: int, moves: Moves) -> Step:
    at, kind, about = row["at"], row["kind"], row["subject"]
    if kind == "delivery":
        name = row["summary"].partition(",")[0] if count == 1 else f"{count:,} webhooks"
        return Step(at, kind, name, about, count, AGAIN, _outcome(row))
    if kind == "mail":
        head, _, text = str(row["summary"]).partition(": ")
        to = head.partition(" to ")[2]
        return Step(at, kind, f"{text}, to {to}" if to else text, about, count)
    because = _because(row)
    before, after = moves.get((_head(row), because), ("", ""))
    return Step(at, kind, "" if after else because, about, count, before, after)


def _head(row: Mapping[str, Any]) -> str:
    """The kind of a timer or a mail."""
    return str(row["summary"]).partition(":")[0]


def _because(row: Mapping[str, Any]) -> str:
    """Why a timer was due."""
    return str(row["summary"]).rpartition(", ")[2]


def _outcome(row: Mapping[str, Any]) -> str:
    """How a delivery ended: `delivered`, or what was answered."""
    found = outcome_of(row)
    if found.failed:
        return answer_text(row["status"], row["outcome"])
    return DELIVERED if found.ended else found.text
