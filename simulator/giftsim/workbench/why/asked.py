"""The calls and webhooks that a question is about, and whether a later call made up for one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.workbench.why.about import ANSWER, EVENT
from giftsim.workbench.why.facts import Entry, Facts, Subject
from giftsim.workbench.why.forecast import status_of
from giftsim.workbench.why.index import KEY_HEADER, header_of

READS: Final = ("GET", "HEAD")
KEY_MEMBER = "idempotency_key"


def is_open(facts: Facts) -> bool:
    """Whether the world still lacks what was expected of it: an event or a status that did not come.

    If not, the question is what the app did, or was answered. Nobody expects a status that a sentence names.
    """
    return facts.once(_is_open)


def _is_open(facts: Facts) -> bool:
    expected = facts.expected
    if expected is None or expected.kind == ANSWER:
        return False
    if expected.kind == EVENT:
        keys = {key for each in facts.subjects for key in each.keys}
        happened = (each["event"] for each in facts.events if each["event"]["type"] == expected.value)
        return not any(facts.names_none or event.get("about") in keys for event in happened)
    if facts.about is None and facts.failure.actual is None:
        return False
    return not any(status_of(facts.state, each, expected.value) == expected.value for each in facts.subjects)


def is_about_app(facts: Facts) -> bool:
    """Whether a failed test is about the app's own records: the world has what was expected, or nothing was."""
    return facts.about is None and bool(facts.failure.message) and not is_open(facts)


def asked_calls(facts: Facts, among: Sequence[Entry]) -> Sequence[Entry]:
    """The calls among some that the question is about, in order.

    They are that call, those that named or changed the record, those that were answered as the test did not expect, or
    all of them.
    """
    if facts.about is not None:
        if facts.about.kind == "call":
            return [entry for entry in among if entry is facts.called]
        return _calls_about(facts, facts.subjects, among)
    actual = facts.failure.actual
    if facts.expected is not None and facts.expected.kind == ANSWER and actual is not None and actual.isdecimal():
        return [entry for entry in among if answered_status(entry) == int(actual)]
    return among


def _calls_about(facts: Facts, subjects: Sequence[Subject], among: Sequence[Entry]) -> Sequence[Entry]:
    """The calls that named some subjects in their paths, or changed them."""
    ids = [f"/{each.id}" for each in subjects]
    changed = {entry["n"] for each in subjects for entry in facts.changing(*each.keys)}
    return [
        entry
        for entry in among
        if entry["n"] in changed
        or any(id_ in (path := entry["call"]["request"]["path"]) and _names(path, id_) for id_ in ids)
    ]


def _names(path: str, id_: str) -> bool:
    return f"{id_}/" in f"{path.partition('?')[0]}/"


def asked_attempts(facts: Facts) -> Sequence[Entry]:
    """The attempts to deliver what the question is about, in order: that event, the expected ones, or all."""
    if facts.asked_events:
        return [attempt for event in facts.asked_events for attempt in facts.attempts_of(event)]
    if facts.expected is not None and facts.expected.kind == EVENT:
        return []
    if facts.about is None:
        return facts.of_kind("attempt")
    return [
        attempt for each in facts.subjects for event in facts.events_of(each) for attempt in facts.attempts_of(event)
    ]


def answered_status(entry: Entry) -> int | None:
    """The status that a call was answered with; None if its client got no answer."""
    response = entry["call"]["response"]
    return None if response is None else response["status"]


def call_succeeded(entry: Entry) -> bool:
    """Whether the client got an answer of success."""
    return (answered_status(entry) or 0) // 100 == 2


def name_call(entry: Entry) -> str:
    """What a call is called: its operation, or else its method and path."""
    operation: str | None = entry["call"].get("operation")
    return operation or str(entry["title"])


def name_credential(entry: Entry) -> str:
    """The name of the credential that made a call, or that there is none."""
    return str(entry["call"].get("credential", "no credential of this world"))


def same_calls(facts: Facts, entry: Entry) -> Sequence[Entry]:
    """The later calls with the same request, whatever their idempotency key, in order."""
    if entry["call"]["request"]["method"] in READS:
        return [each for each in facts.once(_reads)[_read(entry)] if each["n"] > entry["n"]]
    found, next_ = list[Entry](), facts.once(_repetitions)
    while (again := next_.get(entry["n"])) is not None:
        found.append(again)
        entry = again
    return found


def _reads(facts: Facts) -> Mapping[tuple[str, ...], Sequence[Entry]]:
    found = defaultdict[tuple[str, ...], list[Entry]](list)
    for entry in facts.index.calls.reads:
        found[_read(entry)].append(entry)
    return found


def _read(entry: Entry) -> tuple[str, ...]:
    request = entry["call"]["request"]
    return request["method"], request["path"], entry["call"].get("credential", "")


def _repetitions(facts: Facts) -> Mapping[int, Entry]:
    """The next call with the request of a write, by the number of its entry."""
    return {cause["n"]: entry for entry in facts.index.calls.again for cause in entry["causes"] if _repeats(cause)}


def _repeats(cause: Mapping[str, Any]) -> bool:
    return bool(cause["how"] == "repeats")


def earlier_calls(facts: Facts, entry: Entry) -> Iterator[Entry]:
    """The earlier writes with the same request, whatever their idempotency key, the newest first."""
    while causes := facts.causes(entry, "repeats"):
        entry = causes[0]
        yield entry


def was_repeated(facts: Facts, entry: Entry) -> bool:
    """Whether a later call with the same request succeeded, so that nothing is left of the failure."""
    return any(call_succeeded(each) for each in same_calls(facts, entry))


def body_of(entry: Entry) -> Any:
    """The JSON of a call's body; the text if it is none."""
    text = entry["call"]["request"].get("body")
    if text is None:
        return entry["call"]["request"].get("base64")
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def answer_of(entry: Entry) -> Any:
    """The JSON of a call's answer; None if it is none."""
    try:
        return msgspec.json.decode((entry["call"]["response"] or {}).get("body", ""))
    except msgspec.DecodeError:
        return None


def answer_header(entry: Entry, header_name: str) -> str | None:
    """A header of a call's answer."""
    response = entry["call"]["response"]
    return None if response is None else response["headers"].get(header_name)


def error_code(entry: Entry) -> str | None:
    """The code of the error that a call was answered with."""
    response = entry["call"]["response"]
    try:
        found = msgspec.json.decode(response["body"])["error"]["code"]
    except (TypeError, KeyError, msgspec.DecodeError):
        return None
    return found if isinstance(found, str) else None


def idempotency_key(entry: Entry) -> str | None:
    """The idempotency key of a call, from its header or its body."""
    body = body_of(entry)
    key = header_of(entry, KEY_HEADER) or (body.get(KEY_MEMBER) if isinstance(body, Mapping) else None)
    return key if isinstance(key, str) else None


def phrase_entries(entries: Sequence[Entry]) -> str:
    """The numbers of entries in a sentence: `entry 3`, `entries 3, 5 and 7`."""
    found = [str(entry["n"]) for entry in entries]
    if len(found) == 1:
        return f"entry {found[0]}"
    return f"entries {', '.join(found[:-1])} and {found[-1]}"
