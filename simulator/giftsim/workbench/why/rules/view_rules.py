"""Why an app's own records differ: what it took from the answers and webhooks that it got, and what it did not.

These rules hold only where the world has what was expected, and the failed check names what the app believes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from giftsim.workbench.why.asked import (
    READS,
    answer_of,
    answered_status,
    call_succeeded,
    earlier_calls,
    idempotency_key,
    is_about_app,
    is_open,
    name_call,
    phrase_entries,
)
from giftsim.workbench.why.facts import Entry, Facts, Subject, mark
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import Verdict

_WORD: Final = re.compile(r"[a-z_]+", re.ASCII)
_TIMES: Final = re.compile(r"(?:assert |(?:made|placed|found) )([2-9])\b", re.ASCII)
MOST_PAGES = 200  # of lists, the newest ones
APP_ONLY: Final = "no line outside the app helps: it is the app's own record that differs"


def _attempts(facts: Facts, subject: Subject | None = None) -> Sequence[Entry]:
    """The attempts that were accepted, about a subject or all, in order."""
    attempts = facts.of_kind("attempt")
    if subject is not None:
        attempts = [entry for event in facts.events_of(subject) for entry in facts.attempts_of(event)]
    return [each for each in attempts if each["attempt"]["outcome"] == "delivered" and each["attempt"].get("event")]


def _event_of(facts: Facts, attempt: Entry) -> Entry:
    return facts.entry(attempt["attempt"]["event"])


# What the app called.


def sent_twice(facts: Facts) -> Verdict | None:
    """The app sent the same again with another key although the first had been answered, and both acted."""
    if not is_about_app(facts) or not _TIMES.search(facts.failure.message):
        return None
    for again in facts.index.calls.again:
        for first in earlier_calls(facts, again):
            if call_succeeded(first) and call_succeeded(again) and _has_other_key(first, again):
                return Verdict(
                    kind="charged_twice",
                    sentence=(
                        f"the app sent the same {name_call(first)} again (entry {again['n']}) with another"
                        f" idempotency key,"
                        f" although it had been answered {answered_status(first)} (entry {first['n']}): the keys are"
                        f" {idempotency_key(first)!r} and {idempotency_key(again)!r}"
                    ),
                    marks=(mark(first, "acted"), mark(again, "the same with another key, acted too")),
                    why_not="no line outside the app helps: it has to send the same again with the same key",
                )
    return None


def _has_other_key(first: Entry, again: Entry) -> bool:
    keys = idempotency_key(first), idempotency_key(again)
    return None not in keys and keys[0] != keys[1]


def page_moved(facts: Facts) -> Verdict | None:
    """A list got shorter while the app read it page by page, so what moved up was on no page."""
    if not is_about_app(facts) or facts.names_none:
        return None
    pages = [page for entry in facts.index.calls.reads[-MOST_PAGES:] if (page := _page(entry)) is not None]
    for first, second in pairwise(pages):
        is_next = first.query == second.query and second.offset == first.offset + len(first.ids)
        missed = [str(each) for each in facts.subjects if not {str(each.id)} & {*first.ids, *second.ids}]
        if not (is_next and second.total < first.total and missed):
            continue
        return Verdict(
            kind="page_moved",
            sentence=(
                f"{name_call(first.entry)} was read page by page while the list got shorter: it had {first.total}"
                f" at offset"
                f" {first.offset} (entry {first.entry['n']}) and {second.total} at offset {second.offset} (entry"
                f" {second.entry['n']}), so what moved up, such as {missed[0]}, was on neither page"
            ),
            marks=(mark(first.entry, f"had {first.total}"), mark(second.entry, f"had {second.total}")),
            why_not="no line outside the app helps: it has to read the whole list before it changes what is on it",
        )
    return None


class Page(NamedTuple):
    """A page of a list: its query without the offset, and what it showed."""

    entry: Entry
    query: str
    offset: int
    total: int
    ids: frozenset[str]


def _page(entry: Entry) -> Page | None:
    answer = answer_of(entry) if entry["call"]["request"]["method"] in READS and call_succeeded(entry) else None
    if not isinstance(answer, Mapping) or not isinstance(answer.get("total"), int) or "offset" not in answer:
        return None
    lists = (value for value in answer.values() if isinstance(value, list))
    rows = next((rows for rows in lists if all(isinstance(row, Mapping) for row in rows)), [])
    query = re.sub(r"[?&]offset=\d+", "", entry["call"]["request"]["path"])
    return Page(entry, query, answer["offset"], answer["total"], frozenset(str(row.get("id")) for row in rows))


# What the app took from webhooks.


def answered_early(facts: Facts) -> Verdict | None:
    """The app answered a webhook with success and failed afterwards, so that the webhook is not sent again."""
    if not is_about_app(facts) or facts.names_none:
        return None
    for subject in facts.subjects:
        for attempt in _attempts(facts, subject):
            failed = _failed_after(facts, attempt, subject)
            if failed is not None:
                ended = answered_status(failed)
                how = "got no answer" if ended is None else f"was answered {ended}"
                return Verdict(
                    kind="answered_early",
                    sentence=(
                        f"the app answered {attempt['attempt']['type']} of {subject} with"
                        f" {attempt['attempt']['status']}"
                        f" (entry {attempt['attempt']['answered_by']}), and {name_call(failed)}, which it made"
                        f" after that"
                        f" (entry {failed['n']}), {how}: what was answered with success is not sent again"
                    ),
                    marks=(
                        mark(facts.entry(attempt["attempt"]["answered_by"]), "answered with success"),
                        mark(failed, "failed after the answer"),
                    ),
                    why_not="no line outside the app helps: it has to do its work before it answers",
                )
    return None


def _failed_after(facts: Facts, attempt: Entry, subject: Subject) -> Entry | None:
    """The next call after the app's answer, if it was about the subject and failed, and no attempt came between."""
    answered = attempt["attempt"].get("answered_by")
    if answered is None or len(facts.attempts_of(_event_of(facts, attempt))) > 1:
        return None
    later = (entry for entry in facts.entries[answered:] if entry["kind"] in ("call", "attempt"))
    call = next(later, None)
    if call is None or call["kind"] != "call" or str(subject.id) not in call["call"]["request"]["path"].split("/"):
        return None
    return call if (answered_status(call) or 500) >= 500 else None


def overtaken(facts: Facts) -> Verdict | None:
    """The app accepted an event after a later one of the same record or change."""
    if not is_about_app(facts):
        return None
    accepted, newest = _attempts(facts), dict[tuple[str, object], Entry]()
    for late in accepted:
        event = _event_of(facts, late)
        made = event.get("causes", ({"n": event["n"]},))[0]["n"]
        for group in (("about", event["event"].get("about", event["n"])), ("made", made)):
            early = newest.get(group)
            if early is not None and _event_of(facts, early)["n"] > event["n"]:
                return _overtaken_verdict(facts, late, early)
            newest[group] = late
    return None


def _overtaken_verdict(facts: Facts, late: Entry, early: Entry) -> Verdict:
    event, other = _event_of(facts, late), _event_of(facts, early)
    return Verdict(
        kind="arrived_out_of_order",
        sentence=(
            f"{late['attempt']['type']} ({event['event']['subject']}) happened before {early['attempt']['type']}"
            f" (entries"
            f" {event['n']} and {other['n']}) and arrived after it (entries {late['n']} and {early['n']}): the event"
            f" that"
            " arrives last is not the latest"
        ),
        marks=(
            mark(event, "happened first"),
            mark(other, "happened then"),
            mark(early, "arrived first"),
            mark(late, "arrived then"),
        ),
        why_not=APP_ONLY,
    )


def came_twice(facts: Facts) -> Verdict | None:
    """A fault sent an event twice, and the app accepted both; the check compares no numbers."""
    if not is_about_app(facts) or facts.failure.count is not None:
        return None
    first = dict[tuple[str, str, int], Entry]()
    for entry in _attempts(facts):
        attempt = entry["attempt"]
        former = first.setdefault((attempt["event_id"], attempt["endpoint"], attempt["number"]), entry)
        faults = facts.causes(entry, "fault")
        if former is entry or not faults or "answered_by" not in attempt:
            continue
        return Verdict(
            kind="accepted_twice",
            sentence=(
                f"{attempt['type']} ({_event_of(facts, entry)['event']['subject']}) was sent twice because of a fault,"
                f" and the app answered both with success ({phrase_entries([former, entry])}): it is one event with"
                f" one id"
            ),
            marks=(mark(faults[0], "had it sent twice"), mark(former, "accepted"), mark(entry, "accepted again")),
            why_not="webhooks may come again: the app has to keep the ids of events, and to count each once",
        )
    return None


def outdated(facts: Facts) -> Verdict | None:
    """The app accepted an event after its record had changed again, and its record is what that event tells."""
    if not is_about_app(facts) or facts.names_none:
        return None
    words = frozenset(_WORD.findall(facts.failure.message))
    for subject in facts.subjects:
        for attempt in _attempts(facts, subject):
            type_, event = attempt["attempt"]["type"], _event_of(facts, attempt)
            now = _status(facts, event)
            change = None if now is None else facts.became(event["event"]["about"], "status", now)
            told = type_.rpartition(".")[2]
            if now is None or change is None or told == now or not {told, now} <= words:
                continue
            if event["n"] < change["n"] < attempt["n"]:
                return Verdict(
                    kind="arrived_out_of_order",
                    sentence=(
                        f"{type_} of {subject} happened (entry {event['n']}) before it became {now} (entry"
                        f" {change['n']}), and the app accepted it after that (entry {attempt['n']}): it tells what was"
                    ),
                    marks=(
                        mark(event, "happened"),
                        mark(change, f"made it {now}"),
                        mark(attempt, "told of it after that"),
                    ),
                    why_not=APP_ONLY,
                )
    return None


def _status(facts: Facts, event: Entry) -> str | None:
    """The status of the record of an event at the end."""
    found = facts.final.get(event["event"].get("about", ""), {}).get("status")
    return found if isinstance(found, str) else None


def not_read_again(facts: Facts) -> Verdict | None:
    """The app accepted an event and read nothing for it; what it believes is what it had read before."""
    if not is_about_app(facts) or facts.names_none:
        return None
    words = frozenset(_WORD.findall(facts.failure.message))
    causes = (cause for entry in facts.index.calls.reads for cause in entry.get("causes", ()))
    during = {cause["n"] for cause in causes if cause["how"] == "during"}
    for subject in facts.subjects:
        for attempt in _attempts(facts, subject):
            now, read = _status(facts, _event_of(facts, attempt)), _last_read(facts, subject, attempt)
            if attempt["n"] in during or now is None or read is None or now not in words:
                continue
            said = read["call"]["response"]["body"]
            believed = [word for word in words if word != now and f'"status":"{word}"' in said]
            if (
                attempt["attempt"]["type"].endswith(f".{now}")
                and len(believed) == 1
                and f'"status":"{now}"' not in said
            ):
                return Verdict(
                    kind="not_read_again",
                    sentence=(
                        f"the app accepted {attempt['attempt']['type']} of {subject} (entry {attempt['n']}) and read"
                        f" nothing while it handled it: {name_call(read)} (entry {read['n']}), its last read"
                        f" before, said"
                        f" {believed[0]}"
                    ),
                    marks=(mark(read, f"said {believed[0]}"), mark(attempt, f"told that it is {now}")),
                    why_not="no line outside the app helps: it has to read the order again, or believe the event",
                )
    return None


def _last_read(facts: Facts, subject: Subject, attempt: Entry) -> Entry | None:
    for entry in reversed(facts.index.calls.reads):
        named = entry["call"]["request"]["path"].partition("?")[0].split("/")
        if entry["n"] < attempt["n"] and str(subject.id) in named and call_succeeded(entry):
            return entry
    return None


def other_secret(facts: Facts) -> Verdict | None:
    """Two endpoints have one address, and the app refuses what is signed with the secret of one of them."""
    if facts.about is not None or is_open(facts):
        return None
    found: dict[str, list[Entry]] = {}
    for entry in facts.of_kind("attempt"):
        if entry["attempt"]["outcome"] in ("delivered", "http_status") and entry["attempt"].get("event"):
            found.setdefault(entry["attempt"]["event_id"], []).append(entry)
    for attempts in reversed(found.values()):
        refused = [each for each in attempts if each["attempt"]["outcome"] != "delivered"]
        accepted = [each for each in attempts if each["attempt"]["outcome"] == "delivered"]
        if refused and accepted and (made := _secrets(facts, refused, accepted)) is not None:
            first, second = made
            return Verdict(
                kind="refused_by_app",
                sentence=(
                    f"{refused[0]['attempt']['type']} went to two endpoints of one address, and the app answered"
                    f" {refused[-1]['attempt']['status']} to what was signed with the secret of the first, made by"
                    f" entry"
                    f" {first['n']} ({phrase_entries(refused)}), and accepted only what was signed with that of the"
                    f" second,"
                    f" made"
                    f" by entry {second['n']} ({phrase_entries(accepted)})"
                ),
                marks=(
                    mark(first, "made the first secret"),
                    mark(second, "made the second secret"),
                    *(mark(each, "was refused") for each in refused[:3]),
                    mark(accepted[0], "was accepted"),
                ),
                why_not="no line outside the app helps: it has to accept the secret of each endpoint that it has",
            )
    return None


def _secrets(facts: Facts, refused: Sequence[Entry], accepted: Sequence[Entry]) -> tuple[Entry, Entry] | None:
    """What made the two endpoints, if all that was refused went to one and all that was accepted to the other."""
    ends = [{each["attempt"]["endpoint"] for each in some} for some in (refused, accepted)]
    urls = {each["attempt"]["url"] for each in (*refused, *accepted)}
    faults = any("fault" in each["attempt"] for each in refused)
    if [len(each) for each in ends] != [1, 1] or ends[0] == ends[1] or len(urls) != 1 or faults:
        return None
    first, second = (facts.made(next(iter(each))) for each in ends)
    return (first, second) if first is not None and second is not None and first["n"] < second["n"] else None


RULES: Final = (
    Rule("page_moved", page_moved),
    Rule("answered_early", answered_early),
    Rule("charged_twice", sent_twice),
    Rule("refused_by_app", other_secret),
    Rule("accepted_twice", came_twice),
    Rule("arrived_out_of_order", overtaken),
    Rule("arrived_out_of_order", outdated),
    Rule("not_read_again", not_read_again),
)
