"""The status of an event: its deliveries, and one word that sums them up."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence, Set

from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.delivery import DEAD, DELIVERED, DELIVERY, DROPPED, PENDING, Delivery, undelivered_events
from giftsim.engine.webhooks.event import SENT, UNHEARD, Event, count_events
from giftsim.engine.webhooks.fan_out import waiting_events

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
