"""Webhooks of partners: facts become events, the hourly run sends them, failed attempts are retried (001, 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.models.compare import Learned
from tests.models.partner_money import Account, Key

Json = dict[str, Any]

KINDS = ["team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention"]
MINUTE, HOUR, DAY = 60, 3_600, 86_400
RETRIES = (5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 48 * HOUR)  # P-6.18
MOST_ENDPOINTS = 10  # active ones per key (P-8.3, B28)
DETAIL_SHOWS = 50  # P-8.4


def instant(at: int | None) -> str | None:
    """Instants are printed in whole seconds of UTC (G12)."""
    return None if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def start_of(day: str) -> int:
    """Dates are days of UTC (G12)."""
    return int(datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp())


@dataclass(eq=False)
class Endpoint:
    """A subscription. It stays readable when it is disabled (B28)."""

    key: Key
    host: str
    kinds: Sequence[str]
    created_at: int
    active: bool = True
    id: Learned = field(default_factory=lambda: Learned(int))
    secret: Learned = field(default_factory=lambda: Learned(str))
    deliveries: list[Delivery] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"https://{self.host}/gifts"

    def json(self) -> Json:
        """The record: P-2.38, B29."""
        status = "active" if self.active else "disabled"
        return {
            "id": self.id, "url": self.url, "status": status, "events": self.kinds,
            "created_at": instant(self.created_at),
        }  # fmt: skip

    def row(self) -> Json:
        """In the list it has the numbers of its pending and dead deliveries (P-4.13, P-6.19)."""
        states = [delivery.status for delivery in self.deliveries]
        return {**self.json(), "pending_count": states.count("pending"), "dead_count": states.count("dead")}

    def detail(self) -> Json:
        """The read adds the last 50 deliveries, newest first (P-4.14, P-8.4)."""
        newest = self.deliveries[::-1][:DETAIL_SHOWS]
        return {"endpoint": self.json(), "deliveries": [delivery.json() for delivery in newest]}


@dataclass(eq=False)
class Event:
    """One fact, with one id for all its deliveries (P-6.20, B27). `data` is as it was when it happened (P-2.45)."""

    kind: str
    data: Json
    audience: list[Endpoint]
    sent_at: int | None = None
    id: Learned = field(default_factory=lambda: Learned(str))

    def body(self) -> Json:
        """P-2.41."""
        return {"id": self.id, "type": self.kind, "created_at": instant(self.sent_at), "data": self.data}


@dataclass(eq=False)
class Delivery:
    """An event on its way to one endpoint: pending, delivered, dead or dropped (G26)."""

    event: Event
    endpoint: Endpoint
    created_at: int
    next_at: int | None
    turn: int
    status: str = "pending"
    attempts: int = 0
    last_code: int | None = None
    id: Learned = field(default_factory=lambda: Learned(int))

    def json(self) -> Json:
        """B29."""
        return {
            "id": self.id, "event_id": self.event.id, "type": self.event.kind, "status": self.status,
            "attempts": self.attempts, "last_status_code": self.last_code, "next_attempt_at": instant(self.next_at),
            "created_at": instant(self.created_at),
        }  # fmt: skip


@dataclass(frozen=True)
class Arrival:
    """What a receiver gets: one attempt of a delivery, and how it answered."""

    at: int
    endpoint: Endpoint
    event: Event
    attempt: int
    answer: int | None

    def json(self) -> Json:
        """The attempt as the control API lists it."""
        return {
            "at": instant(self.at), "url": self.endpoint.url, "event_id": self.event.id, "type": self.event.kind,
            "attempt": self.attempt, "status": self.answer,
        }  # fmt: skip


class Webhooks:
    """All endpoints of all accounts. `answers` is how each host answers: a status, or None for no answer in 10 s."""

    def __init__(self, next_turn: Callable[[], int]) -> None:
        self.next_turn = next_turn
        self.endpoints: list[Endpoint] = []
        self.waiting: list[Event] = []
        self.run_at: int | None = None
        self.pending: list[Delivery] = []
        self.arrivals: list[Arrival] = []
        self.answers: dict[str, int | None] = {}

    def of(self, account: Account) -> list[Endpoint]:
        """Every key of an account sees the account's endpoints (G26)."""
        return [endpoint for endpoint in self.endpoints if endpoint.key.account is account]

    def has_room(self, key: Key) -> bool:
        """At most 10 active endpoints per key (P-8.3)."""
        return sum(each.active for each in self.endpoints if each.key is key) < MOST_ENDPOINTS

    def subscribe(self, key: Key, host: str, kinds: Sequence[str], at: int) -> Endpoint:
        """A new endpoint gets nothing of what happened before (B27)."""
        self.endpoints.append(Endpoint(key, host, kinds, at))
        return self.endpoints[-1]

    def disable(self, endpoint: Endpoint) -> None:
        """It gets nothing more: neither new events nor pending retries (P-4.15, B28)."""
        endpoint.active = False
        for delivery in self.pending:
            if delivery.endpoint is endpoint:
                delivery.status, delivery.next_at = "dropped", None
        self._forget_ended()

    def happened(self, account: Account, kind: str, data: Json, at: int, by_time: bool) -> None:
        """A fact waits for the hourly run, for those who were subscribed when it happened (P-6.9, P-6.15, B27).

        What time brings about at a full hour is still in the run of that hour; a call at that instant is not (B45).
        """
        audience = [each for each in self.of(account) if each.active and kind in each.kinds]
        if audience:
            self.waiting.append(Event(kind, data, audience))
            if self.run_at is None:
                self.run_at = at if by_time and at % HOUR == 0 else (at // HOUR + 1) * HOUR

    def next_due(self) -> int | None:
        """The next instant at which something is sent: the full hour for new facts (P-6.15), and retries (B26)."""
        due = [delivery.next_at for delivery in self.pending]
        return min((at for at in (*due, self.run_at) if at is not None), default=None)

    def run(self, at: int) -> None:
        """At a full hour, send what has happened since the last one; then make the attempts that are due (B45)."""
        if self.run_at == at:
            events, self.waiting, self.run_at = self.waiting, [], None
            for event in events:
                event.sent_at = at
                for endpoint in event.audience:
                    if endpoint.active:
                        endpoint.deliveries.append(Delivery(event, endpoint, at, at, self.next_turn()))
                        self.pending.append(endpoint.deliveries[-1])
        for delivery in sorted((each for each in self.pending if each.next_at == at), key=lambda each: each.turn):
            self._attempt(delivery, at)
        self._forget_ended()

    def ping(self, endpoint: Endpoint, at: int) -> int | None:
        """A ping describes its endpoint (G117), and is not one of its deliveries (B29); how the receiver answers."""
        data = {"endpoint": {"id": endpoint.id, "status": "active"}, "occurred_at": instant(at)}
        answer = self.answers.get(endpoint.host, 200)
        self.arrivals.append(Arrival(at, endpoint, Event("ping", data, [], at), 1, answer))
        return answer

    def _attempt(self, delivery: Delivery, at: int) -> None:
        """Only a 2xx ends it. Each retry counts from the attempt before; after the last, it is dead (B44, P-6.16)."""
        answer = self.answers.get(delivery.endpoint.host, 200)
        delivery.attempts += 1
        self.arrivals.append(Arrival(at, delivery.endpoint, delivery.event, delivery.attempts, answer))
        delivery.last_code, delivery.next_at = answer, None
        if answer is not None and 200 <= answer < 300:
            delivery.status = "delivered"
        elif delivery.attempts > len(RETRIES):
            delivery.status = "dead"  # P-6.19
        else:
            delivery.next_at = at + RETRIES[delivery.attempts - 1]
            delivery.turn = self.next_turn()

    def _forget_ended(self) -> None:
        self.pending = [delivery for delivery in self.pending if delivery.status == "pending"]
