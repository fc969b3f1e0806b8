"""Webhook events: one record per fact, with one id and one body for all its deliveries (B27, P-6.20)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.random_streams import draw_token
from giftsim.engine.kernel.seeded_uuid import uuid_of
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.webhook_settings import EVENT_IDS

PING_SUBJECT = -1


class Event(Record, frozen=True, gc=False, omit_defaults=True):
    """Something that happened to the record `subject`; `owner` is like `account 3`.

    `audience` are the slots of the endpoints subscribed at that time (B27). `data` is the member `data` of the body, as
    JSON, encoded when the event happened and only if it has an audience. `created_ms` is None until the event's
    deliveries are created. `livemode` is in the body unless it is None. `body` is the whole body where the world's
    settings have it written otherwise, set when the deliveries are created.
    """

    id: str
    kind: str
    owner: str
    livemode: bool | None
    occurred_ms: int
    created_ms: int | None
    subject: int
    facts: tuple[tuple[str, str | int], ...]
    audience: tuple[int, ...]
    data: bytes | None
    body: bytes | None = None


class EventNotFound(Problem, status=404, code="event_not_found"):
    """The world has no event with that id."""


SENT, UNHEARD, PINGS = "sent", "unheard", "pings"  # index keys: events with an audience, those without, and pings


def _audience(event: Event) -> str:
    return PINGS if event.subject == PING_SUBJECT else SENT if event.audience else UNHEARD


EVENT: TableSpec[Event] = TableSpec("webhooks.event", Event, groups={"audience": _audience})


def event_id(state: State, n: int) -> str:
    """The public id of the event in slot `n`; unique, because slots are never reused (P-6.20)."""
    if state.setting(EVENT_IDS) == "uuid":
        return uuid_of(state.seed, "event", n)
    return f"evt_{draw_token(state.seed, 'event', n, 24)}"


def encode_body(event: Event) -> bytes:
    """The body of every attempt, with placeholders for origin and world id (G1)."""
    if event.body is not None:
        return event.body
    mode = "" if event.livemode is None else f'"livemode":{"true" if event.livemode else "false"},'
    created_at = format_instant(event.occurred_ms if event.created_ms is None else event.created_ms)
    head = f'{{"id":"{event.id}","type":"{event.kind}","created_at":"{created_at}",{mode}"data":'
    return head.encode() + (event.data or b"{}") + b"}"


def find_event(state: State, public_id: str) -> Event:
    """The event or ping with that id; EventNotFound. Walks the table, newest first: not for the path of a call."""
    found = next((event for event in reversed(state[EVENT].rows) if event is not None and event.id == public_id), None)
    if found is None:
        raise EventNotFound(f"There is no event {public_id[:60]!r}.")
    return found


def count_events(state: State, audience: str) -> int:
    """The number of events of a kind of audience: SENT, UNHEARD or PINGS."""
    return len(state[EVENT].slots_in("audience", audience))


def iter_events(state: State, after: int = 0, owner: str | None = None) -> Iterator[Event]:
    """Iterate over the events from slot `after` on, without pings; only those of `owner` if given."""
    table = state[EVENT]
    for n in range(after, table.next_n):
        event = table.get(n)
        if event.subject != PING_SUBJECT and owner in (None, event.owner):
            yield event


def with_created_at(event: Event, now_ms: int) -> Event:
    """A copy whose body says that it was created at `now_ms`."""
    return msgspec.structs.replace(event, created_ms=now_ms)
