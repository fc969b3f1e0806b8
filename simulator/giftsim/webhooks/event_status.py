"""What became of an event: its deliveries, and one word for all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence, Set

from giftsim.kernel.state import State
from giftsim.webhooks.delivery import DEAD, DELIVERED, DELIVERY, DROPPED, PENDING, Delivery
from giftsim.webhooks.event import EVENT, PING_SUBJECT, Event

UNSUBSCRIBED, WAITING = "unsubscribed", "waiting"
STATUSES = (WAITING, PENDING, DELIVERED, DEAD, DROPPED, UNSUBSCRIBED)

# The statuses of an event with deliveries: the first that one of them has.
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
    """The status of every event of a world at once, from one look at its deliveries."""

    def __init__(self, state: State) -> None:
        self._state = state
        found: dict[str, set[int]] = {status: set() for status in _WORST_FIRST}
        for delivery in state[DELIVERY]:
            found[delivery.status].add(delivery.event)
        self._with: dict[str, Set[int]] = {}
        seen: set[int] = set()
        for status in _WORST_FIRST:
            self._with[status] = found[status] - seen
            seen |= found[status]

    def of(self, event: Event) -> str:
        """The status of one event."""
        if not event.audience:
            return UNSUBSCRIBED
        if event.created_ms is None:
            return WAITING
        return next((status for status in _WORST_FIRST if event.n in self._with[status]), DROPPED)

    def counts(self) -> dict[str, int]:
        """How many events have each status, pings left out."""
        counts = {status: len(self._with.get(status, ())) for status in STATUSES}
        total = 0
        for event in self._state[EVENT]:
            if event.subject == PING_SUBJECT:
                continue
            total += 1
            if not event.audience:
                counts[UNSUBSCRIBED] += 1
            elif event.created_ms is None:
                counts[WAITING] += 1
        counts[DROPPED] += total - sum(counts.values())
        return counts
