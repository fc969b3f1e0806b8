"""The webhook events that a question is about: of the expected type, or those whose content a failed line misses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from giftsim.workbench.why.about import ANSWER
from giftsim.workbench.why.facts import Entry, Facts
from giftsim.workbench.why.failure import differing

PING: Final = "ping"
_WORD: Final = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([\w.-]*\w)")
# A comparison in the first line of a failure, as pytest, Vitest and Node's assert write it: what there is, the words
# between, and what was expected. Some write them the other way around.
_COMPARED: Final = (
    re.compile(r"assert (.+) (==|in) (.+)"),
    re.compile(
        r"expected (.+) (to (?:strictly |deeply )?(?:be|equal|contain|include)) (.+?)(?: // .*)?$", re.MULTILINE
    ),
    re.compile(r"^(.+) (!==) (.+)", re.MULTILINE),  # from the beginning of a line: a long one is read once
    re.compile(r"expected (.+)(, actual )(.+)"),  # a step of a scenario, with what was expected first
)
_EXPECTED_FIRST: Final = ("in", ", actual ")
_DIFFERENCE: Final = "+ actual - expected"  # after which Node's assert shows the lines of both
_DIFFERING: Final = re.compile(r"^(?:E +)?(\{.*\}) != (\{.*\})$", re.MULTILINE)  # one pair of members
_LINE: Final = re.compile(r"^>\s+(.*)$", re.MULTILINE)
# A failure that found nothing: an empty value, or no member.
_NONE: Final = re.compile(
    r"(?:[\w.]*AssertionError: )?assert (?:\[\]|0|None|\{\}|\(\)|False)(?: |$)|IndexError|StopIteration|KeyError",
    re.MULTILINE,
)
_SENT: Final = re.compile(r"(?:[\w.]*AssertionError: )?expected (?:a webhook|\d+ x) ")
_DELIVERIES: Final = re.compile(r"deliveries of ([\w.]+)")
_LEAST_ID: Final = 100  # smaller numbers are counts
_STATUSES: Final = range(200, 600)
_MOST: Final = 200  # events whose words are compared
_CUT: Final = "..."


def in_question(facts: Facts) -> Sequence[Entry]:
    """The entries of the events that a question is about, in order; the newest of many. Empty if it names none."""
    return facts.once(_in_question)


def _in_question(facts: Facts) -> Sequence[Entry]:
    since = _last_return(facts)
    return [entry for entry in _asked(facts)[-_MOST:] if entry["n"] > since]


def attempts_of(facts: Facts, event: Entry) -> Sequence[Entry]:
    """The attempts to send an event, in order. After a reset another event may have its id."""
    return [entry for entry in facts.attempts_of(event) if entry["attempt"].get("event") == event["n"]]


def missed(facts: Facts) -> frozenset[str]:
    """The words that a failed comparison expects and that its other side lacks."""
    actual, expected = sides(facts)
    return frozenset(word for word in expected - actual if not _is_count(word))


def _is_count(word: str) -> bool:
    return word.isdecimal() and int(word) < _LEAST_ID


def sides(facts: Facts) -> tuple[frozenset[str], frozenset[str]]:
    """The words of both sides of a failed comparison: what there is, and what was expected.

    Of two objects only the members that differ count, if the failure lists them.
    """
    return facts.once(_sides)


def _sides(facts: Facts) -> tuple[frozenset[str], frozenset[str]]:
    compared = facts.test.get("failure", {}).get("compared", {})
    if compared.get("op") in ("==", "in") and {"left", "right"} <= compared.keys():
        actual, wanted = (frozenset(_leaves(side)) for side in differing(compared["left"], compared["right"]))
        return (actual, wanted) if compared["op"] == "==" else (wanted, actual)
    if pairs := _DIFFERING.findall(facts.failure.text):
        left, right = (frozenset(word for each in pairs for word in _words(each[side])) for side in (0, 1))
        return left, right
    if _DIFFERENCE in (text := f"{facts.failure.message}\n{facts.failure.text}"):
        lines = text.partition(_DIFFERENCE)[2].splitlines()
        left, right = (
            frozenset(word for line in lines if line.startswith(sign) for word in _words(line[1:])) for sign in "+-"
        )
        return left - right, right - left
    found = (match for each in _COMPARED if (match := each.search(facts.failure.message)))
    match = next(found, None)
    if match is None:
        return frozenset(), frozenset()
    left, right = frozenset(_words(match[1])), frozenset(_words(match[3]))
    return (right, left) if match[2] in _EXPECTED_FIRST else (left, right)


def counts(facts: Facts) -> tuple[int, int] | None:
    """The numbers of a failed comparison, unless they are HTTP statuses: what there is, and what was expected."""
    actual, expected = sides(facts)
    if len(actual) != 1 or len(expected) != 1 or not all(word.isdecimal() for word in actual | expected):
        return None
    found, wanted = int(min(actual)), int(min(expected))
    return None if {found, wanted} <= {*_STATUSES} and _is_answer(facts, found) else (found, wanted)


def _is_answer(facts: Facts, status: int) -> bool:
    """Whether a call was answered with a status."""
    return bool(facts.index.calls.of_status.get(status))


def _asked(facts: Facts) -> Sequence[Entry]:
    if facts.about is not None:
        return facts.asked_events
    found = _raised(facts) or _with_words(facts) or facts.asked_events or _of_line(facts) or _of_step(facts)
    if not found and facts.expected is not None and facts.expected.kind == ANSWER:
        return _answered(facts, facts.failure.actual)
    return _nearest(facts, found)


def _nearest(facts: Facts, events: Sequence[Entry]) -> Sequence[Entry]:
    """Those of some events that have the most words of the failure's message."""
    words = frozenset(_words(facts.failure.message))
    if len(events) < 2 or not words or len(events) > _MOST:
        return events
    common = [len(words & words_of(facts, entry)) for entry in events]
    return [entry for entry, count in zip(events, common, strict=True) if count == max(common)]


def _of_line(facts: Facts) -> Sequence[Entry]:
    """The events of the type that the failed line names, if it found none of something."""
    words = frozenset(_words(failed_line(facts))) if found_none(facts) else frozenset()
    return [entry for entry in facts.events if entry["event"]["type"] in words]


def _of_step(facts: Facts) -> Sequence[Entry]:
    """The events of the type whose deliveries a step of a scenario expected to be otherwise."""
    named = _DELIVERIES.search(facts.failure.message)
    return [entry for entry in facts.events if named and f"{named[1]}.".startswith(f"{entry['event']['type']}.")]


def expects_sent(facts: Facts) -> bool:
    """Whether the failure is about what was sent, whoever took it: by `assert_webhook`, or a step of a scenario."""
    return bool(_SENT.match(facts.failure.message) or _DELIVERIES.search(facts.failure.message))


def found_none(facts: Facts) -> bool:
    """Whether the test failed because something was empty."""
    return _NONE.match(facts.failure.message) is not None


def failed_line(facts: Facts) -> str:
    """The line of the test that failed, if the failure or the lines of its file show it."""
    if lines := _LINE.findall(facts.failure.text):
        return str(lines[-1])
    place = facts.test.get("failure", {}).get("place", {})
    source = facts.test.get("sources", {}).get(place.get("file"))
    at = place.get("line", 0) - source["first"] if source else -1
    return str(source["lines"][at]) if source and 0 <= at < len(source["lines"]) else ""


def _last_return(facts: Facts) -> int:
    """The number of the last entry that took the world back, after which slots and ids begin again; 0 without one."""
    back = (entry["n"] for kind in ("reset", "snapshot") for entry in facts.of_kind(kind) if _goes_back(entry))
    return max(back, default=0)


def _goes_back(entry: Entry) -> bool:
    return entry["kind"] == "reset" or str(entry["title"]).endswith("restored")


def _answered(facts: Facts, status: str | None) -> Sequence[Entry]:
    """The events to whose attempts somebody answered with a status, unless a call of the app was answered with it."""
    if status is None or not status.isdecimal() or _is_answer(facts, int(status)):
        return ()
    return _events(facts, (entry for entry in _sent(facts) if str(entry["attempt"]["status"]) == status))


def _raised(facts: Facts) -> Sequence[Entry]:
    """The event with which an app raised the error that ended the test."""
    message = facts.failure.message
    if ": " not in message or message.startswith("Assert"):
        return ()
    return _events(facts, (entry for entry in _sent(facts) if _is_error(entry["attempt"].get("answer", ""), message)))


def _is_error(answer: str, message: str) -> bool:
    first = answer.partition("\n")[0]
    return ": " in first and first == message


def _with_words(facts: Facts) -> Sequence[Entry]:
    """The events with a word that the failed comparison misses, and with those ids of its line that any event has."""
    wanted = missed(facts)
    likely = [entry for entry in facts.events if _may_have(facts, entry, wanted)] if wanted else []
    words = {entry["n"]: words_of(facts, entry) for entry in likely[-_MOST:]}
    found, ids = [entry for entry in likely[-_MOST:] if _has(words[entry["n"]], wanted)], _ids_named(facts)
    chosen = [entry for entry in found if ids <= words[entry["n"]]]
    if chosen or not found:
        return chosen
    known = {word for entry in facts.events for word in _ids_of(facts, entry)}
    return [entry for entry in found if ids & known <= words[entry["n"]]]


def _may_have(facts: Facts, event: Entry, wanted: frozenset[str]) -> bool:
    """Whether an event may have one of some words: without parsing its body, since there may be thousands."""
    type_: str = event["event"]["type"]
    attempt = next(iter(attempts_of(facts, event)), None)
    body = "" if attempt is None else attempt["attempt"]["body"]
    return any(
        word == type_
        or type_.endswith(f".{word}")
        or word.partition(_CUT)[0] in body
        or word in event["event"]["subject"]
        for word in wanted
    )


def _ids_named(facts: Facts) -> frozenset[str]:
    """The ids of the members that differ, or else those by which the failed line selects what it compares."""
    actual, expected = sides(facts)
    words = actual & expected or frozenset(_words(failed_line(facts))) - actual - expected
    return frozenset(word for word in words if word.isdecimal() and int(word) >= _LEAST_ID)


def _has(words: frozenset[str], wanted: frozenset[str]) -> bool:
    return any(word in words if _CUT not in word else _is_cut(word, words) for word in wanted)


def _is_cut(word: str, words: frozenset[str]) -> bool:
    start, _, end = word.partition(_CUT)
    return len(start) + len(end) > 8 and any(each.startswith(start) and each.endswith(end) for each in words)


def words_of(facts: Facts, event: Entry) -> frozenset[str]:
    """The texts and numbers in an event: its type and the last part of it, its subject, and the data of its body."""
    type_: str = event["event"]["type"]
    found = {type_, type_.partition(".")[2], *_ids_of(facts, event)}
    attempt = next(iter(attempts_of(facts, event)), None)
    return frozenset(found if attempt is None else {*found, *_leaves(data_of(attempt))})


def _ids_of(facts: Facts, event: Entry) -> Iterator[str]:
    """The ids of the records that an event is about."""
    record = facts.records.get(event["event"].get("about", ""), {})
    yield from _words(event["event"]["subject"])
    yield from (str(each["id"]) for each in (record, record.get("of")) if each)


def data_of(attempt: Entry) -> Any:
    """The `data` of an event as an attempt sent it."""
    return msgspec.json.decode(attempt["attempt"]["body"]).get("data")


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield str(name)
            yield from _leaves(member)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)


def _words(text: str) -> Iterator[str]:
    """The literals of a text: what stands in quotes, and other words and numbers."""
    return (match[1] or match[2] or match[3] for match in _WORD.finditer(text) if match[0] not in ("''", '""'))


def _sent(facts: Facts) -> Iterator[Entry]:
    return (entry for entry in facts.of_kind("attempt") if entry["attempt"].get("mark") != PING)


def _events(facts: Facts, attempts: Iterator[Entry]) -> Sequence[Entry]:
    numbers = {entry["attempt"].get("event") for entry in attempts}
    return [entry for entry in facts.events if entry["n"] in numbers]
