"""Why the question asks for something else than there is: another world, account, type or number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from giftsim.workbench.why import mends
from giftsim.workbench.why.about import EVENT
from giftsim.workbench.why.asked import answered_status, asked_calls, error_code, name_call, phrase_entries
from giftsim.workbench.why.facts import SUBJECTS, Entry, Facts, Subject, mark
from giftsim.workbench.why.index import header_of
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import NO_LINE, Mend, Verdict

KEY_HEADERS: Final = ("authorization", "x-api-key")


def strange_credential(facts: Facts) -> Verdict | None:
    """A call had a credential that this world does not know."""
    for entry in reversed(asked_calls(facts, facts.index.calls.refused)):
        if answered_status(entry) != 401 or entry["call"].get("credential") is not None:
            continue
        sent = next((value for each in KEY_HEADERS if (value := header_of(entry, each)) is not None), None)
        if sent is None:
            continue
        return Verdict(
            kind="other_world",
            sentence=(
                f"{name_call(entry)} (entry {entry['n']}) was answered 401 {error_code(entry) or ''}: its"
                f" credential {sent}"
                " is none of this world's"
            ),
            marks=(mark(entry, "had a credential that this world does not know"),),
            why_not="the app chooses its credential; give it one of this world, such as giftsim.headers()",
        )
    return None


def calls_elsewhere(facts: Facts) -> Verdict | None:
    """The test's calls reached another world than the one that it looks at."""
    elsewhere: Sequence[dict[str, Any]] = facts.test.get("elsewhere", ())
    if facts.about is not None or not elsewhere or facts.calls:
        return None
    call, more = elsewhere[-1], len(elsewhere) - 1
    place = f" at {call['source']['file']}:{call['source']['line']}" if "source" in call else ""
    return Verdict(
        kind="other_world",
        sentence=(
            f"{call['method']} {call['path']}{place}{f' and {more} more' if more else ''} did not reach the world"
            f" {facts.data['world']['id']}, which got no call: the credential or the address is of another world"
        ),
        marks=(mark(facts.entry(1), "is the world that the test looks at, and got no call"),),
        why_not="the app has the address or the key of another world; give it those of this one",
    )


def other_owner_subscribed(facts: Facts) -> Verdict | None:
    """The event happened, and an endpoint of another account is subscribed to its type."""
    for event, owner in _unheard(facts):
        type_ = event["event"]["type"]
        for key in facts.keys("endpoint"):
            endpoint, made = facts.final[key], facts.made(key)
            if endpoint["owner"] == owner or type_ not in endpoint["kinds"] or made is None:
                continue
            subject = _subject(facts, event)
            own = None if subject is None else facts.credential_of(subject)
            other = made.get("call", {}).get("credential") or endpoint["key"]
            if own is None or not _is_before(made, event):
                continue
            return Verdict(
                kind="other_account",
                sentence=(
                    f"{type_} happened to {subject} of {own} (entry {event['n']}), and the endpoint"
                    f" {endpoint['url']} was subscribed with {other}, which gets no events of {own}"
                ),
                marks=(mark(made, f"subscribed with {other}"), mark(event, f"happened in the account of {own}")),
                mend=mends.subscribe(type_, own),
            )
    return None


def _unheard(facts: Facts) -> Iterator[tuple[Entry, str]]:
    """The events that the question is about and nobody heard, each with the account that owns it."""
    for event in facts.asked_events:
        row = facts.event_row(event)
        if not event["event"]["audience"] and row is not None:
            yield event, row.owner


def _subject(facts: Facts, event: Entry) -> Subject | None:
    about = event["event"].get("about")
    return facts.subject_of(about)


def _is_before(made: Entry, event: Entry) -> bool:
    return bool(made["n"] < event["n"])


def other_owner_called(facts: Facts) -> Verdict | None:
    """A call named a record that another credential made, and did not see it."""
    for entry in reversed(asked_calls(facts, facts.index.calls.refused)):
        own = entry["call"].get("credential")
        if answered_status(entry) not in (403, 404) or own is None or "fault" in entry["call"]:
            continue
        for subject in facts.named(entry["call"]["request"]["path"].partition("?")[0].split("/")):
            other, made = facts.credential_of(subject), facts.made_subject(subject)
            if other in (None, own) or made is None or not _is_before(made, entry):
                continue
            return Verdict(
                kind="other_account",
                sentence=(
                    f"{name_call(entry)} (entry {entry['n']}) was answered {answered_status(entry)}: {other} made"
                    f" {subject} (entry"
                    f" {made['n']}), and {own}, which called, does not see it"
                ),
                marks=(mark(made, f"was made with {other}"), mark(entry, f"was called with {own}")),
                why_not=f"the app chooses its credential; let it call with {other}",
            )
    return None


def other_type_subscribed(facts: Facts) -> Verdict | None:
    """The event happened, and the account's endpoint is subscribed to a type with a near name."""
    for event, owner in _unheard(facts):
        type_ = event["event"]["type"]
        for key in facts.keys("endpoint"):
            endpoint, made = facts.final[key], facts.made(key)
            near = [each for each in endpoint["kinds"] if _what(each) == _what(type_)]
            if endpoint["owner"] != owner or not near or type_ in near or made is None or not _is_before(made, event):
                continue
            subject = _subject(facts, event)
            return Verdict(
                kind="other_type",
                sentence=(
                    f"{type_} happened (entry {event['n']}), and the endpoint {endpoint['url']} is subscribed to"
                    f" {_listed(near)}, which is another type"
                ),
                marks=(mark(made, "subscribed to another type"), mark(event, "happened, and nobody was subscribed")),
                mend=mends.subscribe(type_, None if subject is None else facts.credential_of(subject)),
            )
    return None


def _what(type_: str) -> str:
    """What a type of event tells, whatever it is about: `shipped` of `order.shipped`."""
    return type_.rpartition(".")[2]


def other_type_happened(facts: Facts) -> Verdict | None:
    """An event with another name for the same happened; there is no record of which the expected one could tell."""
    expected = facts.expected
    if expected is None or expected.kind != EVENT or facts.events_of(None, expected.value):
        return None
    noun = expected.value.rpartition(".")[0]
    if any(noun in (each, "approval", "invoice", "balance") for each in facts.index.refs & SUBJECTS) or not noun:
        return None
    found = [entry for entry in facts.events if _what(entry["event"]["type"]) == _what(expected.value)]
    if not found:
        return None
    type_ = found[-1]["event"]["type"]
    return Verdict(
        kind="other_type",
        sentence=(
            f"no {expected.value} can happen, as this world has no {noun}: what happened is {type_}"
            f" ({phrase_entries(found)})"
        ),
        marks=tuple(mark(entry, f"is {type_}") for entry in found),
        why_not=f"the test's own line names the type; {type_} is that of this record",
    )


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nothing"


_TIMES: Final = re.compile(r"expected (\d+) x ([\w.]+).*, found (\d+)$", re.ASCII)
_NUMBERS: Final = re.compile(r"assert (\d+) == (\d+)$", re.ASCII)


def other_count(facts: Facts) -> Verdict | None:
    """As many webhooks were sent as there are, and the test counts on another number."""
    for type_, found, wanted in _counted(facts):
        sent = [
            entry
            for entry in facts.of_kind("attempt")
            if entry["attempt"]["type"] == type_ and entry["attempt"]["outcome"] == "delivered"
        ]
        if len(sent) != found or found == wanted:
            continue
        why = _why_so_many(facts, sent, wanted)
        if why is None:
            continue
        words, mend = why
        return Verdict(
            kind="other_count",
            sentence=f"{type_} was delivered {found} times ({phrase_entries(sent)}) and not {wanted}: {words}",
            marks=tuple(mark(entry, f"is delivery {n} of {type_}") for n, entry in enumerate(sent, 1)),
            mend=mend,
            why_not=None if mend != NO_LINE else f"the number follows from what was made; count on {found}",
        )
    return None


def _counted(facts: Facts) -> Iterator[tuple[str, int, int]]:
    """What a test counted: the type of a webhook, how many were found and how many expected."""
    message = facts.failure.message
    if match := _TIMES.search(message):
        yield match[2], int(match[3]), int(match[1])
    elif match := _NUMBERS.search(message):
        for type_ in dict.fromkeys(entry["attempt"]["type"] for entry in facts.of_kind("attempt")):
            yield type_, int(match[1]), int(match[2])


def _why_so_many(facts: Facts, sent: Sequence[Entry], wanted: int) -> tuple[str, Mend] | None:
    """Why one thing was delivered several times: to several endpoints, or for several parcels or records."""
    attempts = [entry["attempt"] for entry in sent]
    events = {each["event_id"] for each in attempts}
    endpoints = {each["endpoint"]: each["url"] for each in attempts}
    if len(endpoints) > 1 and len(events) == wanted and len(events) * len(endpoints) == len(sent):
        urls = _listed(list(endpoints.values()))
        return f"{len(endpoints)} endpoints are subscribed to it, {urls}", _unsubscribe(facts, [*endpoints][-1])
    if len(endpoints) == 1 and len(events) == len(sent) > wanted:
        about = {event["event"].get("subject") for event in facts.events if event["event"]["id"] in events}
        if len(about) == len(events):
            return f"each is about another record, {_listed(sorted(map(str, about)))}", NO_LINE
    return None


def _unsubscribe(facts: Facts, key: str) -> Mend:
    made, record = facts.made(key), facts.records.get(key, {})
    if made is None or "credential" not in made.get("call", {}) or "id" not in record:
        return NO_LINE
    path = f"{made['call']['request']['path'].partition('?')[0]}/{record['id']}"
    return mends.client_call("DELETE", path, made["call"]["credential"])


RULES: Final = (
    Rule("other_world", strange_credential),
    Rule("other_world", calls_elsewhere),
    Rule("other_account", other_owner_subscribed),
    Rule("other_account", other_owner_called),
    Rule("other_type", other_type_subscribed),
    Rule("other_type", other_type_happened),
    Rule("other_count", other_count),
)
