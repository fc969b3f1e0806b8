"""Why a webhook that was sent changed nothing in the app: it was refused, not answered, ignored, or came too early."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from giftsim.engine.webhooks.outgoing import DELIVERED, HTTP_STATUS
from giftsim.workbench.why import mends
from giftsim.workbench.why.facts import Entry, Facts, mark
from giftsim.workbench.why.in_common import in_common
from giftsim.workbench.why.in_question import attempts_of, in_question, sides
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.rules.webhook_rules import label
from giftsim.workbench.why.verdict import Mark, Verdict
from giftsim.workbench.why.webhook_history import SERVER, SET, Taken, taken

_LONGEST: Final = 80  # characters of what an app answered
_SEEN: Final = re.compile(r"\b(?:duplicate|seen|already|ignored?|known|skip(?:ped)?|exists)\b", re.IGNORECASE)


def refused_by_app(facts: Facts) -> Verdict | None:
    """No attempt to send the event to an endpoint was accepted, and the last one was answered with another status."""
    for event, attempts in _failed(facts):
        last = attempts[-1]
        if last.attempt["outcome"] != HTTP_STATUS:
            continue
        bodies = in_common(facts, last) if last.is_apps else None
        answered = _answered(facts, last)
        return Verdict(
            kind="refused_by_app",
            sentence=f"{last.who} answered {_statuses(attempts)} to {_named(event)} ({_numbers(attempts)})"
            f"{answered}{bodies.text if bodies else ''}",
            marks=(*_marks(attempts, "refused"), *(bodies.marks if bodies else ())),
            mend=mends.receiver(last.host) if last.by == SET else None,
            why_not=None
            if last.by == SET
            else "the app decides what it answers: change the app so that it accepts this body",
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
            f"start what answers at {last.who.rpartition(' ')[2]}, or name its address in the receiver of {last.host}"
        )
        return Verdict(
            kind="no_answer_from_app",
            sentence=f"{last.who} gave no answer to {_named(event)} in {_times(attempts)}"
            f" ({_numbers(attempts)}): {ended}",
            marks=_marks(attempts, "not answered"),
            mend=mends.receiver(last.host) if last.by == SET else None,
            why_not=None if last.by == SET else why_not if last.by == SERVER else "only what was asked can answer",
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
    """The events in question, the newest first, with their attempts to one endpoint, none of which was accepted."""
    asked = in_question(facts)
    if not asked and facts.about is None and facts.expected is None:
        asked = facts.events  # a test of the app's own records names none
    for event in reversed(asked):
        found = [taken(facts, entry) for entry in attempts_of(facts, event)]
        by_endpoint = sorted(found, key=lambda each: str(each.attempt["endpoint"]))
        for _, each in groupby(by_endpoint, key=lambda each: each.attempt["endpoint"]):
            attempts = list(each)
            if not any(attempt.is_accepted for attempt in attempts):
                yield event, attempts


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
    accepted = _accepted(facts)
    numbers = {event["n"] for event in in_question(facts)}
    for at in range(len(accepted) - 1, 0, -1):
        last = accepted[at]
        if last.event["n"] not in numbers:
            continue
        for first in reversed(accepted[:at]):
            proof = _ignored(facts, first, last) if first.event["n"] < last.event["n"] else None
            if proof is not None:
                return _dropped(first, last, *proof)
    return None


def _dropped(first: Arrival, last: Arrival, said: str, marks: Sequence[Mark]) -> Verdict:
    return Verdict(
        kind="dropped_as_duplicate",
        sentence=f"{last.attempt.who} answered {last.attempt.attempt['status']} to {_named(last.event)}"
        f" (entry {last.n}) after {first.type} of {_same(first, last)} (entry {first.n}), another event, {said}",
        marks=(mark(first.attempt.entry, "accepted"), mark(last.attempt.entry, "accepted, without effect"), *marks),
        why_not="the app has to tell events apart by their id, and not by what they are about",
    )


def _ignored(facts: Facts, first: Arrival, last: Arrival) -> tuple[str, Sequence[Mark]] | None:
    """How it shows that an app did nothing with the later of two events about the same, in words, with its marks."""
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


def arrived_out_of_order(facts: Facts) -> Verdict | None:
    """The app accepted the event in question before one about the same that had happened earlier, and kept that."""
    accepted, (actual, expected) = _accepted(facts), sides(facts)
    numbers = {event["n"] for event in in_question(facts)}
    for at, first in enumerate(accepted):
        if first.event["n"] not in numbers or not expected & first.news:
            continue
        for last in accepted[at + 1 :]:
            same = last.event["event"].get("about") == first.event["event"].get("about")
            if same and last.event["n"] < first.event["n"] and (kept := (actual - expected) & last.news):
                return _out_of_order(first, last, min(kept))
    return None


def _out_of_order(first: Arrival, last: Arrival, kept: str) -> Verdict:
    return Verdict(
        kind="arrived_out_of_order",
        sentence=f"{_named(first.event)} arrived (entry {first.n}) before {last.type} (entry {last.n}), which had"
        f" happened earlier (entry {last.event['n']}), and the test sees {kept!r}, which arrived last",
        marks=(
            mark(last.event, "happened first"),
            mark(first.event, "happened after it"),
            mark(first.attempt.entry, "arrived first"),
            mark(last.attempt.entry, "arrived after it"),
        ),
        why_not="webhooks come in any order: the app has to compare data.occurred_at, and to keep what happened last",
    )


def _accepted(facts: Facts) -> list[Arrival]:
    """The events that the app accepted, in order of arrival; each at its first accepted attempt."""
    found: dict[int, Arrival] = {}
    for entry in facts.of_kind("attempt"):
        n = entry["attempt"].get("event")
        if n is not None and n not in found and entry["attempt"]["outcome"] == DELIVERED:
            attempt = taken(facts, entry)
            if attempt.is_apps:
                found[n] = Arrival(facts.entry(n), attempt)
    return list(found.values())


def _calls_during(facts: Facts, arrival: Arrival) -> Sequence[Entry]:
    """The calls of the app while it handled an attempt."""
    n = arrival.attempt.entry["n"]
    return [
        entry for entry in facts.calls if any(cause == {"n": n, "how": "during"} for cause in entry.get("causes", ()))
    ]


def _of(facts: Facts, event: Entry) -> object:
    """The order or gift that an event is about."""
    of = facts.records.get(event["event"].get("about", ""), {}).get("of")
    return (of["kind"], of["id"]) if of else None


def _same(first: Arrival, last: Arrival) -> str:
    if first.event["event"].get("about") == last.event["event"].get("about"):
        return "the same"
    return label(first.event)


# Words.


def _named(event: Entry) -> str:
    return f"{event['event']['type']} of {label(event)}"


def _statuses(attempts: Sequence[Taken]) -> str:
    found = dict.fromkeys(str(each.attempt["status"]) for each in attempts if each.attempt["status"] is not None)
    return f"{', '.join(found)}{f' {len(attempts)} times' if len(attempts) > 1 else ''}"


def _times(attempts: Sequence[Taken]) -> str:
    return "1 attempt" if len(attempts) == 1 else f"{len(attempts)} attempts"


def _numbers(attempts: Sequence[Taken]) -> str:
    numbers = [str(each.entry["n"]) for each in attempts]
    return f"entry {numbers[0]}" if len(numbers) == 1 else f"entries {', '.join(numbers)}"


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
)
