"""Where everything is in a trace: its entries by their kind and by what they changed, its records, and its timers.

A trace adds its entries while it is made, so that verdicts on a large world take little time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Entry = Mapping[str, Any]


class CallIndex:
    """The calls that rules look at: without an answer, refused, changed by a fault, answered as before, sent again, and
    reads. One may be in several.
    """

    def __init__(self) -> None:
        self.unanswered, self.refused, self.faulty = list[Entry](), list[Entry](), list[Entry]()
        self.replayed, self.again, self.reads = list[Entry](), list[Entry](), list[Entry]()

    def add(self, entry: Entry) -> None:
        """Add the next call."""
        call = entry["call"]
        response = call["response"]
        if response is None:
            self.unanswered.append(entry)
        elif response["status"] >= 400:
            self.refused.append(entry)
        elif "Idempotent-Replayed" in response["headers"]:
            self.replayed.append(entry)
        if "fault" in call:
            self.faulty.append(entry)
        if call["request"]["method"] in ("GET", "HEAD"):
            self.reads.append(entry)
        elif any(cause["how"] == "repeats" for cause in entry.get("causes", ())):
            self.again.append(entry)


class Index:
    """The entries of each kind and those that changed each record; the keys of each kind and of each reference.

    `added` has the changes that added records of each kind, each with its entry. `set` has the timers about each record
    ("" for those about none) by their ids, each with `by`, the entry that set it. `ended` are the ids of those that
    have fired or were canceled. `events` has the webhook events about each record.
    """

    def __init__(self, first_timers: Iterable[Mapping[str, Any]] = ()) -> None:
        self.of_kind, self.changing = defaultdict[str, list[Entry]](list), defaultdict[str, list[Entry]](list)
        self.keys, self.of_ref = defaultdict[str, list[str]](list), defaultdict[tuple[str, Any], list[str]](list)
        self.set, self.ended = defaultdict[str, dict[int, Mapping[str, Any]]](dict), set[int]()
        self.added = defaultdict[str, list[tuple[Entry, Mapping[str, Any]]]](list)
        self.events = defaultdict[str, list[Entry]](list)
        self.calls = CallIndex()
        self._set(first_timers, 1)

    def add(self, entry: Entry) -> None:
        """Add the next entry."""
        self.of_kind[entry["kind"]].append(entry)
        if entry["kind"] == "call":
            self.calls.add(entry)
        for change in entry.get("changes", ()):
            self.changing[change["record"]].append(entry)
            if change["what"] == "added":
                self.added[change["record"].partition("/")[0]].append((entry, change))
        if "event" in entry:
            self.events[entry["event"].get("about", "")].append(entry)
        if "timer" in entry:
            self.ended.add(entry["timer"]["id"])
        self.ended.update(entry.get("canceled", ()))
        self._set(entry.get("set", ()), entry["n"])

    def add_records(self, records: Mapping[str, Mapping[str, Any]]) -> None:
        """Add what the records of the whole trace are."""
        for key, record in records.items():
            self.keys[record["kind"]].append(key)
            of = record.get("of")
            if of is not None:
                self.of_ref[of["kind"], of["id"]].append(key)

    def due(self, about: str) -> Sequence[Mapping[str, Any]]:
        """What is due after the last entry about a record, given its key."""
        return [timer for id_, timer in self.set.get(about, {}).items() if id_ not in self.ended]

    def _set(self, timers: Iterable[Mapping[str, Any]], by: int) -> None:
        for timer in timers:
            self.ended.discard(timer["id"])
            self.set[timer.get("about", "")][timer["id"]] = {**timer, "by": by}


def index_of(data: Mapping[str, Any]) -> Index:
    """The index of a trace that was made without one."""
    index = Index(data["start"]["timers"])
    for entry in data["entries"]:
        index.add(entry)
    index.add_records(data["records"])
    return index
