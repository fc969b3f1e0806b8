"""Facts from the webhooks of a world: which events an endpoint accepted, and what went wrong on the way (G224)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from giftsim.engine.gateway.faults.webhook_faults import EVENT_TABLE, OWNER_INTERFACE
from giftsim.engine.kernel.instants import DAY
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.attempt import ATTEMPT, WIRE_TIMING, AppAnswer, Attempt
from giftsim.engine.webhooks.endpoint import ENDPOINT
from giftsim.engine.webhooks.event import EVENT, PING_SUBJECT, Event
from giftsim.engine.webhooks.outgoing import BAD_SIGNATURE, DELIVERED, STALE_SIGNATURE, outcome_of_status
from giftsim.workbench.coverage.items import (
    AGAIN,
    LATE,
    OLD_SIGNATURE,
    OUT_OF_ORDER,
    ROTATED,
    TWICE,
    WRONG_SIGNATURE,
    Items,
)
from giftsim.workbench.coverage.met import Met

FORGED = {BAD_SIGNATURE: WRONG_SIGNATURE, STALE_SIGNATURE: OLD_SIGNATURE}


class WebhookFacts:
    """Reads the attempts of one world into `met`, from slot `first` on. `begin` starts over, as after an undo."""

    def __init__(self, items: Items, met: Met, first: int) -> None:
        self._items, self._met, self._first = items, met, first
        self.begin()

    def begin(self) -> None:
        """Start over with the first attempt of the world."""
        self._next, self._answers = self._first, 0
        self._accepted: set[tuple[int, int]] = set()  # endpoint and event
        self._refused: set[tuple[int, int]] = set()  # those that the app failed to take
        self._latest: dict[tuple[int, str, int], int] = {}  # the newest event that an endpoint accepted of a record

    def read(self, state: State, answers: Sequence[AppAnswer]) -> Iterator[int]:
        """Read the subscriptions, and what has been answered since the last time; the instants of the app's answers."""
        for endpoint in state[ENDPOINT]:
            interface = state.handler(OWNER_INTERFACE)(endpoint.owner)
            names = (self._items.events.get((interface, kind)) for kind in endpoint.kinds)
            self._met.subscribed.update(name for name in names if name is not None)
        yield from self._read_attempts(state)
        table = state[ATTEMPT]
        for answer in answers[self._answers :]:
            self._answers += 1
            attempt = table.at(answer.attempt)
            if attempt is not None:  # else the log has dropped it
                self._read(state, attempt, answer.status)
                yield attempt.at_ms

    def _read_attempts(self, state: State) -> Iterator[int]:
        """Read the attempts that were forwarded to the app. Of others it is noted that giftsim captured their event."""
        table = state[ATTEMPT]
        while self._next < table.next_n:
            attempt = table.at(self._next)
            if attempt is not None:
                if attempt.outcome is None:
                    return
                if state[WIRE_TIMING].find("attempt", attempt.n) is not None:
                    self._read(state, attempt, attempt.status)
                    yield attempt.at_ms
                elif attempt.outcome == DELIVERED and (name := self._name(state, attempt)) is not None:
                    self._met.captured.add(name)
            self._next += 1

    def _name(self, state: State, attempt: Attempt) -> str | None:
        event = state[EVENT].get(attempt.event)
        return self._items.events.get((state.handler(OWNER_INTERFACE)(event.owner), event.kind))

    def _read(self, state: State, attempt: Attempt, status: int | None) -> None:
        """Read an attempt that the app answered with a status, None for no answer."""
        if status is None:
            return
        if outcome_of_status(status) == DELIVERED:
            self._accept(state, attempt, state[EVENT].get(attempt.event))
            return
        if attempt.effect in FORGED:
            self._met.faults.add(FORGED[attempt.effect])
        if status >= 500:
            self._refused.add((attempt.endpoint, attempt.event))

    def _accept(self, state: State, attempt: Attempt, event: Event) -> None:
        met, pair = self._met, (attempt.endpoint, attempt.event)
        if (name := self._name(state, attempt)) is not None:
            met.events.add(name)
            met.answered.add(name)
        if event.subject == PING_SUBJECT:
            return
        if pair in self._accepted:
            met.faults.add(TWICE)
            return
        if pair in self._refused:
            met.faults.add(AGAIN)
        if attempt.at_ms - event.occurred_ms >= DAY:
            met.faults.add(LATE)
        self._accepted.add(pair)
        self._note_order(state, attempt, event)
        self._note_secret(state, attempt)

    def _note_order(self, state: State, attempt: Attempt, event: Event) -> None:
        about = (attempt.endpoint, state.handler(EVENT_TABLE)(event), event.subject)
        latest = self._latest.get(about, -1)
        if event.n < latest:
            self._met.faults.add(OUT_OF_ORDER)
        self._latest[about] = max(latest, event.n)

    def _note_secret(self, state: State, attempt: Attempt) -> None:
        """A secret is rotated by another endpoint with the same URL."""
        if ROTATED in self._met.faults:
            return
        endpoint = state[ENDPOINT].get(attempt.endpoint)
        earlier = (other for other in state[ENDPOINT].rows[: endpoint.n] if other is not None)
        if any(other.url == endpoint.url and other.owner == endpoint.owner for other in earlier):
            self._met.faults.add(ROTATED)
