"""Tools that explain: why something did not happen, what a call did, and why a webhook came, failed or did not come."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from giftsim.engine.client.control import quote_segment
from giftsim.workbench.assistant.result_text import (
    Lines,
    attempt_line,
    call_line,
    change_lines,
    cut_value,
    titled_block,
)
from giftsim.workbench.assistant.running_simulator import Row, RunningSimulator, Unusable

KEY = "idempotency_key"
KEY_HEADER = "idempotency-key"
MOST_COMPARED = 50  # calls of the same operation
HOW: Mapping[str, str] = {
    "fault": "changed by",
    "made": "made by",
    "mail": "through the link of",
    "event": "sends",
    "timer": "set by",
}


class Explaining:
    """The tools. They read the trace of the world, for which the simulator applies what happened once more."""

    def __init__(self, running: RunningSimulator) -> None:
        self._running = running

    def why(self, kind: str, id: int | str, expected: str = "", world: str = "") -> Lines:  # noqa: A002
        """Say why something did not happen, in one sentence that is proven, with the line of code that would change it.
        `kind` is order, gift, campaign, event, approval or call; `expected` an event type such as team_order.shipped,
        a status such as delivered, or an HTTP status. Ask this first.
        """
        query = {"about": f"{kind}:{id}", "expected": expected or None}
        verdicts = self._running.world(world).send("GET", "/why", query=query)["verdicts"]
        return [line for verdict in verdicts for line in _verdict(verdict)]

    def explain_call(self, call: int, world: str = "") -> Lines:
        """Explain a call by its number: request, response, the fault that changed it, what it changed, what followed,
        and calls that look like a repetition of it. Use it when something happened twice, or not at all.
        """
        found = self._running.record(world, "calls", call)
        story = Story(self._running.world(world).send("GET", "/trace", query={"format": "json"}))
        entry = story.find("call", call)
        parts = [call_line(found), f"request body: {cut_value(found['request']['body'] or 'none')}"]
        if found["response"] is not None:
            parts.append(f"response body: {cut_value(found['response']['body'] or 'none')}")
        if found["note"]:
            parts.append(f"note: {found['note']}")
        if entry is not None:
            parts += story.about(entry)
        return [*parts, *self._repetitions(found, story, world)]

    def explain_webhook(self, attempt: int = 0, event_id: str = "", world: str = "") -> Lines:
        """Explain an attempt by its number, or an event by its id: what caused it, what was sent to which endpoints,
        how each attempt ended, what comes next, and whether the signature is right.
        """
        if not attempt and not event_id:
            raise Unusable("name an attempt by its number or an event by its id; `webhooks` lists the attempts")
        running, parts = self._running, Lines()
        if attempt:
            sent = running.record(world, "deliveries", attempt)
            event_id = sent["event_id"]
            parts += _about_attempt(sent)
        event = running.record(world, "events", quote_segment(event_id))
        story = Story(running.world(world).send("GET", "/trace", query={"format": "json"}))
        entry = story.find("event", event_id)
        parts.append(f"event {event['id']} {event['type']} about {event['subject']}, {event['status']}")
        if entry is not None:
            parts += story.causes(entry)
        return [*parts, *(line for row in event["deliveries"] for line in _endpoint(event, row)), *_why_not_sent(event)]

    def _repetitions(self, call: Row, story: Story, world: str) -> Iterator[str]:
        """Lines about other calls with the same content: the app's retries, with the same key or with another one."""
        if call["operation"] is None or call["request"]["method"] == "GET":
            return
        others = self._running.newest(world, "calls", MOST_COMPARED, operation=call["operation"])
        content, key = _content(call), _key(call)
        for other in sorted(others, key=lambda row: int(row["seq"])):
            if other["seq"] != call["seq"] and _content(other) == content:
                both = story.added(call["seq"]) and story.added(other["seq"])
                yield _compared(call, key, other, _key(other), both=both)


class Story:
    """The entries of a trace, and how they hang together."""

    def __init__(self, trace: Row) -> None:
        self._entries: Sequence[Row] = trace["entries"]
        self._records: Mapping[str, Row] = trace["records"]

    def find(self, kind: str, number: object) -> Row | None:
        """The entry of a call by its number, or of an event by its id."""
        member = "seq" if kind == "call" else "id"
        return next((each for each in self._entries if each.get(kind, {}).get(member) == number), None)

    def added(self, call: int) -> bool:
        """Whether a call added records."""
        entry = self.find("call", call) or {}
        return any(each["what"] == "added" for each in entry.get("changes", ()))

    def about(self, entry: Row) -> Lines:
        """What an entry changed, and what followed from it."""
        effects = [each for each in self._entries if any(c["n"] == entry["n"] for c in each.get("causes", ()))]
        timers = [f"{each['due']}  {each['because']}" for each in entry.get("set", ())]
        return [
            *self.causes(entry),
            *titled_block("it changed", change_lines(entry.get("changes", ()), self._name)),
            *titled_block("it set timers", timers),
            *titled_block("what followed", (f"{each['at']}  {each['kind']}: {each['title']}" for each in effects)),
        ]

    def causes(self, entry: Row) -> Lines:
        """The cause of an entry."""
        by_n = {each["n"]: each for each in self._entries}
        return [f"{HOW.get(each['how'], each['how'])} {_title(by_n[each['n']])}" for each in entry.get("causes", ())]

    def _name(self, record: str) -> str:
        known = self._records.get(record, {})
        return f"{known['kind']} {known['id']}" if "id" in known else record


def _verdict(verdict: Row) -> Iterator[str]:
    yield f"{verdict['kind']}: {verdict['sentence']}"
    yield from (f"  entry {mark['entry']} of the trace: {mark['what']}" for mark in verdict["marks"])
    for place, text in verdict["mend"].items():
        if text is not None:
            yield from (f"  in {place}: {line}" for line in text.splitlines())
    if verdict["why_not"] is not None:
        yield f"  no line changes it: {verdict['why_not']}"


def _title(entry: Row) -> str:
    number = f"call {entry['call']['seq']} " if "call" in entry else ""
    body = f" {cut_value(entry['control'].get('body') or '', 200)}" if "control" in entry else ""
    return f"{number}{entry['title']} at {entry['at']}{body}"


def _about_attempt(sent: Row) -> Lines:
    signature = sent["signature"] or {}
    right = "accepted" if signature.get("accepted") else "not accepted by a receiver that verifies it"
    answer = [f"the receiver answered: {cut_value(sent['answer'])}"] if sent["answer"] else []
    return [attempt_line(sent), f"body: {cut_value(sent['request']['body'])}", f"signature: {right}", *answer]


def _endpoint(event: Row, row: Row) -> Lines:
    told = {"type": event["type"], "event_id": event["id"], "url": row["url"]}
    attempts = (attempt_line({**told, **each}) for each in row["attempts"])
    planned = (f"planned {each['at'] or 'later'}: {each['because']}" for each in row["planned"])
    return titled_block(f"delivery to endpoint {row['endpoint']}, {row['status']}", [*attempts, *planned])


def _why_not_sent(event: Row) -> Iterator[str]:
    if event["audience"] == 0:
        yield "nobody was subscribed to this type when it happened, so it was sent to no endpoint"


def _content(call: Row) -> Any:
    """The payload of a call, without its idempotency key."""
    body = _body(call)
    if isinstance(body, dict):
        body = {name: value for name, value in body.items() if name != KEY}
    return call["request"]["path"], call["credential"], body


def _key(call: Row) -> str | None:
    body = _body(call)
    headers = {name.lower(): value for name, value in call["request"]["headers"].items()}
    return (body.get(KEY) if isinstance(body, dict) else None) or headers.get(KEY_HEADER)


def _body(call: Row) -> Any:
    try:
        return json.loads(call["request"]["body"] or "null")
    except ValueError:
        return call["request"]["body"]


def _compared(call: Row, key: str | None, other: Row, other_key: str | None, *, both: bool) -> str:
    when = "later" if other["seq"] > call["seq"] else "earlier"
    line = f"REPETITION: {when} call {other['seq']} at {other['at']} asks for the same, "
    if key == other_key:
        return (
            f"{line}with the same idempotency key {key!r}: the service answers it from the first and does nothing twice"
        )
    carried_out = "both were carried out" if both else "only one of them, or neither, was carried out"
    return (
        f"{line}with another idempotency key ({other_key!r}, here {key!r}): to the service that is a second request,"
        f" and {carried_out}. An app that retries, for example after a lost response, must send the same key again"
    )
