"""How calls and webhooks ended, read from changes of a world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from giftsim.frontend.states import words

Row = Mapping[str, Any]
DELIVERED = "delivered"


class Outcome(NamedTuple):
    """How something ended: a status or words, "" for what is neither; whether it failed; whether it has ended."""

    text: str
    failed: bool
    ended: bool = True


def outcome_of(row: Row) -> Outcome:
    """The outcome of a change that is a call or a delivery. A record that was dropped counts as not failed."""
    if "status" not in row:
        return Outcome("", failed=False, ended=False)
    status = row["status"]
    if row["kind"] == "call":
        return Outcome(str(status or "no response"), failed=status is None or status >= 400)
    if row["outcome"] is None:
        return Outcome("on its way", failed=False, ended=False)
    return Outcome(str(status or words(row["outcome"])), failed=row["outcome"] != DELIVERED)


def told_once(rows: Iterable[Row]) -> list[Row]:
    """Keep only the last change of each delivery: its first says that it was sent, its second how it ended."""
    listed = list(rows)
    last = {row["subject"]["id"]: row["n"] for row in listed if row["kind"] == "delivery" and row["subject"]}
    return [
        row
        for row in listed
        if row["kind"] != "delivery" or row["subject"] is None or last[row["subject"]["id"]] == row["n"]
    ]
