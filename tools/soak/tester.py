"""The testers of a soak: one thread per world that moves time, makes faults and forks, takes back and compares."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import Any

from tools.soak.calls import Lost, SoakEnded
from tools.soak.checks import Orders
from tools.soak.comparison import Comparison
from tools.soak.findings import LOST_ORDER
from tools.soak.plan import Plan
from tools.soak.receivers import GOOD
from tools.soak.tested_world import WORLDS_PATH, TestedWorld

# Faults of a world's table. They hit the clients with the net-terms key, and deliveries.
FAULTS: tuple[dict[str, Any], ...] = (
    {"match": {"operation": "createTeamOrder", "credential": "partner.net_terms"}, "when": {"probability": 0.3},
     "effect": {"status": 503}},
    {"match": {"interface": "partner", "credential": "partner.net_terms"}, "when": {"probability": 0.2},
     "effect": {"drop": "after"}},
    {"match": {"interface": "partner", "credential": "partner.net_terms"}, "when": {"probability": 0.3},
     "effect": {"delay_s": {"from": 0.05, "to": 0.5}}},
    {"match": {"operation": "createTeamOrder", "credential": "partner.net_terms"}, "when": {"first": 2},
     "effect": {"hold": True}},
    {"match": {"host": GOOD}, "when": {"probability": 0.2}, "effect": {"webhook": "duplicate"}},
    {"match": {"host": GOOD}, "when": {"probability": 0.2}, "effect": {"webhook": "bad_signature"}},
    {"match": {"event": "team_order.claimed"}, "when": {"probability": 0.2}, "effect": {"webhook": "reorder"}},
)  # fmt: skip


class Tester(threading.Thread):
    """The tester of one world."""

    def __init__(self, plan: Plan, world: TestedWorld) -> None:
        super().__init__(name=f"tester-{world.world}", daemon=True)
        self.plan, self.world, self.findings, self.ledger = plan, world, world.findings, world.ledger
        self.comparison = Comparison(plan, world)
        self.choices = plan.stream("tester", world.world)
        self.forked = 0
        self.ending = threading.Event()

    def run(self) -> None:
        """Act and compare until the soak ends."""
        check_at = time.monotonic() + self.choices.uniform(0.3, 1.0) * self.plan.check_every_s
        with self.findings.watch_thread(SoakEnded):
            while not self.ending.is_set():
                with suppress(Lost):
                    if time.monotonic() >= check_at or self.comparison.generation != self.world.server.generation:
                        check_at = time.monotonic() + self.choices.uniform(0.7, 1.3) * self.plan.check_every_s
                        self.comparison.run()
                    else:
                        self.act()
                self.ending.wait(self.choices.uniform(0.1, 1.0))
            self.comparison.finish()

    def act(self) -> None:
        """Do one thing while the clients call."""
        actions = (self.advance, self.add_fault, self.delete_faults, self.fork, self.resend, self.reject, self.race)
        self.choices.choices(actions, (8, 6, 4, 2, 2, 2, 1))[0]()

    def advance(self) -> None:
        """Move the clock by some hours, or to the next timer."""
        goals = ({"by": "10m"}, {"by": "1h"}, {"by": "5h"}, {"until": "next"})
        self.world.control("POST", "/clock/advance", self.choices.choice(goals), busy=True)
        self.findings.count("advances")

    def add_fault(self) -> None:
        """Add a fault to the world's table."""
        self.world.control("POST", "/faults", self.choices.choice(FAULTS))
        self.findings.count("faults")

    def delete_faults(self) -> None:
        """Delete the world's faults, which releases held calls."""
        self.world.delete_faults()

    def resend(self) -> None:
        """Send an attempt once more."""
        seq = self.choices.randint(1, 200)
        self.world.control("POST", f"/deliveries/{seq}/resend", busy=True, allowed=(404, 409))

    def reject(self) -> None:
        """Let the carrier reject the parcels of an order, which the receivers that misbehave hear of."""
        with self.ledger.lock:
            orders = [order.order_id for order in self.ledger.partner.acknowledged.values()]
        if orders:
            body = {"team_order_id": self.choices.choice(orders), "to": "rejected"}
            self.world.control("POST", "/simulate/shipment", body, allowed=(409,))

    def race(self) -> None:
        """Undo, restore or reset while the clients call, and compare once they have stopped."""
        choices = [*self.comparison.snapshots, "undo", "undo", "reset"]
        self.comparison.race(self.choices.choice(choices), self.choices.randint(1, 3))

    def fork(self) -> None:
        """Fork the world, compare the copy with what was acknowledged, order in it, and delete it."""
        name = f"{self.world.world}-fork-{self.forked}"
        self.forked += 1
        with self.ledger.lock:
            known = {key: order.order_id for key, order in self.ledger.partner.acknowledged.items()}
        self.comparison.begin_fork(name)
        if self.world.control("POST", "/fork", {"id": name}, busy=True) is None:
            return
        self.world.call("PUT", f"{WORLDS_PATH}/{name}/receivers/{GOOD}", {"mode": "capture"})
        orders = Orders.read(self.world.rows("orders", name))
        missing = [key for key, order_id in known.items() if orders.partner.get(key) != order_id]
        if missing:
            self.findings.fail(LOST_ORDER, f"{name}: {len(missing)} orders of its parent, {missing[:3]}", len(missing))
        self.findings.count("forks")
        self.comparison.delete_forks()
