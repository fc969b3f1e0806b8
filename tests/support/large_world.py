"""A world with very many orders in several states, faults and an outage, which lists and the strip must bear."""

from __future__ import annotations

from itertools import cycle
from typing import Any, Final

from giftsim import Simulator
from giftsim.engine.url_paths import CONTROL
from tests.support.orders import RENO

KEYS: Final = ("partner.prepaid", "partner.no_funds")
PEOPLE: Final = (
    "Bo Berg",
    "Cy Cole",
    "Di Dahl",
    "Ed Ekman",
    "Fay Falk",
    "Gil Grau",
    "Hana Ono",
    "Ines Ibarra",
    "Jo Juhl",
)
OUTAGE: Final = {"from": "+3d", "to": "+30d", "status": 503}
PATH: Final = "/api/external/team-orders"
EVENTS: Final = ["team_order.claimed", "team_order.shipped", "team_order.delivered"]
ADDRESSED_EVERY, UNPAID_EVERY, DAYS = 5, 400, 6


def fill_world(simulator: Simulator, many: int, world: str = "default") -> None:
    """Place orders over six days, some with an address, some unpaid. A receiver is down from the third day on."""
    client, control = simulator.client, f"{CONTROL}/worlds/{world}"

    def post(path: str, body: Any, key: str = "", status: tuple[int, ...] = (200, 201)) -> Any:
        response = client.call("POST", path, body=body, headers={"Authorization": f"Bearer {key}"} if key else {})
        assert response.status in status, response.text
        return response.json()

    credentials = client.call("GET", control).json()["credentials"]
    prepaid, poor = (credentials[key]["value"] for key in KEYS)
    post(f"{control}/simulate/account", {"key": KEYS[0], "add_cents": 10**10})
    hook = {"url": "https://hooks.partner.example/gifts", "events": EVENTS}
    client.call("PUT", f"{control}/receivers/hooks.partner.example", body={"outage": OUTAGE})
    post("/api/external/webhooks", hook, prepaid)
    names = cycle(PEOPLE)
    for day in range(DAYS):
        for n in range(day * many // DAYS, (day + 1) * many // DAYS):
            name = next(names)
            person = {"name": name, "email": f"{name.split()[0].lower()}@example.com"}
            addressed = {"name": name, "address": RENO}
            body = {
                "idempotency_key": f"large-{n}",
                "gift_sender": "Ada",
                "items": [{"sku_code": "MUG-01"}],
                "recipients": [person if n % ADDRESSED_EVERY and n > many // 50 else addressed],
            }
            post(PATH, body, poor if n % UNPAID_EVERY == 7 else prepaid, (201, 402))
        post(f"{control}/clock/advance", {"by": "1d"})
    post(f"{control}/faults", {"id": "slow-gifts", "match": {"operation": "sendGift"}, "effect": {"delay_s": 1}})
    post(f"{control}/faults", {"id": "store-503", "match": {"operation": "getStore"}, "effect": {"status": 503}})
