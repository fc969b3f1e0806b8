"""How the lists of webhooks are searched: events, attempts and endpoints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from giftsim.engine.gateway.own_kinds import ATTEMPT, ENDPOINT, EVENT, event_ref, event_title
from giftsim.engine.gateway.record_search import Group, Outcome, Search, SearchField
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.attempt import ATTEMPT as ATTEMPTS
from giftsim.engine.webhooks.attempt import IN_FLIGHT, Attempt, attempts_of, in_flight
from giftsim.engine.webhooks.delivery import DEAD, PENDING, Delivery, undelivered
from giftsim.engine.webhooks.endpoint import ENDPOINT as ENDPOINTS
from giftsim.engine.webhooks.endpoint import Endpoint
from giftsim.engine.webhooks.event import Event
from giftsim.engine.webhooks.fan_out import EventStatuses, deliveries_of, waiting_events
from giftsim.engine.webhooks.outgoing import DELIVERED

_PEOPLE = re.compile(rb'"(?:[a-z_]*name|[a-z_]*email)":("(?:[^"\\]|\\.)*")')


# ---- Events


def _worst(state: State, event: Event) -> Delivery | None:
    """The delivery that names the group of an event: one that was given up, else that failed, else that is pending."""
    open_ones = [row for row in deliveries_of(state, event) if row.status in (DEAD, PENDING)]
    return min(open_ones, key=lambda row: (row.status != DEAD, not row.failures, row.n), default=None)


def _last_answer(state: State, event: Event) -> str | None:
    """What the worst delivery of an event got last: a status of HTTP, or what went wrong before there was one."""
    worst = _worst(state, event)
    if worst is None or not worst.failures:
        return None
    if worst.last_status is not None:
        return str(worst.last_status)
    made = [each for each in attempts_of(state, event) if each.delivery == worst.n and each.outcome is not None]
    return made[-1].outcome if made else None


def _attempt_number(state: State, event: Event) -> str | None:
    worst = _worst(state, event)
    return str(worst.failures) if worst is not None and worst.failures else None


def _hosts(state: State, event: Event) -> Iterable[str]:
    return (state[ENDPOINTS].get(n).host for n in event.audience)


def _about(state: State, event: Event) -> tuple[str, ...]:
    about = event_ref(state, event)
    return () if about is None else (f"{about.kind}:{about.id}", str(about.id))


def _people(_: State, event: Event) -> Iterable[str]:
    return (found.decode("utf-8", "replace") for found in _PEOPLE.findall(event.data or b""))


def _event_text(state: State, event: Event) -> Iterator[object]:
    yield from (event.id, event.kind, event_title(state, event))
    if event.data is not None:
        yield event.data.decode()


def _group_of_event(state: State, event: Event) -> Group:
    attempt, answer = _attempt_number(state, event), _last_answer(state, event)
    terms: list[tuple[str, str]] = [("kind", event.kind)]
    if attempt is None:
        return Group(event.kind, tuple(terms))
    terms += [("attempt", attempt), ("answer", answer or "none")]
    said = f": {answer.replace('_', ' ')}" if answer else ""
    return Group(f"{event.kind}, attempt {attempt}{said}", tuple(terms))


def _failed_events(state: State) -> set[int]:
    """The slots of the events of which a delivery was given up, or failed and is tried again."""
    return {row.event for row in undelivered(state, DEAD, PENDING) if row.status == DEAD or row.failures}


def _waiting_events(state: State) -> set[int]:
    waiting = {row.event for row in undelivered(state, PENDING)}
    return waiting | {event.n for event in waiting_events(state)}


EVENT_SEARCH: Final[Search[Event]] = Search(
    "events",
    EVENT,
    "an event",
    "its id, its type, its data, and the title of what it is about",
    text=_event_text,
    status=lambda state: EventStatuses(state).of,
    at=lambda event: event.occurred_ms,
    fields=(
        SearchField("kind", "its type, or how types begin", "kind:team_order.*", of=lambda _, event: (event.kind,)),
        SearchField("who", "a name or an email address in its data", "who:bo@example.com", of=_people, in_part=True),
        SearchField(
            "to", "a part of the host of an endpoint that gets it", "to:hooks.example", of=_hosts, in_part=True
        ),
        SearchField("about", "the order, gift or campaign that it is about", "about:team_order:1001", of=_about),
        SearchField(
            "attempt",
            "how many attempts have failed, of those that are not delivered",
            "attempt:5",
            of=lambda state, event: (_attempt_number(state, event),),
        ),
        SearchField(
            "answer",
            "what the last attempt got, of those that are not delivered: a status of HTTP, or timeout and so on",
            "answer:503",
            of=lambda state, event: (_last_answer(state, event) or "none",),
        ),
    ),
    http_status=lambda state, event: (_last_answer(state, event),),
    failed=Outcome("given up, or an attempt failed and others follow", slots=_failed_events),
    waiting=Outcome("not sent yet", slots=_waiting_events),
    group=_group_of_event,
)


# ---- Attempts


def _failed_attempts(state: State) -> set[int]:
    return {row.n for row in state[ATTEMPTS] if row.outcome not in (None, DELIVERED)}


def _group_of_attempt(_: State, attempt: Attempt) -> Group:
    outcome, status = attempt.outcome or IN_FLIGHT, "none" if attempt.status is None else str(attempt.status)
    said = outcome.replace("_", " ") if attempt.status is None else status
    return Group(f"{attempt.kind}: {said}", (("kind", attempt.kind), ("status", outcome), ("answer", status)))


def _event_of(state: State, attempt: Attempt) -> tuple[str]:
    return (state[EVENT.table].get(attempt.event).id,)


def _attempt_text(state: State, attempt: Attempt) -> Iterable[object]:
    event = state[EVENT.table].get(attempt.event)
    title = event_title(state, event)
    return attempt.kind, state[ENDPOINTS].get(attempt.endpoint).url, event.id, attempt.fault, title


ATTEMPT_SEARCH: Final[Search[Attempt]] = Search(
    "deliveries",
    ATTEMPT,
    "an attempt",
    "the type and id of its event, its URL, its fault, and the title of what it is about",
    text=_attempt_text,
    at=lambda attempt: attempt.at_ms,
    fields=(
        SearchField(
            "kind", "the type of its event, or how types begin", "kind:team_order.*", of=lambda _, row: (row.kind,)
        ),
        SearchField("to", "a part of its host", "to:hooks.example", of=lambda _, row: (row.host,), in_part=True),
        SearchField("event", "the id of its event", "event:evt_1f", of=_event_of, in_part=True),
        SearchField(
            "attempt", "its number among those of its event", "attempt:5", of=lambda _, row: (str(row.number),)
        ),
        SearchField(
            "answer",
            "the status of HTTP",
            "answer:503",
            of=lambda _, row: ("none" if row.status is None else str(row.status),),
        ),
    ),
    http_status=lambda _, row: (None if row.status is None else str(row.status),),
    failed=Outcome("any outcome but delivered", slots=_failed_attempts),
    waiting=Outcome("in flight", slots=lambda state: {row.n for row in in_flight(state)}),
    group=_group_of_attempt,
)


# ---- Endpoints

ENDPOINT_SEARCH: Final[Search[Endpoint]] = Search(
    "endpoints",
    ENDPOINT,
    "an endpoint",
    "its URL and the types of its events",
    text=lambda _, row: (row.url, *row.kinds),
    at=lambda row: row.created_ms,
    fields=(
        SearchField("key", "the key whose call made it", "key:partner.prepaid", of=lambda _, row: (row.key,)),
        SearchField(
            "kind", "the type of an event that it gets", "kind:team_order.claimed", of=lambda _, row: row.kinds
        ),
    ),
    failed=Outcome("an event to it was given up", slots=lambda state: {row.n for row in state[ENDPOINTS] if row.dead}),
    waiting=Outcome("events to it wait", slots=lambda state: {row.n for row in state[ENDPOINTS] if row.pending}),
)

SEARCHES: Final[Sequence[Search[Any]]] = (EVENT_SEARCH, ATTEMPT_SEARCH, ENDPOINT_SEARCH)
