"""Events: one row per fact, with one id and one body for all its deliveries (B27, P-6.20)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from giftsim.kernel.instants import format_instant
from giftsim.kernel.random_streams import token
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

PARTNER_KINDS = (
    "team_order.claimed",
    "team_order.shipped",
    "team_order.delivered",
    "team_order.needs_attention",
    "order.shipped",
    "order.delivered",
)

TEAM_KINDS = (
    "gift.sent",
    "gift.claimed",
    "gift.shipped",
    "gift.delivered",
    "team_order.shipped",
    "team_order.delivered",
    "approval.requested",
    "approval.decided",
    "invoice.issued",
    "invoice.paid",
    "balance.low",
)

# Every type that a receiver may get: what happens, and the two that only say hello.
KINDS = (*dict.fromkeys((*PARTNER_KINDS, *TEAM_KINDS)), "ping", "webhook.test")

PING_SUBJECT = -1


class Event(Record, frozen=True, gc=False):
    """Something that happened to the record `subject`; `owner` is like `account 3`.

    `audience` are the slots of the endpoints that had subscribed by then (B27), `data` the body's member of that name
    as JSON, written when it happened and only if there is an audience. `created_ms` is None until a run gathers the
    event. `livemode` stands in the body unless it is None, as in the partner interface.
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


EVENT: TableSpec[Event] = TableSpec("webhooks.event", Event)


def event_id(state: State, n: int) -> str:
    """The public id of the event in slot `n`: never used twice, since slots are not (P-6.20)."""
    return f"evt_{token(state.seed, 'event', n, 24)}"


def body(event: Event) -> bytes:
    """The exact bytes that are sent, but for the slots of origin and world (G1): the same for every attempt."""
    mode = "" if event.livemode is None else f'"livemode":{"true" if event.livemode else "false"},'
    created_at = format_instant(event.occurred_ms if event.created_ms is None else event.created_ms)
    head = f'{{"id":"{event.id}","type":"{event.kind}","created_at":"{created_at}",{mode}"data":'
    return head.encode() + (event.data or b"{}") + b"}"


def iter_events(state: State, after: int = 0, owner: str | None = None) -> Iterator[Event]:
    """Events from slot `after` on in order, pings left out; one owner's only, if given."""
    table = state[EVENT]
    for n in range(after, table.next_n):
        event = table.get(n)
        if event.subject != PING_SUBJECT and owner in (None, event.owner):
            yield event


def with_created_at(event: Event, now_ms: int) -> Event:
    """The event as a run makes it at `now_ms`."""
    return msgspec.structs.replace(event, created_ms=now_ms)
