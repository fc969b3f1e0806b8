"""Where everything is in a trace: its entries by their kind and by what they changed, its records, and its timers.

A trace adds its entries while it is made, so that verdicts on a large world take little time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Entry = Mapping[str, Any]
KEY_HEADER = "idempotency-key"


class CallIndex:
    """The calls that rules look at: without an answer, refused, changed by a fault, answered as before, reads, and
    writes that were sent again. One may be in several.

    Of those that were sent again, `after_loss` are those of which the app got no answer before, and `acted_again` those
    that acted with a key in a header that an earlier one had. `of_status` has all calls by the status of their answer.
    """

    def __init__(self) -> None:
        self.unanswered, self.refused, self.faulty = list[Entry](), list[Entry](), list[Entry]()
        self.replayed, self.again, self.reads = list[Entry](), list[Entry](), list[Entry]()
        self.after_loss, self.acted_again = list[Entry](), list[Entry]()
        self.of_status = defaultdict[int | None, list[Entry]](list)
        self._lost, self._keys = set[int](), set[str]()

    def add(self, entry: Entry) -> None:
        """Add the next call."""
        call = entry["call"]
        response = call["response"]
        self.of_status[None if response is None else response["status"]].append(entry)
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
        else:
            self._add_write(entry)

    def _add_write(self, entry: Entry) -> None:
        repeated = [cause["n"] for cause in entry.get("causes", ()) if cause["how"] == "repeats"]
        key = header_of(entry, KEY_HEADER)
        if repeated:
            self.again.append(entry)
            if not self._lost.isdisjoint(repeated):
                self.after_loss.append(entry)
            response = entry["call"]["response"]
            if key in self._keys and response is not None and response["status"] < 400:
                self.acted_again.append(entry)
        if is_lost(entry):
            self._lost.add(entry["n"])
        if key is not None:
            self._keys.add(key)


def header_of(entry: Entry, lower: str) -> str | None:
    """A header of a call's request by its name in lower case."""
    headers: Mapping[str, str] = entry["call"]["request"]["headers"]
    length = len(lower)
    for name, value in headers.items():
        if len(name) == length and name.lower() == lower:
            return value
    return None


def is_lost(entry: Entry) -> bool:
    """Whether the app got no answer to a call, or an error in place of it."""
    response = entry["call"]["response"]
    return response is None or (response["status"] >= 500 and "fault" in entry["call"])


class Index:
    """The entries of each kind and those that changed each record; the keys of each kind and of each reference.

    `added` has the changes that added records of each kind, each with its entry. `set` has the timers about each record
    ("" for those about none) by their ids, each with `by`, the entry that set it. `ended` are the ids of those that
    have fired or were canceled. `events` has the webhook events about each record, `refs` the kinds of references.
    """

    def __init__(self, first_timers: Iterable[Mapping[str, Any]] = ()) -> None:
        self.of_kind, self.changing = defaultdict[str, list[Entry]](list), defaultdict[str, list[Entry]](list)
        self.keys, self.of_ref = defaultdict[str, list[str]](list), defaultdict[tuple[str, Any], list[str]](list)
        self.set, self.ended = defaultdict[str, dict[int, Mapping[str, Any]]](dict), set[int]()
        self.added = defaultdict[str, list[tuple[Entry, Mapping[str, Any]]]](list)
        self.events, self.refs = defaultdict[str, list[Entry]](list), set[str]()
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
                self.refs.add(of["kind"])
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
