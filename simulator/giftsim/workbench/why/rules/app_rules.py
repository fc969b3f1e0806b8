"""Why a webhook that was sent changed nothing in the app: it was refused, not answered, ignored, or came too early."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Final, NamedTuple

from giftsim.engine.webhooks.outgoing import DELIVERED, HTTP_STATUS
from giftsim.workbench.why import mends
from giftsim.workbench.why.facts import Entry, Facts, mark
from giftsim.workbench.why.in_common import in_common
from giftsim.workbench.why.in_question import attempts_of, counts, in_question, sides
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.rules.webhook_rules import phrase_event, phrase_subject
from giftsim.workbench.why.verdict import NO_LINE, Mark, Verdict
from giftsim.workbench.why.webhook_history import APP, HAND, SET, Taken, find_taker

_LONGEST: Final = 80  # characters of what an app answered
_WHY_REFUSED: Final = {
    APP: "the app decides what it answers: let it accept this body",
    HAND: "the test decides what it answers by hand: answer with a 2xx status",
}
_BY_ID: Final = "the app has to tell events apart by their id, and not by what they are about"
_MOST: Final = 4  # entries that a sentence names
_MOST_EVENTS: Final = 200  # which a test may mean or count without naming one
_SEEN: Final = re.compile(r"\b(?:duplicate|seen|already|ignored?|known|skip(?:ped)?|exists)\b", re.IGNORECASE)


def refused_by_app(facts: Facts) -> Verdict | None:
    """No attempt to send the event to an endpoint was accepted, and the last one was answered with another status."""
    for event, attempts in _failed(facts):
        last = attempts[-1]
        if last.attempt["outcome"] != HTTP_STATUS:
            continue
        bodies = in_common(facts, last) if last.is_apps else None
        statuses = " and ".join(dict.fromkeys(str(each.attempt["status"]) for each in attempts))
        return Verdict(
            kind="refused_by_app",
            sentence=f"{last.who} answered {statuses} to {_tries(attempts)}{phrase_event(facts, event)}"
            f" ({_numbers(attempts)}){_answered(facts, last)}{bodies.text if bodies else ''}",
            marks=(*_marks(attempts, "refused"), *(bodies.marks if bodies else ())),
            mend=mends.receiver(last.host) if last.by == SET else NO_LINE,
            why_not=None if last.by == SET else _WHY_REFUSED.get(last.by, _WHY_REFUSED[APP]),
        )
    return None


def no_answer_from_app(facts: Facts) -> Verdict | None:
    """No attempt to send the event to an endpoint was accepted, and the last one got no answer."""
    for event, attempts in _failed(facts):
        last = attempts[-1]
        if last.attempt["outcome"] == HTTP_STATUS:
            continue
        ended = _OUTCOMES.get(last.attempt["outcome"], "it is not answered yet")
        why_not = (
            f"what answers {last.host} has to be there: start it, or name its address in the receiver of this host"
        )
        return Verdict(
            kind="no_answer_from_app",
            sentence=f"{last.who} did not answer {_tries(attempts)}{phrase_event(facts, event)}"
            f" ({_numbers(attempts)}): {ended}",
            marks=_marks(attempts, "not answered"),
            mend=mends.receiver(last.host) if last.by == SET else NO_LINE,
            why_not=None if last.by == SET else why_not,
        )
    return None


_OUTCOMES: Final = {
    "timeout": "the time for an answer passed (timeout)",
    "dns_error": "the name of the host does not resolve (dns_error)",
    "connection_refused": "the connection was refused (connection_refused)",
    "connection_reset": "the connection was reset (connection_reset)",
    "tls_error": "the certificate of the host is wrong (tls_error)",
    "blocked_address": "the host has an address that is not public, which is not called (blocked_address)",
    "refused": "it was refused (refused)",
}


def _failed(facts: Facts) -> Iterator[tuple[Entry, Sequence[Taken]]]:
    """The events in question, the newest first, with the attempts to one endpoint if none was accepted.

    Of the attempts only those that ended as the last one, at the same receiver.
    """
    asked = in_question(facts)
    if not asked and facts.about is None and facts.expected is None:
        asked = facts.events[-_MOST_EVENTS:]  # a test of the app's own records names none
    for event in reversed(asked):
        entries = attempts_of(facts, event)
        if all(entry["attempt"]["outcome"] == DELIVERED for entry in entries):
            continue
        found = [find_taker(facts, entry) for entry in entries]
        by_endpoint = sorted(found, key=lambda each: str(each.attempt["endpoint"]))
        for _, each in groupby(by_endpoint, key=lambda each: each.attempt["endpoint"]):
            attempts = list(each)
            if not any(attempt.is_accepted for attempt in attempts):
                last = _end(attempts[-1])
                yield event, [attempt for attempt in attempts if _end(attempt) == last]


def _end(attempt: Taken) -> tuple[str, str | None]:
    """Where an attempt ended and how."""
    return attempt.who, attempt.attempt["outcome"]


# What an app took and did nothing with.


class Arrival(NamedTuple):
    """An event that an app accepted, with the attempt."""

    event: Entry
    attempt: Taken

    @property
    def n(self) -> int:
        """The number of the attempt's entry."""
        return int(self.attempt.entry["n"])

    @property
    def type(self) -> str:
        """The type of the event."""
        return str(self.event["event"]["type"])

    @property
    def news(self) -> frozenset[str]:
        """The words by which an app may keep it."""
        return frozenset((self.type, self.type.partition(".")[2]))


def dropped_as_duplicate(facts: Facts) -> Verdict | None:
    """The app accepted the event in question after another about the same, and nothing came of it."""
    for event in reversed(in_question(facts)):
        accepted = _accepted(facts, _related(facts, event))
        last = next((each for each in accepted if each.event is event), None)
        if last is None:
            continue
        before = [each for each in accepted if each.n < last.n and each.event["n"] < event["n"]]
        for first in reversed(before):
            if (proof := _ignored(facts, first, last)) is not None:
                return _dropped(facts, first, last, *proof)
    return None


def _dropped(facts: Facts, first: Arrival, last: Arrival, said: str, marks: Sequence[Mark]) -> Verdict:
    return Verdict(
        kind="dropped_as_duplicate",
        sentence=f"{last.attempt.who} answered {last.attempt.attempt['status']} to {phrase_event(facts, last.event)}"
        f" (entry {last.n}) after {first.type} of {_same(facts, first, last)} (entry {first.n}), another event,"
        f" {said}",
        marks=(mark(first.attempt.entry, "accepted"), mark(last.attempt.entry, "accepted too"), *marks),
        why_not=_BY_ID,
    )


def _ignored(facts: Facts, first: Arrival, last: Arrival) -> tuple[str, Sequence[Mark]] | None:
    """How it shows that an app did nothing with the later of two events about the same: words and marks."""
    same = first.event["event"].get("about") == last.event["event"].get("about")
    if not same and not (_of(facts, first.event) == _of(facts, last.event) is not None and first.type == last.type):
        return None
    answers = [arrival.attempt.answer(facts) for arrival in (first, last)]
    if answers[1] != answers[0] and _SEEN.search(answers[1]) and not _SEEN.search(answers[0]):
        return f"and said of it: {_cut(answers[1])!r}", ()
    calls = [_calls_during(facts, arrival) for arrival in (first, last)]
    if first.type == last.type and calls[0] and not calls[1]:
        return f"and made no call for it, as for the first (entry {calls[0][0]['n']})", (
            mark(calls[0][0], "called then"),
        )
    actual, expected = sides(facts)
    if kept := same and expected & last.news and not actual & last.news and actual & first.news:
        return f"and the test still sees {min(kept)!r}", ()
    return None


def counted_by_subject(facts: Facts) -> Verdict | None:
    """The app accepted as many events as the test expects, and the test sees as many as the orders they are about."""
    numbers = counts(facts)
    if numbers is None or numbers[0] >= numbers[1]:
        return None
    sent = {entry["n"]: entry["event"]["type"] for entry in facts.events if entry["event"]["audience"]}
    for type_, count in Counter(sent.values()).items():
        if not numbers[1] <= count <= _MOST_EVENTS:
            continue
        found = _accepted(facts, [facts.entry(n) for n in sent if sent[n] == type_])
        if len(found) == numbers[1] and len({_of(facts, each.event) for each in found}) == numbers[0]:
            seen = {_of(facts, each.event) for each in found[:-1]}
            again = next(each for each in reversed(found) if _of(facts, each.event) in seen)
            return _counted(facts, found, again, numbers)
    return None


def _counted(facts: Facts, found: Sequence[Arrival], again: Arrival, numbers: tuple[int, int]) -> Verdict:
    first = next(each for each in found if _of(facts, each.event) == _of(facts, again.event))
    orders = "one record" if numbers[0] == 1 else f"{numbers[0]} records"
    return Verdict(
        kind="dropped_as_duplicate",
        sentence=f"{again.attempt.who} answered {again.attempt.attempt['status']} to {phrase_event(facts, again.event)}"
        f" (entry {again.n}) as to {phrase_event(facts, first.event)} (entry {first.n}), another event; all"
        f" {numbers[1]}"
        f" {again.type} that it accepted are about {orders}, and {_seen(numbers)}",
        marks=tuple(mark(each.attempt.entry, "accepted") for each in found),
        why_not=_BY_ID,
    )


def accepted_twice(facts: Facts) -> Verdict | None:
    """The app accepted an event several times, and the test sees a number that is larger by the repetitions."""
    numbers = counts(facts)
    if numbers is None or numbers[0] <= numbers[1]:
        return None
    times = defaultdict[tuple[int, str], list[Entry]](list)
    for entry in facts.of_kind("attempt"):
        if (n := entry["attempt"].get("event")) is not None and entry["attempt"]["outcome"] == DELIVERED:
            times[n, entry["attempt"]["endpoint"]].append(entry)
    several = ([find_taker(facts, entry) for entry in each] for each in times.values() if len(each) > 1)
    repeated = [each for each in several if all(attempt.is_apps for attempt in each)]
    extra, more = sum(len(each) - 1 for each in repeated), numbers[0] - numbers[1]
    is_more = extra == more or any(len(each) * numbers[1] == numbers[0] for each in repeated)
    return _twice(facts, repeated[0], numbers) if repeated and is_more else None


def _twice(facts: Facts, attempts: Sequence[Taken], numbers: tuple[int, int]) -> Verdict:
    event = facts.entry(attempts[0].attempt["event"])
    fault = next((cause for each in attempts for cause in facts.causes(each.entry, "fault")), None)
    return Verdict(
        kind="accepted_twice",
        sentence=f"{attempts[0].who} accepted {phrase_event(facts, event)} {len(attempts)} times"
        f" ({_numbers(attempts)}),"
        f" which is one event with one id, and {_seen(numbers)}",
        marks=(
            *(mark(each.entry, "accepted") for each in attempts),
            *((mark(fault, "had it sent again"),) if fault is not None else ()),
        ),
        why_not="webhooks may come again: the app has to keep the ids of events, and to count each once",
    )


def arrived_out_of_order(facts: Facts) -> Verdict | None:
    """The app accepted the event in question before one about the same that had happened earlier, and kept that."""
    actual, expected = sides(facts)
    for event in in_question(facts) if actual and expected else ():
        accepted = _accepted(facts, facts.index.events[event["event"].get("about", "")])
        first = next((each for each in accepted if each.event is event), None)
        if first is None or not expected & first.news:
            continue
        for last in accepted:
            if last.n > first.n and last.event["n"] < event["n"] and (kept := (actual - expected) & last.news):
                return _out_of_order(facts, first, last, min(kept))
    return None


def _out_of_order(facts: Facts, first: Arrival, last: Arrival, kept: str) -> Verdict:
    return Verdict(
        kind="arrived_out_of_order",
        sentence=f"{phrase_event(facts, first.event)} arrived (entry {first.n}) before {last.type} (entry"
        f" {last.n}), which"
        f" had happened earlier (entry {last.event['n']}), and the test sees {kept!r}, which arrived last",
        marks=(
            mark(last.event, "happened first"),
            mark(first.event, "happened after it"),
            mark(first.attempt.entry, "arrived first"),
            mark(last.attempt.entry, "arrived after it"),
        ),
        why_not="webhooks come in any order: the app has to compare data.occurred_at, and to keep what happened last",
    )


def _related(facts: Facts, event: Entry) -> Sequence[Entry]:
    """The events about the same order or gift, or else about the same record."""
    about = event["event"].get("about", "")
    subject = facts.subject_of(about)
    return [each for key in (subject.keys if subject else (about,)) for each in facts.index.events.get(key, ())]


def _accepted(facts: Facts, events: Iterable[Entry]) -> list[Arrival]:
    """Those of some events that the app accepted, in order of arrival; each at its first accepted attempt."""
    found: list[Arrival] = []
    for event in events:
        accepted = (entry for entry in attempts_of(facts, event) if entry["attempt"]["outcome"] == DELIVERED)
        arrivals = (Arrival(event, attempt) for entry in accepted if (attempt := find_taker(facts, entry)).is_apps)
        found += islice(arrivals, 1)
    return sorted(found, key=lambda each: each.n)


def _calls_during(facts: Facts, arrival: Arrival) -> Sequence[Entry]:
    """The calls of the app while it handled an attempt."""
    return facts.once(_during).get(arrival.n, ())


def _during(facts: Facts) -> Mapping[int, Sequence[Entry]]:
    """The calls of the app while it handled each attempt, by the number of its entry."""
    found = defaultdict[int, list[Entry]](list)
    for entry in facts.calls:
        for cause in entry.get("causes", ()):
            if cause["how"] == "during":
                found[cause["n"]].append(entry)
    return found


def _of(facts: Facts, event: Entry) -> object:
    """The order or gift that an event is about."""
    of = facts.records.get(event["event"].get("about", ""), {}).get("of")
    return (of["kind"], of["id"]) if of else None


def _same(facts: Facts, first: Arrival, last: Arrival) -> str:
    if first.event["event"].get("about") == last.event["event"].get("about"):
        return "the same"
    return phrase_subject(facts, first.event)


# Words.


def _seen(numbers: tuple[int, int]) -> str:
    return f"the test sees {numbers[0]} where it expects {numbers[1]}"


def _tries(attempts: Sequence[Taken]) -> str:
    return f"{len(attempts)} attempts to send " if len(attempts) > 1 else ""


def _numbers(attempts: Sequence[Taken]) -> str:
    numbers = [str(each.entry["n"]) for each in attempts]
    shown = numbers if len(numbers) <= _MOST else [*numbers[: _MOST - 1], "…", numbers[-1]]
    return f"entry {numbers[0]}" if len(numbers) == 1 else f"entries {', '.join(shown)}"


def _marks(attempts: Sequence[Taken], what: str) -> tuple[Mark, ...]:
    setting = attempts[-1].receiver.entry if attempts[-1].by == SET and attempts[-1].receiver else None
    return (
        *((mark(setting, "set what the host answers"),) if setting else ()),
        *(
            mark(each.entry, f"{what}: {each.attempt['status'] or each.attempt['outcome'] or 'under way'}")
            for each in attempts
        ),
    )


def _answered(facts: Facts, attempt: Taken) -> str:
    text = _cut(attempt.answer(facts))
    return f", and said {text!r}" if text else ""


def _cut(text: str) -> str:
    first = text.strip().partition("\n")[0]
    return first if len(first) <= _LONGEST else f"{first[: _LONGEST - 1]}…"


RULES: Final = (
    Rule("refused_by_app", refused_by_app),
    Rule("no_answer_from_app", no_answer_from_app),
    Rule("arrived_out_of_order", arrived_out_of_order),
    Rule("dropped_as_duplicate", dropped_as_duplicate),
    Rule("dropped_as_duplicate", counted_by_subject),
    Rule("accepted_twice", accepted_twice),
)
