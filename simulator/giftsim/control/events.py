"""Webhook events: what happened, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from giftsim.control.delivery_views import event_detail, event_view
from giftsim.control.pagination import NEWEST, rows_of_table
from giftsim.control.world_access import current_state
from giftsim.gateway.call import Call, Response
from giftsim.kernel.state import State
from giftsim.webhooks.event import EVENT, PING_SUBJECT, Event, find_event
from giftsim.webhooks.event_status import EventStatuses

LOOKED_AT = 50_000  # events at most for one page

Numbered = tuple[int, Event]
T = TypeVar("T")


def list_events(call: Call) -> Response:
    """List webhook events, or those of one type, one status or with a text. A page looks at so many and no more."""
    query, world = call.query, call.world
    with current_state(world) as state:
        every = EventStatuses(state) if query["status"] or query["counts"] else None
        counts = every.counts() if every else {}
        found: list[Numbered] = []
        last = None
        if query["status"] is None or counts[query["status"]]:
            found, last = scan(_asked(call, state, every), _filter(call, every), query["limit"], LOOKED_AT)
        rows = [event_view(world, state, event) for _, event in found]
    return Response(200, {"events": rows, "next": last, **({"counts": counts} if query["counts"] else {})})


def get_event(call: Call) -> Response:
    """One event with its attempts and the rungs to come."""
    with current_state(call.world) as state:
        return Response(200, event_detail(call.world, state, find_event(state, call.params["id"])))


def scan(
    asked: Iterable[tuple[int, T]], keep: Callable[[T], bool], limit: int, most: int
) -> tuple[list[tuple[int, T]], int | None]:
    """The first `limit` rows that are kept among the first `most`, and the number after which the next page goes on."""
    found: list[tuple[int, T]] = []
    looked_at, number = 0, None
    for number, row in islice(asked, most):
        looked_at += 1
        if keep(row):
            if len(found) == limit:
                return found, found[-1][0]
            found.append((number, row))
    return found, number if looked_at == most else None


def _asked(call: Call, state: State, every: EventStatuses | None) -> Iterator[Numbered]:
    """The events between `after` and `before`, in the asked order; only those with the status where they are few."""
    status = call.query["status"]
    slots = every.slots_with(status) if every and status else None
    if slots is None:
        return rows_of_table(state[EVENT]).asked(call)
    return _between(call, state, slots)


def _between(call: Call, state: State, slots: Sequence[int]) -> Iterator[Numbered]:
    after, before = call.query["after"] or 0, call.query["before"]
    for n in reversed(slots) if call.query["order"] == NEWEST else slots:
        if n >= after and (before is None or n + 1 < before):
            yield n + 1, state[EVENT].get(n)


def _filter(call: Call, every: EventStatuses | None) -> Callable[[Event], bool]:
    query = call.query
    kind, status, has_text = query["type"], query["status"], _text_filter(query["q"])

    def keep(event: Event) -> bool:
        return (
            event.subject != PING_SUBJECT
            and (kind is None or event.kind == kind)
            and (status is None or every is None or every.of(event) == status)
            and (has_text is None or has_text(event))
        )

    return keep


def _text_filter(text: str | None) -> Callable[[Event], bool] | None:
    """Whether an event has a text in its id, its type or its data, in any case."""
    if not text:
        return None
    wanted = text.casefold()
    as_bytes = wanted.encode()

    def has_text(event: Event) -> bool:
        if wanted in event.id or wanted in event.kind:
            return True
        if event.data is None:
            return False
        return as_bytes in event.data.lower() if wanted.isascii() else wanted in event.data.decode().casefold()

    return has_text
