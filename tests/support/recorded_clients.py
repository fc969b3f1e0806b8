"""Three clients of a recorded service, each with its own mix of calls: partners, a team and a museum, for ten days."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, TypeVar

from tests.support.orders import RENO
from tests.support.recorded_service import RecordedService

PARTNER, TEAM, MUSEUM = "/api/external", "/api/teams/v1", "/v1.1"
P, T, L, M = "partner.prepaid", "team.test", "team.live_approver", "museum"
DAYS, CALLS = 10, 500


Item = TypeVar("Item")


class Choices:
    """Choices that a seed makes, always the same ones."""

    def __init__(self, seed: int) -> None:
        self._seed, self._drawn = seed, 0

    def number(self, below: int) -> int:
        """A number from 0 on."""
        self._drawn += 1
        return int.from_bytes(sha256(f"{self._seed}-{self._drawn}".encode()).digest()[:6]) % below

    def one_of(self, values: Sequence[Item]) -> Item:
        """One of several values."""
        return values[self.number(len(values))]


class Client:
    """A client whose choices come from a seed."""

    def __init__(self, service: RecordedService, seed: int) -> None:
        self.service, self.choices, self.count = service, Choices(seed), 0
        self.orders: list[int] = []
        self.keys = 0

    def call(self, method: str, path: str, body: Any = None, *, by: str, **headers: str) -> Any:
        """One call; its JSON."""
        self.count += 1
        response = self.service.call(method, path, body, by=by, **headers)
        return response.json() if "json" in response.headers.get("content-type", "") else None

    def key(self) -> str:
        """A new idempotency key."""
        self.keys += 1
        return f"key-{self.keys}-{self.choices.number(2**40):x}"

    def begin(self) -> None:
        """Subscribe to webhooks."""
        for host in ("hooks.partner.example", "more.partner.example"):
            events = ["team_order.claimed", "team_order.shipped", "team_order.delivered"]
            self.call(
                "POST",
                f"{PARTNER}/webhooks",
                {"url": f"https://{host}/in", "events": events[: 3 if "hooks" in host else 1]},
                by=P,
            )
        self.call(
            "POST",
            f"{TEAM}/webhooks",
            {"url": "https://hooks.team.example/in", "events": ["gift.sent", "team_order.shipped"]},
            by=T,
            **{"Idempotency-Key": self.key()},
        )
        self.service.world.control(
            "PUT", "/receivers/hooks.partner.example", {"outage": {"from": "+72h", "to": "+104h"}}
        )

    def order(self) -> None:
        """Order a gift whose recipient claims it."""
        name = self.choices.one_of(["Bo", "Cy", "Di", "Ed"])
        body = {
            "idempotency_key": self.key(),
            "gift_sender": "Ada",
            "items": [{"sku_code": self.choices.one_of(["MUG-01", "PEN-01"])}],
            "recipients": [{"name": name, "email": f"{name.lower()}{self.count}@example.com"}],
        }
        made = self.call("POST", f"{PARTNER}/team-orders", body, by=P)
        self.orders.append(made["team_order"]["id"])
        self.call("GET", f"{PARTNER}/team-orders/{self.orders[-1]}", by=P)
        if self.choices.number(10) < 7:
            self.service.advance("20m")
            self.service.act("claim", team_order_id=self.orders[-1], recipient=0)

    def addressed(self) -> None:
        """Order a gift to an address."""
        person = {"name": "Flo", "company": "A", "quantity": 1, "address": dict(RENO)}
        body = {
            "idempotency_key": self.key(),
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": [person],
        }
        made = self.call("POST", f"{PARTNER}/team-orders", body, by=P)
        self.orders.append(made["team_order"]["id"])

    def read(self) -> None:
        """Read orders."""
        self.call("GET", f"{PARTNER}/team-orders/{self.choices.one_of(self.orders)}", by=P)
        self.call("GET", f"{PARTNER}/team-orders", by=P)

    def webhooks(self) -> None:
        """Look after webhooks."""
        rows = self.call("GET", f"{PARTNER}/webhooks", by=P)["endpoints"]
        self.call("GET", f"{PARTNER}/webhooks/{rows[0]['id']}", by=P)
        self.call("POST", f"{PARTNER}/webhooks/{rows[0]['id']}/test", {}, by=P)
        rows = self.call("GET", f"{TEAM}/webhooks", by=T)["data"]
        self.call("POST", f"{TEAM}/webhooks/{rows[0]['id']}/test", {}, by=T, **{"Idempotency-Key": self.key()})

    def people(self) -> None:
        """Add people, twice with the same key, and once wrongly."""
        headers = {"Idempotency-Key": self.key()}
        name = self.choices.one_of(["Gil", "Hal", "Ida"])
        body = {"people": [{"first_name": name, "last_name": "Doe", "work_email": f"{name}{self.count}@example.com"}]}
        self.call("POST", f"{TEAM}/people", body, by=T, **headers)
        self.call("POST", f"{TEAM}/people", body, by=T, **headers)
        self.call("POST", f"{TEAM}/people", {"people": [{"first_name": 7}]}, by=T, **{"Idempotency-Key": self.key()})
        self.call("GET", f"{TEAM}/people?limit=1000", by=T)
        self.call("GET", f"{TEAM}/people?limit=5", by=T)

    def quote(self) -> None:
        """Ask for prices."""
        body = {"collection": "welcome-kit", "headcount": 1 + self.choices.number(9)}
        self.call("POST", f"{TEAM}/team-orders/quote", body, by=T, **{"Idempotency-Key": self.key()})
        self.call("GET", f"{TEAM}/billing/balance", by=T)

    def museum(self) -> None:
        """Visit the museum."""
        self.call("GET", f"{MUSEUM}/museum-hours?limit=3", by=M)
        day = self.service.world.refresh()["now"][:10]
        event = {"name": "Night", "location": "Hall", "eventDescription": "Lights", "dates": [day], "price": 12.5}
        self.call("POST", f"{MUSEUM}/special-events", event, by=M)
        self.call("POST", f"{MUSEUM}/tickets", {"ticketType": "general", "ticketDate": day}, by=M)
        self.call(
            "POST",
            f"{MUSEUM}/tickets",
            {"ticketType": "general", "ticketDate": "someday", "email": "a@example.com"},
            by=M,
        )


MIXES = {
    "partner": [Client.order, Client.order, Client.read, Client.read, Client.webhooks, Client.addressed],
    "team": [Client.people, Client.people, Client.quote, Client.quote, Client.order, Client.webhooks],
    "museum": [Client.museum, Client.museum, Client.museum, Client.quote, Client.read, Client.people],
}


def drive(service: RecordedService, mix: str, seed: int, *, calls: int = CALLS) -> Client:
    """Let a client live for ten days: each day all that it can do, then what its mix says."""
    client = Client(service, seed)
    client.begin()
    everything = [
        Client.order,
        Client.addressed,
        Client.read,
        Client.webhooks,
        Client.people,
        Client.quote,
        Client.museum,
    ]
    for day in range(1, DAYS + 1):
        today = [*everything] if day in (1, 4, 9) else []
        while client.count < calls * day // DAYS:
            step = today.pop(0) if today else client.choices.one_of(MIXES[mix])
            step(client)
        service.advance("1d")
    client.read()
    return client
