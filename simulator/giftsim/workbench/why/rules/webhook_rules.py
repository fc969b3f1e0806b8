"""Why a webhook was not sent, or did not reach the app: who was subscribed, when it is sent, and who took it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.instants import format_exact, format_wait, parse_instant
from giftsim.engine.webhooks.delivery import DROPPED
from giftsim.engine.webhooks.endpoint import DISABLED, ENABLED
from giftsim.engine.webhooks.endpoint import ENDPOINT as ENDPOINTS
from giftsim.engine.webhooks.event import Event
from giftsim.engine.webhooks.fan_out import HOURLY_RUN_TIMER, deliveries_of, next_run
from giftsim.engine.webhooks.outgoing import DELIVERED, is_key_missing
from giftsim.engine.webhooks.receiver import CAPTURE
from giftsim.workbench.why import mends
from giftsim.workbench.why.facts import Entry, Facts, mark
from giftsim.workbench.why.in_question import attempts_of, expects_sent, failed_line, found_none, in_question
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import NO_LINE, Mark, Mend, Verdict
from giftsim.workbench.why.webhook_history import ENDPOINT, GIFTSIM, Standing, Taken, find_taker, standing

_NO_SUBSCRIPTIONS: Final = "no call of this service subscribes: its world begins with all endpoints"


def not_subscribed(facts: Facts) -> Verdict | None:
    """No endpoint of the event's owner was subscribed to its type when it happened, nor later."""
    event = _unheard(facts)
    if event is None or _made_later(facts, event) is not None:
        return None
    owner, type_ = owner_of(facts, event), event["event"]["type"]
    others, marks = _others(facts, event)
    mend = _subscribe(facts, event)
    return Verdict(
        kind="not_subscribed",
        sentence=f"no endpoint of {owner_label(facts, owner)} was subscribed to {type_} when it happened to"
        f" {phrase_subject(facts, event)} at {event['at']} (entry {event['n']}){others}",
        marks=(mark(event, "happened, and nobody was subscribed"), *marks),
        mend=mend or NO_LINE,
        why_not=None if mend else _NO_SUBSCRIPTIONS,
    )


def subscribed_late(facts: Facts) -> Verdict | None:
    """The first endpoint of the event's owner that takes its type was made after it happened."""
    event = _unheard(facts)
    made = _made_later(facts, event) if event is not None else None
    if event is None or made is None:
        return None
    mend = _subscribe(facts, event)
    return Verdict(
        kind="subscribed_late",
        sentence=f"{happened(facts, event)}, and the endpoint for it"
        f" was made after that, at {made['at']} (entry {made['n']}): an event goes to those subscribed when it happens",
        marks=(mark(event, "happened, and nobody was subscribed"), mark(made, "subscribed to it, too late")),
        mend=mend or NO_LINE,
        why_not=None if mend else _NO_SUBSCRIPTIONS,
    )


def disabled_early(facts: Facts) -> Verdict | None:
    """Every endpoint that was subscribed when the event happened was disabled before one accepted it."""
    for event in reversed(in_question(facts)):
        row = facts.event_row(event) if event["event"]["audience"] and owner_of(facts, event) else None
        if row is None or any(each.status != DROPPED for each in deliveries_of(facts.state, row)):
            continue
        disabled = [facts.became(f"{ENDPOINT}/{n}", "status", DISABLED) for n in row.audience]
        ends = [entry for entry in disabled if entry is not None and entry["n"] > event["n"]]
        attempts = attempts_of(facts, event)
        if len(ends) == len(row.audience) and all(each["attempt"]["outcome"] != DELIVERED for each in attempts):
            return _disabled_verdict(facts, event, row, ends, attempts)
    return None


def _disabled_verdict(
    facts: Facts, event: Entry, row: Event, ends: Sequence[Entry], attempts: Sequence[Entry]
) -> Verdict:
    count = len(attempts)
    when = "before it was sent" if not count else f"after {count} attempt{'s' if count > 1 else ''}"
    ids, is_one = " and ".join(str(n + 1) for n in row.audience), len(row.audience) == 1
    were, them = ("was", "it") if is_one else ("were", "they")
    return Verdict(
        kind="not_subscribed",
        sentence=f"{happened(facts, event)}, and endpoint{'' if is_one else 's'} {ids} {were} subscribed to it, but"
        f" {them} {were} disabled {when} (entry {ends[-1]['n']})",
        marks=(mark(event, "happened"), *(mark(entry, "disabled the endpoint") for entry in ends)),
        mend=NO_LINE if attempts else mends.advance(format_wait(_run_after(facts, row) - row.occurred_ms)),
        why_not="an endpoint that is disabled gets no more attempts: leave it enabled" if attempts else None,
    )


def _run_after(facts: Facts, row: Event) -> int:
    """The instant of the hourly run after an event."""
    return next_run(facts.state, row.occurred_ms, inclusive=False)


def not_sourced(facts: Facts) -> Verdict | None:
    """The event happened, and the hourly run that sends it is still to come."""
    for event in reversed(in_question(facts)):
        row = facts.event_row(event)
        if row is None or row.created_ms is not None or owner_of(facts, event) is None:
            continue
        run = next((timer for timer in facts.due() if timer["kind"] == HOURLY_RUN_TIMER), None)
        if (
            run is None
            or is_key_missing(facts.state)
            or not any(facts.state[ENDPOINTS].get(n).status == ENABLED for n in row.audience)
        ):
            continue
        by = format_wait(parse_instant(run["due"]) - facts.state.now_ms)
        return Verdict(
            kind="not_sourced",
            sentence=f"{happened(facts, event)}"
            f" and waits for the hourly run at {run['due']}; the clock is at {facts.now}",
            marks=(
                mark(event, "happened"),
                mark(facts.entry(run["by"]), f"since then, the hourly run is due at {run['due']}"),
            ),
            mend=mends.advance(by),
        )
    return None


def captured(facts: Facts) -> Verdict | None:
    """Nobody but giftsim took any attempt to send the event."""
    if expects_sent(facts):
        return None
    for event in reversed(in_question(facts)):
        attempts = [find_taker(facts, entry) for entry in attempts_of(facts, event)]
        if attempts and all(map(_captures, attempts)):
            return _captured_verdict(attempts, phrase_event(facts, event))
    return _all_captured(facts)


def _all_captured(facts: Facts) -> Verdict | None:
    """The test found nothing in the app, and giftsim took every webhook."""
    line = failed_line(facts)
    if not found_none(facts) or not line or "giftsim" in line or in_question(facts):
        return None
    attempts = [find_taker(facts, entry) for entry in facts.of_kind("attempt")]
    if not attempts or not all(map(_captures, attempts)):
        return None
    return _captured_verdict(
        attempts, "the only webhook" if len(attempts) == 1 else f"each of {len(attempts)} webhooks"
    )


def _captured_verdict(attempts: Sequence[Taken], what: str) -> Verdict:
    first = attempts[0]
    host, receiver = first.host, first.receiver
    why = f"no receiver is set for {host}" if receiver is None else f"the receiver of {host} captures webhooks"
    return Verdict(
        kind="captured",
        sentence=f"giftsim answered {what} itself (entry {first.entry['n']}): {why}, and no answer of an app is known",
        marks=(
            mark(first.entry, f"giftsim answered {first.attempt['status']} itself"),
            *((mark(receiver.entry, "set the host to capture"),) if receiver and receiver.entry else ()),
        ),
        mend=mends.deliver(host),
    )


def _captures(attempt: Taken) -> bool:
    """Whether giftsim answered an attempt itself, as it does where nothing else is set."""
    return attempt.by == GIFTSIM and (attempt.receiver is None or attempt.receiver.members["mode"] == CAPTURE)


# Subscriptions.


def _unheard(facts: Facts) -> Entry | None:
    """The first event in question without an audience whose owner had no endpoint for it, as the trace proves."""
    for event in in_question(facts):
        if event["event"]["audience"] or owner_of(facts, event) is None:
            continue
        if not any(_takes(each, event) for each in _endpoints(facts, event).values()):
            return event
    return None


def owner_of(facts: Facts, event: Entry) -> str | None:
    """The owner of an event, such as `account 0`; None if the state has another event in its place."""
    row = facts.event_row(event)
    if row is None or row.kind != event["event"]["type"] or format_exact(row.occurred_ms) != event["at"]:
        return None
    return row.owner


def _endpoints(facts: Facts, event: Entry) -> Mapping[str, Standing]:
    """The endpoints of an event's owner just before it happened."""
    owner = owner_of(facts, event)
    return {key: each for key, each in standing(facts, ENDPOINT, event["n"]).items() if each.members["owner"] == owner}


def _takes(endpoint: Standing, event: Entry) -> bool:
    return event["event"]["type"] in endpoint.members["kinds"] and endpoint.members["status"] == ENABLED


def _made_later(facts: Facts, event: Entry) -> Entry | None:
    """The entry that made the first endpoint of an event's owner for its type after it had happened."""
    owner = owner_of(facts, event)
    for key in facts.index.keys[ENDPOINT]:
        made = facts.made(key)
        if made is not None and made["n"] > event["n"]:
            members = next(each["members"] for each in made["changes"] if each["record"] == key)
            if members["owner"] == owner and event["event"]["type"] in members["kinds"]:
                return made
    return None


def _others(facts: Facts, event: Entry) -> tuple[str, Sequence[Mark]]:
    """What the owner had in place of a subscription: nothing, a disabled one, or others; with its marks."""
    endpoints = _endpoints(facts, event)
    for key, each in endpoints.items():
        if event["event"]["type"] in each.members["kinds"]:
            name, entry = f"endpoint {facts.records[key]['id']}", each.entry
            where = f" (entry {entry['n']})" if entry else ""
            return f"; {name}, which takes it, was disabled before{where}", (
                mark(entry, "disabled it"),
            ) if entry else ()
    if len(facts.keys(ENDPOINT)) < len(facts.state[ENDPOINTS]):
        return "", ()  # a trace shows the first hundreds only
    active = {key: each for key, each in endpoints.items() if each.members["status"] == ENABLED}
    if not active:
        return f"; it had no{' active one' if endpoints else 'ne'}", ()
    kinds = ", ".join(dict.fromkeys(kind for each in active.values() for kind in each.members["kinds"]))
    marks = tuple(mark(made, "subscribed to other types") for key in active if (made := facts.made(key)) is not None)
    where = f", entry {marks[0].entry}" if len(marks) == 1 else ""
    return (f"; the only one{where}, takes {kinds}" if len(active) == 1 else f"; its {len(active)} take {kinds}"), marks


def _subscribe(facts: Facts, event: Entry) -> Mend | None:
    """The mend that subscribes to an event; None if no interface of the owner takes subscriptions."""
    if not service_of(facts.state).interfaces.keys() & mends.SUBSCRIBING:
        return None
    subject = facts.subject_of(event["event"].get("about"))
    return mends.subscribe(event["event"]["type"], subject and facts.credential_of(subject))


def owner_label(facts: Facts, owner: str | None) -> str:
    """An owner as people name it, such as `account prepaid`."""
    kind, _, n = (owner or "").partition(" ")
    record = facts.records.get(f"{kind}/{n}", {})
    return f"{kind} {record['label']}" if "label" in record else f"the {kind}" if n else f"key {owner}"


def phrase_event(facts: Facts, event: Entry) -> str:
    """An event as a sentence names it: `team_order.shipped of order 1001`."""
    return f"{event['event']['type']} of {phrase_subject(facts, event)}"


def happened(facts: Facts, event: Entry) -> str:
    """An event with the instant at which it happened, and its entry."""
    return f"{phrase_event(facts, event)} happened at {event['at']} (entry {event['n']})"


def phrase_subject(facts: Facts, event: Entry) -> str:
    """What an event is about, as people name it: `order 1001`, `recipient 200002 of order 1001`."""
    subject: str = event["event"]["subject"].replace("team_order ", "order ", 1)
    whole, _, recipient = subject.partition(" recipient ")
    of = facts.records.get(event["event"].get("about", ""), {}).get("of")
    keys = facts.index.of_ref[of["kind"], of["id"]] if of else ()
    count = sum(1 for key in keys if key.startswith("recipient/"))
    return f"recipient {recipient} of {whole}" if recipient and count > 1 else whole


RULES: Final = (
    Rule("not_subscribed", not_subscribed),
    Rule("not_subscribed", disabled_early),
    Rule("subscribed_late", subscribed_late),
    Rule("not_sourced", not_sourced),
    Rule("captured", captured),
)
