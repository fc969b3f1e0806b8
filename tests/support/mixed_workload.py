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
from giftsim.engine.url_paths import CONTROL
from tests.support.moves import MOVES, NET_TERMS, PREPAID, WEBHOOKS, Known, Request, credentials, learn
from tests.support.worlds import World

T = TypeVar("T")

ROUNDS = 30
EVENT_TYPES = ("team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention")
FAULTS: tuple[dict[str, Any], ...] = (
    {"match": {"operation": "createTeamOrder"}, "when": {"probability": 0.15}, "effect": {"status": 503}},
    {"match": {"operation": "listTeamOrders"}, "when": {"probability": 0.3}, "effect": {"drop": "after"}},
    {"when": {"every": 5}, "effect": {"charge": "card_charge_failed"}},
    {"when": {"calls": [7, 8]}, "effect": {"crash": "after_charge"}},
    {"when": {"probability": 0.2}, "effect": {"webhook": "duplicate"}},
)
WITH_AN_ORDER = ("claim", "claim_on_page", "cancel", "read_links", "manifest", "ship")
TROUBLES = ("carry", "carry", "correct_address", "bounce", "end_refund", "stock", "bank_errs")
BESIDE = ("list_orders", "settle", "ping", "read_endpoint")


class MixedWorkload:
    """A seeded sequence of calls. `transcript` has the responses with the world's id replaced by `{w}`."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.seed = world, seed
        self.known = Known(world.id)
        self.transcript: list[str] = []
        self.draws = 0

    def go_on_from(self, other: MixedWorkload) -> None:
        """Go on in a fork of another workload's world, from where that is now."""
        links = [link.replace(other.world.id, self.world.id) for link in other.known.links]
        own = {name: list(value) for name, value in vars(other.known).items() if isinstance(value, list)}
        self.known = Known(self.world.id, **{**own, "links": links}, keys=other.known.keys)
        self.draws = other.draws

    def pick(self, choices: Sequence[T], /) -> T:
        """Choose one, by the workload's own random stream."""
        self.draws += 1
        return choices[random_streams.draw_number(self.seed, "story", self.draws) % len(choices)]

    def record(self, what: object) -> None:
        """Add something to the transcript."""
        text = what if isinstance(what, str) else json.dumps(what, sort_keys=True)
        self.transcript.append(text.replace(self.world.id, "{w}"))

    def send(self, request: Request) -> Response | None:
        """Send a request; None if the connection was dropped."""
        method, path, body, credential = request
        headers = {"Accept": "application/json", **credentials(self.world.id, credential)}
        try:
            answer = self.world.client.call(method, path, body=body, headers=headers)
        except ConnectionError as lost:
            self.record(f"{method} {path}: {lost}")
            return None
        head = f"{method} {path} {answer.status}"
        if path.startswith((CONTROL, "/claim/")):  # ids of these requests are those of the simulator
            self.record(f"{head}\n{answer.text if answer.status < 400 else ''}")
        else:
            shown = (f"{name}: {value}" for name, value in answer.headers.items())
            self.record("\n".join([head, *shown, answer.text]))
        return answer

    def play(self, rounds: int = ROUNDS) -> str:
        """Run every round; the world's fingerprint afterwards."""
        self.set_up()
        for _ in range(rounds):
            self.round()
        self.world.call_control("DELETE", "/faults")
        self.record(self.world.advance(until="idle"))
        for view in ("deliveries", "events", "mail", "ledger", "parcels", "payments", "timers"):
            self.record(self.world.call_control("GET", f"/{view}?limit=1000"))
        return self.world.fingerprint()

    def set_up(self) -> None:
        """Create endpoints, receivers that fail at times, limits and faults."""
        world = self.world
        for host, kinds in (("steady.partner.example", EVENT_TYPES), ("shaky.partner.example", EVENT_TYPES[1:])):
            hook = {"url": f"https://{host}/gifts", "events": list(kinds)}
            answer = self.send(Request("POST", WEBHOOKS, hook, PREPAID))
            assert answer is not None
            self.known.endpoints.append(answer.json()["endpoint"]["id"])
        script = [{"status": 503}, {"timeout": True}, {"reset": True}, {"status": 200}]
        world.set_receiver("shaky.partner.example", script=script * 5, outage={"from": "+3d", "to": "+6d"})
        world.change_account(wallet_cents=200_000, daily_limit_cents=60_000)
        world.change_account("partner.net_terms", credit_limit_cents=40_000)
        for n, fault in enumerate(FAULTS):
            world.call_control("POST", "/faults", {"id": f"fault-{n}", **fault})

    def round(self) -> None:
        """Create an order, perhaps retry it, act on an existing one, and let time pass."""
        create = MOVES["create_shaped"].make(self.known, self.pick)
        create = create._replace(credential=self.pick((PREPAID, PREPAID, NET_TERMS)))
        for _ in range(2):
            answer = self.send(create)
            if answer and answer.status == 201:
                learn(self.known, "create_shaped", answer.json())
                break
        for names in (WITH_AN_ORDER, TROUBLES, BESIDE, ("advance",)):
            ready = [name for name in names if MOVES[name].ready(self.known)]
            if ready:
                self.send(MOVES[self.pick(ready)].make(self.known, self.pick))


def main(world_id: str, seed: str, now: str | None = None) -> None:
    """Run the workload in this process and print the result."""
    simulator = Simulator(fixture="bare")
    config = {"id": world_id, "seed": int(seed), "fixture": "empty", **({"now": now} if now else {})}
    workload = MixedWorkload(World(simulator, **config), int(seed))
    sys.stdout.write(json.dumps({"fingerprint": workload.play(), "transcript": workload.transcript}))
    simulator.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
