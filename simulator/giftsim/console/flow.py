"""The live flow: what your app, giftsim and people said to each other lately, as arrows from one to the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from giftsim.console.filters import ref_link
from giftsim.console.happened import ATTEMPTS
from giftsim.console.names import fetch_titles, title_of
from giftsim.console.outcome import outcome_of, told_once

ROWS, LOOKED_AT = 10, 120  # rows of the flow, and changes that are looked at for them
PREFIXES = ("/api/external", "/api/teams/v1", "/v1.1")
TO_GIFTSIM, TO_APP, TO_PEOPLE, BY_PEOPLE, ALONE = "a-s app", "s-a sim", "s-p sim", "p-s people", "self"


class Message(NamedTuple):
    """A row: when, the classes of its arrow, its text, its status ("" if it has none) and the page that has more."""

    at: str
    way: str
    text: str
    status: str
    failed: bool
    path: str | None


def flow(changes: Iterable[Mapping[str, Any]], *, failures: bool = False) -> list[Message]:
    """The newest rows, oldest first; only the failures if asked."""
    rows = told_once(changes)
    fetch_titles(row["subject"] for row in rows)
    found = [message for row in rows for message in _message(row) if message.failed or not failures]
    return found[-ROWS:]


def _message(row: Mapping[str, Any]) -> Iterator[Message]:
    at, path, (head, _, tail) = row["at"], ref_link(row["subject"]), str(row["summary"]).partition(": ")
    match row["kind"]:
        case "call":
            yield Message(at, TO_GIFTSIM, shortened(head), *outcome_of(row)[:2], path)
        case "delivery":
            name, _, attempt = head.partition(", ")
            number = attempt.partition(" to ")[0]
            text = name if number == "attempt 1" else f"{name}, {number}"
            yield Message(at, TO_APP, text, *outcome_of(row)[:2], path)
        case "mail":
            to = head.partition(" to ")[2]
            yield Message(at, TO_PEOPLE, f"{tail}, to {to}", "", False, path)
        case "claim":
            yield Message(at, BY_PEOPLE, f"{head} claims", "", False, path)
        case "timer" if row["subject"] and head not in ATTEMPTS:
            what = tail.rpartition(", ")[2]
            yield Message(at, ALONE, f"{title_of(row['subject']) or ''}: {what}".removeprefix(": "), "", False, path)
        case "control" if "/simulate/" in head or head.startswith(("Simulate", "Rehearse")):
            yield Message(at, BY_PEOPLE, head, "", False, path)


def shortened(call: str) -> str:
    """A call without the prefix of its interface."""
    method, _, path = call.partition(" ")
    prefix = next((each for each in PREFIXES if path.startswith(f"{each}/")), "")
    return f"{method} {path.removeprefix(prefix)}"
