"""Probes of delivery and content: what else arrives, how often, in which order, and how it is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from zlib import crc32

from giftsim.engine.webhooks.signature import EVENT_HEADER
from giftsim.engine.webhooks.spelling import Spelling
from giftsim.workbench.exam.receiver.probe import Outcome, Probe, RightAnswer, Shot
from giftsim.workbench.exam.receiver.signature_probes import one_shot
from giftsim.workbench.exam.receiver.stock import EMOJI, UNICODE, Event, Stock

DAY_S: Final = 24 * 60 * 60
AT_ONCE: Final = 4  # requests that a service sends to one receiver at a time
LONG: Final = 64 * 1024
LARGEST: Final = 2**53 - 1  # the largest whole number that every JSON parser keeps

RAW: Final = (("P-6.13",), ("T-6.19",))
RETRIED: Final = (("P-6.16", "P-6.18"), ("T-6.22", "A6.3"))
ONCE: Final = (("P-6.20",), ("T-6.21",))
OPEN: Final = (("G218",), ("G218",))


def _written(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _rewritten(write: Callable[[Event], bytes]) -> Callable[[Stock], Sequence[Shot]]:
    """A genuine webhook whose body is written in another way."""

    def shots(stock: Stock) -> Sequence[Shot]:
        event = stock.story()[0]
        return [Shot(event=event, body=write(event))]

    return shots


def _with_members(event: Event) -> bytes:
    """The body with a member that no page mentions, at its top and in `data`."""
    content = event.content
    new = {"added_later": {"list": [1, "two", None]}}
    return _written({**content, **new, "data": {**content["data"], **new}})


def _without_members(event: Event) -> bytes:
    """The body without its optional members: those that are null, and `livemode`."""
    return _written({name: _without_nulls(value) for name, value in event.content.items() if name != "livemode"})


def _without_nulls(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {name: _without_nulls(member) for name, member in value.items() if member is not None}


def _long(event: Event) -> bytes:
    return event.body.replace(b"{", b"{" + b" " * LONG, 1)


def _in_many_spellings(stock: Stock) -> Sequence[Shot]:
    """The events of a parcel, each written with other blanks, line ends, escapes and order of members."""
    return [
        Shot(event=event, body=Spelling(crc32(event.id.encode()), n).write(event.content).encode())
        for n, event in enumerate([*stock.story(), *stock.story()])
    ]


def _replace_numbers(value: Any, number: int) -> Any:
    """A value with every number replaced by another."""
    if isinstance(value, Mapping):
        return {name: _replace_numbers(member, number) for name, member in value.items()}
    return number if type(value) is int else value


def _numbers(stock: Stock) -> Sequence[Shot]:
    """One event with the largest numbers, one with zeros."""
    shots = []
    for number in (LARGEST, 0):
        event = stock.story()[0]
        content = event.content
        body = _written({**content, "data": _replace_numbers(content["data"], number)})
        shots.append(Shot(event=event, body=body, counts=False))
    return shots


def _of_unknown_types(stock: Stock) -> Sequence[Shot]:
    """Types that no page mentions: about something that an app knows, about something else, and about nothing."""
    shots = []
    for kind, data in (("team_order.returned", None), ("loyalty.tier_changed", {"tier": {"level": 2}}), ("notice", {})):
        event = stock.story()[0]
        content = {**event.content, "type": kind}
        body = _written(content if data is None else {**content, "data": data})
        shots.append(Shot(event=event._replace(kind=kind), body=body, counts=False))
    return shots


def _text(text: str, real: Callable[[Stock], Event]) -> Callable[[Stock], Sequence[Shot]]:
    """An event with such a text: a recipient's name, or for a team, whose events have none, a member of its own."""

    def shots(stock: Stock) -> Sequence[Shot]:
        if stock.interface == "partner":
            return [Shot(event=real(stock))]
        event = stock.story()[0]
        return [Shot(event=event, body=_written({**event.content, "note": text}))]

    return shots


def _each_again(times: int) -> Callable[[Stock], Sequence[Shot]]:
    """Every event of a story several times, because an app may count at any of them."""
    return lambda stock: [Shot(event=event) for event in stock.story() for _ in range(times)]


def _again_a_day_later(stock: Stock) -> Sequence[Shot]:
    """A story, and after a day all of it again."""
    first, *others = story = stock.story()
    again = [Shot(event=first, later_s=DAY_S), *(Shot(event=event) for event in others)]
    return [*(Shot(event=event) for event in story), *again]


def _late(stock: Stock) -> Sequence[Shot]:
    """The last two events of a story in the wrong order, after those before them."""
    *before, shipped, delivered = stock.story()
    return [Shot(event=event) for event in (*before, delivered, shipped)]


def _misnamed(stock: Stock) -> Sequence[Shot]:
    first, *_, last = stock.story()
    return [Shot(event=first, right=RightAnswer.EITHER, headers={EVENT_HEADER: last.kind})]


def _while_broken(event: Event, right: RightAnswer) -> Shot:
    return Shot(event=event, right=right, broken=True, counts=False)


def _after_failure(stock: Stock) -> Sequence[Shot]:
    return [shot for event in stock.story() for shot in (_while_broken(event, RightAnswer.ANY), Shot(event=event))]


GATES: tuple[Probe, ...] = (
    Probe(
        "redirect",
        "a genuine webhook",
        "The service does not follow redirects: to it they are failures.",
        (("P-6.16",), ("T-6.22", "A6.3")),
        one_shot(RightAnswer.NO_REDIRECT),
        right=RightAnswer.NO_REDIRECT,
        is_gate=True,
    ),
    Probe(
        "slow_answer",
        "a genuine webhook",
        "The service gives up after 10 seconds and sends the event again. Store it, answer, and work afterwards.",
        (("P-6.17",), ("A6.3",)),
        one_shot(RightAnswer.IN_TIME),
        right=RightAnswer.IN_TIME,
        is_gate=True,
    ),
    Probe(
        "genuine",
        "a genuine webhook",
        "What is not answered with 2xx is sent again, nine times in all, and then never.",
        (("P-6.13", "P-6.16", "P-6.19"), ("T-6.19", "T-6.22", "T-6.23")),
        one_shot(RightAnswer.ACCEPT),
        is_gate=True,
    ),
)

DELIVERY_PROBES: tuple[Probe, ...] = (
    Probe(
        "every_event_type",
        "a genuine webhook of each type",
        "An error in the handler of one type shows only when an event of that type comes.",
        (("P-6.9", "P-6.16"), ("T-6.17", "T-6.22")),
        lambda stock: [Shot(event=event) for event in stock.every_kind],
    ),
    Probe(
        "ping",
        "the webhook of the call that tests an endpoint",
        "`POST /webhooks/{id}/test` sends a type that no subscription names.",
        (("P-4.16", "B29"), ("T-4.101", "A6.7")),
        lambda stock: [Shot(event=stock.ping, counts=False)],
    ),
    Probe(
        "unknown_event_type",
        "events of types that no page mentions",
        "The documents do not show every type. Answer those that you do not know with 2xx, or they come nine times.",
        (("P-6.16", "G218"), ("T-6.22", "A6.1", "G218")),
        _of_unknown_types,
    ),
    Probe(
        "unknown_member",
        "an event with members that no page mentions",
        "The service may add members to its bodies.",
        OPEN,
        _rewritten(_with_members),
    ),
    Probe(
        "missing_member",
        "an event without the members that are null, and without `livemode`",
        "An optional member may be null, or not there.",
        (("B22", "G218"), ("T-6.16", "G218")),
        _rewritten(_without_members),
        breach=Outcome.WARNING,
    ),
    Probe(
        "null_member",
        "an event of a recipient without an email address, or of an invoice without a resource",
        "Optional members are null when there is nothing to say.",
        (("B22",), ("A6.2",)),
        lambda stock: [
            Shot(event=stock.addressed[0])
            if stock.interface == "partner"
            else Shot(event=next(event for event in stock.every_kind if event.kind == "invoice.issued"))
        ],
    ),
    Probe(
        "long_body",
        "an event with 64 KiB of blanks in its JSON",
        "The documents set no limit to a body. A receiver reads all of it, however many packets it takes.",
        (("P-6.13", "G218"), ("T-6.19", "G218")),
        _rewritten(_long),
    ),
    Probe(
        "many_spellings",
        "genuine webhooks whose JSON has other blanks, line ends, escapes and order of members",
        "One value has many spellings in JSON. A receiver that writes the body again before it verifies knows one.",
        RAW,
        _in_many_spellings,
    ),
    Probe(
        "unicode",
        "a text with letters of many scripts",
        "The body is UTF-8, and its digest that of the bytes, not of characters.",
        RAW,
        _text(UNICODE, lambda stock: stock.unicode[0]),
    ),
    Probe(
        "emoji",
        "a text with emoji and combining characters",
        "Such characters take four bytes in UTF-8, which some databases refuse to store.",
        RAW,
        _text(EMOJI, lambda stock: stock.emoji[0]),
    ),
    Probe(
        "number_bounds",
        "numbers at 2^53 - 1, then at 0",
        "The documents set no limit to ids and counts.",
        OPEN,
        _numbers,
        breach=Outcome.WARNING,
    ),
    Probe(
        "wrong_method",
        "a signed webhook by PUT, then by GET",
        "The service sends POST. Other methods are somebody else's.",
        OPEN,
        lambda stock: [
            Shot(event=stock.story()[0], right=RightAnswer.REFUSE, method=method, counts=False)
            for method in ("PUT", "GET")
        ],
        right=RightAnswer.REFUSE,
        breach=Outcome.WARNING,
        needs="http",
    ),
    Probe(
        "content_type_with_charset",
        "a genuine webhook as `application/json; charset=utf-8`",
        "The parameter changes nothing.",
        OPEN,
        one_shot(RightAnswer.ACCEPT, headers={"Content-Type": "application/json; charset=utf-8"}),
        breach=Outcome.WARNING,
        needs="http",
    ),
    Probe(
        "wrong_content_type",
        "a signed webhook as `text/plain`",
        "The service sends JSON. A receiver may accept this or refuse it, but not break.",
        OPEN,
        one_shot(RightAnswer.EITHER, headers={"Content-Type": "text/plain"}),
        right=RightAnswer.EITHER,
        breach=Outcome.WARNING,
        needs="http",
    ),
    Probe(
        "misnamed_event",
        "an event whose header names another type than its body",
        "The signature covers the body alone, so its `type` counts and not `X-Service-Event`.",
        (("P-6.10", "P-6.13"), ("A6.4", "T-6.19")),
        _misnamed,
        right=RightAnswer.EITHER,
        effect=True,
    ),
    Probe(
        "duplicate",
        "each event of a parcel twice, signed anew",
        "The `id` is stable and is what duplicates are recognised by. An event whose answer was lost comes again.",
        ONCE,
        _each_again(2),
        effect=True,
    ),
    Probe(
        "duplicate_in_parallel",
        f"each event of a parcel {AT_ONCE} times at the same moment",
        "A receiver that looks for the id and stores it in two steps counts such an event twice.",
        ONCE,
        _each_again(AT_ONCE),
        effect=True,
        at_once=AT_ONCE,
    ),
    Probe(
        "duplicate_a_day_later",
        "the events of a parcel, and all of them again after a day",
        "Retries go on for four days. A receiver that forgets ids sooner counts such an event twice.",
        (("P-6.20", "P-6.18"), ("T-6.21", "A6.3")),
        _again_a_day_later,
        effect=True,
        needs="clock",
    ),
    Probe(
        "reordered_pair",
        "that a parcel was delivered, then that it was shipped",
        "An event that is retried arrives after later ones. The state of a record must not go back.",
        RETRIED,
        _late,
        effect=True,
    ),
    Probe(
        "burst",
        "the events of many parcels at once",
        "Events are gathered and sent once an hour, so many come together.",
        (("P-6.15", "P-6.17", "G221"), ("A6.3", "G221")),
        lambda stock: [Shot(event=event) for event in stock.burst],
        at_once=AT_ONCE,
    ),
    Probe(
        "failure_reported",
        "an event while the app cannot do its work",
        "2xx says that the event is safe, and it never comes again. A receiver that cannot store it answers 5xx.",
        (("P-6.16",), ("T-6.22",)),
        lambda stock: [_while_broken(stock.story()[0], RightAnswer.REPORT)],
        right=RightAnswer.REPORT,
        needs="broken",
    ),
    Probe(
        "redelivery_after_500",
        "each event of a parcel while the app cannot do its work, and again when it can",
        "A receiver that stores the id before it does the work takes the second for a repetition, and loses the event.",
        RETRIED,
        _after_failure,
        needs="broken",
        effect=True,
    ),
)
