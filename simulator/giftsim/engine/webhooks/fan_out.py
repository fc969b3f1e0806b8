"""The way of an event to its endpoints (P-6.15, B26, B27, B45).

It is recorded, and its deliveries are created at once or in the hourly run. One word sums up what became of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

import msgspec

from giftsim.engine.kernel.instants import HOUR, format_instant
from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.attempt import Attempt
from giftsim.engine.webhooks.delivery import (
    DEAD,
    DELIVERED,
    DELIVERY,
    DROPPED,
    HOURLY_RUN_PHASE,
    PENDING,
    STATE_PHASE,
    Delivery,
    add_pending,
    schedule,
    undelivered_events,
)
from giftsim.engine.webhooks.dispatch import make_ladder_attempt, send_ping
from giftsim.engine.webhooks.endpoint import ENABLED, ENDPOINT, Endpoint, subscribed_endpoints
from giftsim.engine.webhooks.event import (
    EVENT,
    PING_SUBJECT,
    SENT,
    UNHEARD,
    Event,
    count_events,
    event_id,
    with_created_at,
)
from giftsim.engine.webhooks.outgoing import require_signing_key
from giftsim.engine.webhooks.spelling import spelled
from giftsim.engine.webhooks.trace_context import trace_event
from giftsim.engine.webhooks.webhook_settings import HOURLY_ANCHOR, ORDER

HOURLY_RUN_TIMER, HOURLY_RUN_OWNER = "webhooks.source", "webhooks"

# One more than the slot of the first event that waits for the hourly run; 0 if none waits and no run is scheduled.
FIRST_WAITING = "webhooks.first_waiting"

# Return the `data` of an event's body as JSON; called with state, owner, kind, subject, facts and the instant.
EVENT_DATA: Signal[Callable[[State, str, str, int, Mapping[str, Any], int], bytes]] = Signal("event_data")
# Whether events of a kind and an owner are sent at once instead of by the hourly run.
SENT_AT_ONCE: Signal[Callable[[str, str], bool]] = Signal("sent_at_once", lambda _kind, _owner: False)


def next_run(state: State, at_ms: int, *, inclusive: bool) -> int:
    """The instant of the next hourly run: at or after `at_ms` if inclusive, else after it."""
    anchor_ms = state.setting(HOURLY_ANCHOR)
    hours, rest = divmod(at_ms - anchor_ms, HOUR)
    return (hours + (rest > 0 or not inclusive)) * HOUR + anchor_ms


def record_event(
    state: State,
    kind: str,
    owner: str,
    subject: int,
    /,
    *,
    livemode: bool | None = None,
    only: tuple[int, ...] | None = None,
    **facts: str | int,
) -> Event:
    """Record an event that happens now, for the endpoints subscribed by now (handles EMITTED; B27).

    `only` restricts the audience to some endpoint slots.
    """
    audience = subscribed_endpoints(state, owner, kind)
    if only is not None:
        audience = tuple(n for n in audience if n in only)
    now_ms, n = state.now_ms, state[EVENT].next_n
    data = state.handler(EVENT_DATA)(state, owner, kind, subject, facts, now_ms) if audience else None
    stored_facts = tuple(sorted(facts.items())) if facts else ()
    event = Event(n, event_id(state, n), kind, owner, livemode, now_ms, None, subject, stored_facts, audience, data)
    if audience:
        trace_event(state, n)
    state[EVENT].add(event)
    if audience:
        _send_or_wait(state, event)
    return event


def run_hourly(state: State, _: int) -> None:
    """Create the deliveries of all waiting events, in order of creation; their first attempts are due now."""
    waiting = waiting_events(state)
    state.set_counter(FIRST_WAITING, 0)
    if state.setting(ORDER) == "reversed":
        waiting.reverse()
    for event in waiting:
        for delivery in _create_deliveries(state, event):
            schedule(state, delivery, state.now_ms)


def waiting_events(state: State) -> list[Event]:
    """The events that wait for the hourly run, in order."""
    table, first = state[EVENT], state.counter(FIRST_WAITING) - 1
    events = [table.get(n) for n in range(first, table.next_n)] if first >= 0 else []
    return [event for event in events if event.audience and event.created_ms is None]


def _send_or_wait(state: State, event: Event) -> None:
    if not state.handler(SENT_AT_ONCE)(event.kind, event.owner):
        _wait_for_hourly_run(state, event)
        return
    for delivery in _create_deliveries(state, event):
        if state.firing_phase == STATE_PHASE:  # deliveries follow all other changes of this instant
            schedule(state, delivery, state.now_ms)
        else:
            make_ladder_attempt(state, delivery.n)


def _wait_for_hourly_run(state: State, event: Event) -> None:
    if state.counter(FIRST_WAITING) == 0:
        state.set_counter(FIRST_WAITING, event.n + 1)
        at_ms = next_run(state, state.now_ms, inclusive=state.firing_phase == STATE_PHASE)
        because = "the hourly run sends new events"
        state.timers.set(at_ms, HOURLY_RUN_OWNER, 0, HOURLY_RUN_TIMER, because, HOURLY_RUN_PHASE)


def timer_subject(_: State, _slot: int) -> str:
    """The hourly run as the list of timers shows it."""
    return "webhooks"


def _create_deliveries(state: State, event: Event) -> list[Delivery]:
    event = with_created_at(event, state.now_ms)
    state[EVENT].put(spelled(state, event) if state.setting_values else event)
    endpoints = state[ENDPOINT]
    return [add_pending(state, event.n, n) for n in event.audience if endpoints.get(n).status == ENABLED]


def ping_endpoint(
    state: State,
    endpoint: Endpoint,
    *,
    kind: str = "ping",
    livemode: bool | None = None,
    data: Mapping[str, Any] | None = None,
) -> Attempt:
    """Send a ping to an enabled endpoint; its `data` describes the endpoint unless given. WebhooksUnavailable.

    The outcome of the returned attempt is None if it is forwarded or held: then it is in the outbox, and
    `dispatch.complete_attempt` sets the outcome later (G21).
    """
    require_signing_key(state)
    if data is None:
        described = {"id": endpoint.id, "status": endpoint.status}
        data = {"endpoint": described, "occurred_at": format_instant(state.now_ms)}
    n, now_ms = state[EVENT].next_n, state.now_ms
    event = Event(
        n,
        event_id(state, n),
        kind,
        endpoint.owner,
        livemode,
        now_ms,
        now_ms,
        PING_SUBJECT,
        (),
        (),
        msgspec.json.encode(data),
    )
    trace_event(state, n)
    return send_ping(state, state[EVENT].add(spelled(state, event)), endpoint)


UNSUBSCRIBED, WAITING = "unsubscribed", "waiting"
STATUSES = (WAITING, PENDING, DELIVERED, DEAD, DROPPED, UNSUBSCRIBED)

# An event with deliveries has the first of these statuses that one of them has.
_WORST_FIRST = (DEAD, PENDING, DROPPED, DELIVERED)


def deliveries_of(state: State, event: Event) -> list[Delivery]:
    """The deliveries of an event, in order of its audience. An endpoint gets its events in their order."""
    table, found = state[DELIVERY], []
    for endpoint in event.audience:
        slots = table.slots_in("endpoint", endpoint)
        i = bisect_left(slots, event.n, key=lambda n: table.get(n).event)
        if i < len(slots) and (delivery := table.get(slots[i])).event == event.n:
            found.append(delivery)
    return found


def status_of(event: Event, deliveries: Sequence[Delivery]) -> str:
    """One of STATUSES. An event whose endpoints were all disabled before it was sent is dropped."""
    if not event.audience:
        return UNSUBSCRIBED
    if event.created_ms is None:
        return WAITING
    found = {delivery.status for delivery in deliveries}
    return next((status for status in _WORST_FIRST if status in found), DROPPED)


class EventStatuses:
    """The status of every event of a world, computed from the deliveries that are not delivered."""

    def __init__(self, state: State) -> None:
        self._state = state
        found = undelivered_events(state)
        self._with: dict[str, Set[int]] = {}
        seen: set[int] = set()
        for status in _WORST_FIRST[:-1]:
            self._with[status] = found[status] - seen
            seen |= found[status]
        self._waiting = {event.n for event in waiting_events(state)}

    def of(self, event: Event) -> str:
        """The status of one event."""
        if not event.audience:
            return UNSUBSCRIBED
        if event.created_ms is None:
            return WAITING
        found = next((status for status in self._with if event.n in self._with[status]), None)
        return found or (DELIVERED if deliveries_of(self._state, event) else DROPPED)

    def slots_with(self, status: str) -> Sequence[int] | None:
        """The slots of the events with a status in order; None for the statuses that most events have."""
        if status == WAITING:
            return sorted(self._waiting)
        return sorted(self._with[status]) if status in (DEAD, PENDING) else None

    def counts(self) -> dict[str, int]:
        """The number of events with each status, without pings."""
        counts = {status: len(self._with.get(status, ())) for status in STATUSES}
        counts[WAITING] = len(self._waiting)
        counts[UNSUBSCRIBED] = count_events(self._state, UNHEARD)
        undelivered = sum(counts.values()) - counts[UNSUBSCRIBED]
        counts[DELIVERED] = count_events(self._state, SENT) - undelivered
        return counts
