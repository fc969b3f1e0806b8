"""How the lists of webhooks are searched: events, attempts and endpoints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from giftsim.engine.control.search import Once
from giftsim.engine.gateway.own_kinds import ATTEMPT, ENDPOINT, EVENT, event_ref, event_title
from giftsim.engine.gateway.record_search import Group, Outcome, Search, SearchField, Texts
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.attempt import ATTEMPT as ATTEMPTS
from giftsim.engine.webhooks.attempt import IN_FLIGHT, Attempt, in_flight
from giftsim.engine.webhooks.delivery import DEAD, PENDING, Delivery, undelivered
from giftsim.engine.webhooks.endpoint import ENDPOINT as ENDPOINTS
from giftsim.engine.webhooks.endpoint import Endpoint
from giftsim.engine.webhooks.event import Event
from giftsim.engine.webhooks.fan_out import EventStatuses, waiting_events
from giftsim.engine.webhooks.outgoing import DELIVERED

NONE: Final = "none"
_PEOPLE = re.compile(rb'"(?:[a-z_]*name|[a-z_]*email)":("(?:[^"\\]|\\.)*")')


# ---- Events


class Undelivered:
    """What became so far of the events that are not delivered, by the worst of their deliveries: one that was given up,
    else one that failed, else one that is pending.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._worst: dict[int, Delivery] = {}
        for row in undelivered(state, DEAD, PENDING):
            former = self._worst.get(row.event)
            if former is None or _badness(row) > _badness(former):
                self._worst[row.event] = row
        self._outcomes = Once(self._find_outcomes)

    def failures(self, event: Event) -> int:
        """How many attempts have failed."""
        worst = self._worst.get(event.n)
        return 0 if worst is None else worst.failures

    def answer(self, event: Event) -> str:
        """What the last attempt got: a status of HTTP, or what went wrong before there was one; else `none`."""
        worst = self._worst.get(event.n)
        if worst is None or not worst.failures:
            return NONE
        return str(worst.last_status) if worst.last_status is not None else self._outcomes().get(worst.n, NONE)

    def group(self, event: Event) -> Group:
        """What an event has in common with others: its type, how many attempts failed, and the last answer."""
        failures, answer = self.failures(event), self.answer(event)
        if not failures:
            return Group(event.kind, (("kind", event.kind),))
        said = "" if answer == NONE else f": {answer.replace('_', ' ')}"
        terms = ("kind", event.kind), ("attempt", str(failures)), ("answer", answer)
        return Group(f"{event.kind}, attempt {failures}{said}", terms)

    def _find_outcomes(self) -> dict[int, str]:
        """The last outcome of each delivery without a status of HTTP."""
        wanted = {row.n for row in self._worst.values() if row.failures and row.last_status is None}
        attempts = (row for row in self._state[ATTEMPTS] if row.delivery in wanted and row.outcome is not None)
        return {row.delivery: row.outcome for row in attempts if row.outcome is not None}


def _badness(delivery: Delivery) -> tuple[bool, int, int]:
    return delivery.status == DEAD, delivery.failures, -delivery.n


def _has_words(state: State, words: Sequence[str]) -> Callable[[Event], bool]:
    """Whether all words are in an event, or in the title of what it is about."""
    wanted, titles = [(word, word.encode()) for word in words], dict[tuple[str, int], str]()

    def title_of(event: Event) -> str:
        key = event.owner, event.subject
        if key not in titles:
            titles[key] = event_title(state, event).casefold()
        return titles[key]

    def has_words(event: Event) -> bool:
        data = (event.data or b"").lower()
        return all(
            (encoded in data if word.isascii() else word in data.decode().casefold())
            or word in event.kind
            or word in event.id
            or word in title_of(event)
            for word, encoded in wanted
        )

    return has_words


def _hosts(state: State, event: Event) -> Iterable[str]:
    return (state[ENDPOINTS].get(n).host for n in event.audience)


def _about(state: State, event: Event) -> tuple[str, ...]:
    about = event_ref(state, event)
    return () if about is None else (f"{about.kind}:{about.id}", str(about.id))


def _people(_: State, event: Event) -> Iterable[str]:
    return (found.decode("utf-8", "replace") for found in _PEOPLE.findall(event.data or b""))


def _failures(state: State) -> Callable[[Event], Texts]:
    found = Undelivered(state)
    return lambda event: (str(found.failures(event)),)


def _answers(state: State) -> Callable[[Event], Texts]:
    found = Undelivered(state)
    return lambda event: (found.answer(event),)


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
    text=lambda _, event: (event.id, event.kind),
    has_words=_has_words,
    status=lambda state: EventStatuses(state).of,
    at=lambda event: event.occurred_ms,
    fields=(
        SearchField("kind", "its type, or how types begin", "kind:{event}", of=lambda _, event: (event.kind,)),
        SearchField("who", "a name or an email address in its data", "who:bo@example.com", of=_people, in_part=True),
        SearchField(
            "to", "a part of the host of an endpoint that gets it", "to:hooks.example", of=_hosts, in_part=True
        ),
        SearchField("about", "the id of the record that it is about, or its kind and id", "about:1001", of=_about),
        SearchField(
            "attempt",
            "how many attempts have failed, of those that are not delivered",
            "attempt:5",
            prepared=_failures,
        ),
        SearchField(
            "answer",
            "what the last attempt got, of those that are not delivered: a status of HTTP, or timeout and so on",
            "answer:503",
            prepared=_answers,
        ),
    ),
    http_status=_answers,
    failed=Outcome("given up, or an attempt failed and others follow", slots=_failed_events),
    waiting=Outcome("not sent yet", slots=_waiting_events),
    group=lambda state: Undelivered(state).group,
)


# ---- Attempts


def _failed_attempts(state: State) -> set[int]:
    return {row.n for row in state[ATTEMPTS] if row.outcome not in (None, DELIVERED)}


def _group_of_attempt(attempt: Attempt) -> Group:
    outcome, status = attempt.outcome or IN_FLIGHT, NONE if attempt.status is None else str(attempt.status)
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
        SearchField("kind", "the type of its event, or how types begin", "kind:{event}", of=lambda _, row: (row.kind,)),
        SearchField("to", "a part of its host", "to:hooks.example", of=lambda _, row: (row.host,), in_part=True),
        SearchField("event", "the id of its event", "event:evt_1f", of=_event_of, in_part=True),
        SearchField(
            "attempt", "its number among those of its event", "attempt:5", of=lambda _, row: (str(row.number),)
        ),
        SearchField(
            "answer",
            "the status of HTTP",
            "answer:503",
            of=lambda _, row: (NONE if row.status is None else str(row.status),),
        ),
    ),
    http_status=lambda _: lambda row: (None if row.status is None else str(row.status),),
    failed=Outcome("any outcome but delivered", slots=_failed_attempts),
    waiting=Outcome("in flight", slots=lambda state: {row.n for row in in_flight(state)}),
    group=lambda _: _group_of_attempt,
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
        SearchField(
            "key", "the key whose call made it, or how keys begin", "key:{interface}.*", of=lambda _, row: (row.key,)
        ),
        SearchField("kind", "the type of an event that it gets", "kind:{event}", of=lambda _, row: row.kinds),
    ),
    failed=Outcome("an event to it was given up", slots=lambda state: {row.n for row in state[ENDPOINTS] if row.dead}),
    waiting=Outcome("events to it wait", slots=lambda state: {row.n for row in state[ENDPOINTS] if row.pending}),
)

SEARCHES: Final[Sequence[Search[Any]]] = (EVENT_SEARCH, ATTEMPT_SEARCH, ENDPOINT_SEARCH)
