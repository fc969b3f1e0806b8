"""What a test adds to the trace of its world: which line made each call, how the test ended, and what it wrote.

Calls carry no mark of the test, so they are found again: by the id of their request, else by method and path in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from giftsim.engine.problem import Problem
from giftsim.engine.url_paths import CONTROL
from giftsim.services.secrets import REDACTED

Entry = dict[str, Any]
Facts = Mapping[str, Any]
NONE: Final[Facts] = {}
DURING: Final = "during"
_BACK: Final = ("/undo", "/reset", "/restore")
_ACTS: Final = ("act", "fault", "control", "advance", "snapshot", "clock", "reset")


class InvalidPattern(Problem, status=400, code="invalid_body"):
    """A pattern of `redact` is not a regular expression."""


def add_facts(entries: list[Entry], facts: Facts, world_id: str) -> None:
    """Add to each entry the line that made its call, and add the failure of the test as the last entry."""
    notes = facts.get("calls", ())
    _place(notes, (entry for entry in entries if entry["kind"] in ("call", "claim")), _is_call)
    prefix = f"{CONTROL}/worlds/{world_id}"
    own = [
        {**note, "path": note["path"].removeprefix(prefix)} for note in notes if note["path"].startswith(f"{prefix}/")
    ]
    _place(own, (entry for entry in entries if entry["kind"] in _ACTS), _is_act)
    attempts = {entry["attempt"]["seq"]: entry["n"] for entry in entries if entry["kind"] == "attempt"}
    for entry in entries:
        if (n := attempts.get(entry.pop(DURING, 0))) is not None and n < entry["n"]:
            entry.setdefault("causes", []).append({"n": n, "how": DURING})
    if failure := facts.get("test", {}).get("failure"):
        entries.append(_failure(entries, failure))


def calls_elsewhere(entries: Sequence[Entry], facts: Facts, prefixes: Sequence[str]) -> list[Facts]:
    """The notes of calls of a simulated interface that were answered and are not among the entries.

    None if the test went back in time, because what is undone has no entries.
    """
    notes = facts.get("calls", ())
    if any(note["path"].endswith(_BACK) for note in notes):
        return []
    known = {entry["call"]["response"]["headers"].get("X-Request-Id") for entry in entries if _is_answered(entry)}
    ours = tuple(f"{prefix}/" for prefix in prefixes)
    answered = (note for note in notes if "request_id" in note and note["path"].startswith(ours))
    return [note for note in answered if note["request_id"] not in known]


def _is_answered(entry: Entry) -> bool:
    return entry["kind"] in ("call", "claim") and entry["call"]["response"] is not None


def _place(notes: Sequence[Facts], entries: Iterator[Entry], is_of: Callable[[Entry, Facts], bool]) -> None:
    """Give each entry the line that made its call. Both sequences are in order; one without a partner is skipped."""
    waiting = list(notes)
    for entry in entries:
        found = next((i for i, note in enumerate(waiting) if is_of(entry, note)), None)
        if found is not None:
            note = waiting[found]
            del waiting[: found + 1]
            entry.update({name: note[name] for name in ("source", "test_source", DURING) if name in note})


def _is_call(entry: Entry, note: Facts) -> bool:
    request, response = entry["call"]["request"], entry["call"]["response"]
    ids = (response or {}).get("headers", {}).get("X-Request-Id"), note.get("request_id")
    same = request["method"] == note["method"] and _path(request["path"]) == _path(note["path"])
    return same and (None in ids or ids[0] == ids[1])


def _is_act(entry: Entry, note: Facts) -> bool:
    match entry["kind"]:
        case "advance":
            return bool(note["path"] == "/clock/advance")
        case "snapshot":
            return bool(note["path"].startswith("/snapshots"))
        case "clock":
            return bool(note["path"] == "/clock")
        case "reset":
            return bool(note["path"] == "/reset")
    control = entry["control"]
    return bool(control["method"] == note["method"] and _path(control["path"]) == _path(note["path"]))


def _path(path: str) -> str:
    return path.partition("?")[0]


def _failure(entries: Sequence[Entry], failure: Facts) -> Entry:
    entry = {"n": len(entries) + 1, "kind": "failure", "at": entries[-1]["at"], "title": failure["message"]}
    return entry | ({"source": failure["place"]} if "place" in failure else {})


class Redaction:
    """Further texts that a trace hides: what matches one of some regular expressions. InvalidPattern."""

    def __init__(self, patterns: Sequence[str]) -> None:
        try:
            self._patterns = [re.compile(pattern) for pattern in patterns]
        except re.error as error:
            raise InvalidPattern(f"redact: {error.pattern!r} is not a regular expression: {error}") from None

    def text(self, text: str) -> str:
        """A text without what is to be hidden."""
        for pattern in self._patterns:
            text = pattern.sub(REDACTED, text)
        return text

    def data(self, value: Any) -> Any:
        """Data without the texts to be hidden; names of members stay."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {name: self.data(member) for name, member in value.items()}
        return [self.data(item) for item in value] if isinstance(value, list) else value

    def __bool__(self) -> bool:
        return bool(self._patterns)
