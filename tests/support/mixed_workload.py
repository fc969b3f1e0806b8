"""A long mixed workload, identical for the same seed: calls with faults, advances, claims, cancels and receivers.

`python -m tests.support.mixed_workload WORLD_ID SEED [INSTANT]` runs it in its own process and prints its transcript.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, TypeVar

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.kernel import random_streams
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, address_recipients, email_recipients, order_body
from tests.support.worlds import World

T = TypeVar("T")

ROUNDS = 30
SPANS = ("0s", "7m", "1h", "5h", "26h", "3d", "9d")
EVENT_TYPES = ("team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention")
TEE = {"merchant_product_id": 102, "fixed_options": {"1021": 10212}, "choice_variation_ids": [1022], "quantity": 1}
MUG = {"sku_code": "MUG-01", "quantity": 2}
SHAPES: tuple[dict[str, Any], ...] = (
    {"recipients": email_recipients(3), "return_claim_links": True},
    {"recipients": email_recipients(2), "open_seats": 2, "claim_expiry_days": 4},
    {"recipients": address_recipients(2, quantity=2), "reference": "REF", "po_number": "=1+1"},
    {"items": [TEE, MUG], "card": {"message": "Hello", "sender": "Ada"}, "destination_countries": ["US", "GB"]},
    {"recipients": address_recipients(1), "items": [{"sku_code": "NO-SUCH"}]},
    {"recipients": email_recipients(1, email="nobody")},
)
FAULTS: tuple[dict[str, Any], ...] = (
    {"match": {"operation": "createTeamOrder"}, "when": {"probability": 0.15}, "effect": {"status": 503}},
    {"match": {"operation": "listTeamOrders"}, "when": {"probability": 0.3}, "effect": {"drop": "after"}},
    {"when": {"every": 5}, "effect": {"charge": "card_charge_failed"}},
    {"when": {"calls": [7, 8]}, "effect": {"crash": "after_charge"}},
    {"when": {"probability": 0.2}, "effect": {"webhook": "duplicate"}},
)


class MixedWorkload:
    """A seeded sequence of calls. `transcript` has the responses with the world's id replaced by `{w}`."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.seed = world, seed
        self.partner, self.terms = world.partner(), world.partner("partner.net_terms")
        self.transcript: list[str] = []
        self.orders: list[int] = []
        self.draws = 0

    def pick(self, choices: Sequence[T]) -> T:
        """Choose one, by the workload's own random stream."""
        self.draws += 1
        return choices[random_streams.draw(self.seed, "story", self.draws) % len(choices)]

    def record(self, what: object) -> None:
        """Add something to the transcript."""
        text = what if isinstance(what, str) else json.dumps(what, sort_keys=True)
        self.transcript.append(text.replace(self.world.id, "{w}"))

    def call(self, face: PartnerClient, method: str, path: str, body: Any = None) -> Response | None:
        """Send a partner's request; None if the connection was dropped."""
        try:
            answer = face.call(method, path, body)
        except ConnectionError as lost:
            self.record(f"{method} {path}: {lost}")
            return None
        lines = [f"{method} {path} {answer.status}", *(f"{name}: {value}" for name, value in answer.headers.items())]
        self.record("\n".join([*lines, answer.text]))
        return answer

    def play(self, rounds: int = ROUNDS) -> str:
        """Run every round; the world's fingerprint afterwards."""
        self.set_up()
        for number in range(rounds):
            self.round(number)
        self.world.call_control("DELETE", "/faults")
        self.record(self.world.advance(until="idle"))
        for view in ("deliveries", "events", "mail", "ledger", "parcels", "payments", "timers"):
            self.record(self.world.call_control("GET", f"/{view}?limit=1000"))
        return self.world.fingerprint()

    def set_up(self) -> None:
        """Create endpoints, receivers that fail at times, limits and faults."""
        world = self.world
        for host, kinds in (("steady.partner.example", EVENT_TYPES), ("shaky.partner.example", EVENT_TYPES[1:])):
            self.call(self.partner, "POST", "/webhooks", {"url": f"https://{host}/gifts", "events": list(kinds)})
        script = [{"status": 503}, {"timeout": True}, {"reset": True}, {"status": 200}]
        world.set_receiver("shaky.partner.example", script=script * 5, outage={"from": "+3d", "to": "+6d"})
        world.change_account(wallet_cents=200_000, daily_limit_cents=60_000)
        world.change_account("partner.net_terms", credit_limit_cents=40_000)
        for n, fault in enumerate(FAULTS):
            world.call_control("POST", "/faults", {"id": f"fault-{n}", **fault})

    def round(self, number: int) -> None:
        """Create an order, perhaps retry it, and act on an existing one."""
        face = self.pick((self.partner, self.partner, self.terms))
        body = order_body(idempotency_key=f"chapter {number}", **self.pick(SHAPES))
        for _ in range(2):
            answer = self.call(face, "POST", "/team-orders", body)
            if answer and answer.status == 201:
                self.orders.append(answer.json()["team_order"]["id"])
                break
        if self.orders:
            self.pick((self.claim, self.cancel, self.read, self.ship))(self.pick(self.orders))
        self.pick((self.look, self.settle, self.ping))()
        self.record(self.world.advance(self.pick(SPANS)))

    def claim(self, order: int) -> None:
        """Claim for a recipient, on the claim page or by the control API."""
        parcels = [
            row
            for row in self.world.call_control("GET", "/parcels?limit=1000")["parcels"]
            if row["team_order_id"] == order
        ]
        parcel = self.pick(parcels)
        if parcel["claim_link"]:
            path = "/" + parcel["claim_link"].split("/", 3)[3]
            entry = {"address": RENO, "selection": {"1022": 10223}}
            answer = self.world.client.call("POST", path, body=entry, headers={"Accept": "application/json"})
        else:
            entry = {"team_order_id": order, "recipient_id": parcel["recipient_id"]}
            answer = self.world.control.post(f"/worlds/{self.world.id}/simulate/claim", entry)
        self.record(f"claim {answer.status}")

    def cancel(self, order: int) -> None:
        """Cancel one recipient, or all that are left."""
        for face in (self.partner, self.terms):
            answer = self.call(face, "GET", f"/team-orders/{order}")
            if answer and answer.status == 200:
                rows = [row["recipient_id"] for row in answer.json()["recipients"]]
                body = self.pick(({}, {"recipient_ids": [self.pick(rows)]}))
                self.call(face, "POST", f"/team-orders/{order}/cancel", body)

    def read(self, order: int) -> None:
        """Read an order with its claim links and its manifest."""
        self.call(self.partner, "GET", f"/team-orders/{order}?include=claim_links")
        self.call(self.partner, "GET", f"/team-orders/{order}/manifest.csv")

    def ship(self, order: int) -> None:
        """Move the parcels, if they can move."""
        to = self.pick(("in_production", "shipped", "delivered", "delayed", "rejected"))
        path = f"/worlds/{self.world.id}/simulate/shipment"
        self.record(f"{to} {self.world.control.post(path, {'team_order_id': order, 'to': to}).status}")

    def look(self) -> None:
        """List orders and read an endpoint."""
        self.call(self.partner, "GET", f"/team-orders?limit={self.pick((1, 5, 100))}")
        self.call(self.partner, "GET", f"/webhooks/{self.pick((1, 2))}")

    def settle(self) -> None:
        """Pay what is owed."""
        self.call(self.terms, "POST", "/billing/settle", self.pick(({}, {"amount_cents": 900})))

    def ping(self) -> None:
        """Try an endpoint."""
        self.call(self.partner, "POST", f"/webhooks/{self.pick((1, 2))}/test")


def main(world_id: str, seed: str, now: str | None = None) -> None:
    """Run the workload in this process and print the result."""
    simulator = Simulator(fixture="bare")
    config = {"id": world_id, "seed": int(seed), "fixture": "empty", **({"now": now} if now else {})}
    workload = MixedWorkload(World(simulator, **config), int(seed))
    sys.stdout.write(json.dumps({"fingerprint": workload.play(), "transcript": workload.transcript}))
    simulator.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
