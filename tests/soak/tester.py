"""The testers of a soak: one thread per world that moves time, makes faults and forks, takes back and compares."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tests.soak.calls import Lost, SoakEnded
from tests.soak.checks import (
    DeliveryBook,
    Orders,
    TakeBack,
    check_money,
    compare_orders,
    compare_taken_back,
    forget_taken_back,
)
from tests.soak.clients import NET_TERMS
from tests.soak.findings import LEFT_OVER, LOST_EVENT, LOST_ORDER, Findings
from tests.soak.ledger import WorldLedger
from tests.soak.plan import Plan
from tests.soak.receivers import GOOD, Receivers
from tests.soak.server import Server
from tests.soak.world_calls import WORLDS_PATH, WorldCalls

ATTENTION = "team_order.needs_attention"
KINDS = ["team_order.claimed", "team_order.shipped", "team_order.delivered", ATTENTION]
SETTINGS = MappingProxyType(
    {"webhooks.forward_timeout_s": 1, "partner.reconcile_unknown": "paid", "idempotency.lifetime": "3650d"}
)
FULL = 600  # orders of a world at which it is reset

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
    """The tester of one world. A comparison stops the world's clients and its clock, and waits for its deliveries."""

    def __init__(
        self, plan: Plan, server: Server, findings: Findings, ledger: WorldLedger, receivers: Receivers
    ) -> None:
        super().__init__(name=f"tester-{ledger.world}", daemon=True)
        self.plan, self.server, self.findings, self.ledger = plan, server, findings, ledger
        self.world, self.receivers = ledger.world, receivers
        self.calls = WorldCalls(ledger.world, server, findings)
        self.choices = plan.stream("tester", self.world)
        self.book = DeliveryBook()
        self.snapshots: dict[str, Orders] = {}
        self.forks: list[str] = []
        self.forked = 0
        self.taking: tuple[Orders, TakeBack] | None = None
        self.checked_generation = 0
        self.ending = threading.Event()

    def run(self) -> None:
        """Act and compare until the soak ends."""
        check_at = time.monotonic() + self.choices.uniform(0.3, 1.0) * self.plan.check_every_s
        with self.findings.watch_thread(SoakEnded):
            while not self.ending.is_set():
                with suppress(Lost):
                    if time.monotonic() >= check_at or self.checked_generation != self.server.generation:
                        check_at = time.monotonic() + self.choices.uniform(0.7, 1.3) * self.plan.check_every_s
                        self.compare()
                    else:
                        self.act()
                self.ending.wait(self.choices.uniform(0.1, 1.0))
            self.finish()

    # What happens beside the clients

    def act(self) -> None:
        """Do one thing while the clients call."""
        self.choices.choices(
            (self.advance, self.add_fault, self.delete_faults, self.fork, self.resend), (4, 3, 2, 1, 1)
        )[0]()

    def advance(self) -> None:
        """Move the clock by some hours, or to the next timer."""
        goals = ({"by": "10m"}, {"by": "1h"}, {"by": "5h"}, {"until": "next"})
        self.calls.control("POST", "/clock/advance", self.choices.choice(goals), busy=True)
        self.findings.count("advances")

    def add_fault(self) -> None:
        """Add a fault to the world's table."""
        self.calls.control("POST", "/faults", self.choices.choice(FAULTS))
        self.findings.count("faults added")

    def delete_faults(self) -> None:
        """Delete the world's faults, which releases held calls."""
        self.calls.control("DELETE", "/faults")

    def resend(self) -> None:
        """Send an attempt once more."""
        seq = self.choices.randint(1, 200)
        self.calls.control("POST", f"/deliveries/{seq}/resend", busy=True, allowed=(404, 409))

    def reject(self) -> None:
        """Let the carrier reject the parcels of an order, which the receivers that misbehave hear of."""
        with self.ledger.lock:
            orders = [order.order_id for order in self.ledger.partner.acknowledged.values()]
        if orders:
            body = {"team_order_id": self.choices.choice(orders), "to": "rejected"}
            self.calls.control("POST", "/simulate/shipment", body, allowed=(409,))

    def fork(self) -> None:
        """Fork the world, compare the copy with what was acknowledged, order in it, and delete it."""
        name = f"{self.world}-fork-{self.forked}"
        self.forked += 1
        with self.ledger.lock:
            known = {key: order.order_id for key, order in self.ledger.partner.acknowledged.items()}
        self.receivers.arrivals.forking(self.world, begins=True)
        self.forks.append(name)
        if self.calls.control("POST", "/fork", {"id": name}, busy=True) is None:
            return
        self.calls.call("PUT", f"{WORLDS_PATH}/{name}/receivers/{GOOD}", {"mode": "capture"})
        orders = Orders.read(self.calls.rows("orders", name))
        missing = [key for key, order_id in known.items() if orders.partner.get(key) != order_id]
        if missing:
            self.findings.fail(LOST_ORDER, f"{name}: {len(missing)} orders of its parent, {missing[:3]}", len(missing))
        self.findings.count("forks")
        self.delete_forks()

    def delete_forks(self) -> None:
        """Delete the forks made so far, those too whose creation was not acknowledged."""
        for name in list(self.forks):
            self.calls.call("DELETE", f"{WORLDS_PATH}/{name}", allowed=(404,))
            self.forks.remove(name)
        self.receivers.arrivals.forking(self.world, begins=False)

    # Comparisons, alone in the world

    def compare(self) -> None:
        """Compare the world with the books, and perhaps take something back. A kill meanwhile starts it again."""
        gate = self.ledger.gate
        gate.close()
        try:
            while True:
                try:
                    self.delete_forks()
                    self.delete_faults()
                    if not gate.drain():
                        self.findings.fail(LEFT_OVER, f"{self.world}: calls hang although no fault holds them")
                    self.compare_alone()
                    return
                except Lost:
                    continue
        finally:
            gate.open()

    def compare_alone(self) -> None:
        """Compare, take something back, compare that, and let the clock run again."""
        generation = self.server.generation
        orders = self.settle()
        if self.taking is not None:  # a kill came while something was taken back
            before, how = self.taking
            self.finish_taking(before, orders, how)
        else:
            compare_orders(self.ledger, orders, self.findings)
            kills = self.server.generation
            arrived = self.receivers.arrivals.take(self.world)
            self.book.compare(
                self.world, self.calls.rows("deliveries", query=f"&host={GOOD}"), arrived, kills, self.findings
            )
            check_money(self.world, self.calls.rows, self.findings)
            self.take_back(orders)
        self.set_up()
        self.start_clock()
        self.findings.count("comparisons")
        self.checked_generation = generation

    def settle(self) -> Orders:
        """Stop the clock and wait for deliveries in flight; the orders."""
        self.calls.control("PUT", "/clock", {"mode": "manual"}, busy=True)
        self.calls.control("GET", "/fingerprint", busy=True)
        return Orders.read(self.calls.rows("orders"))

    def start_clock(self) -> None:
        """Let the clock run again."""
        if self.plan.rate:
            self.calls.control("PUT", "/clock", {"mode": "running", "rate": self.plan.rate}, busy=True)

    def take_back(self, orders: Orders) -> None:
        """Undo, restore or reset, or take a snapshot, or leave everything as it is."""
        choice = self.choices.choices(("nothing", "undo", "snapshot", "restore", "reset"), (3, 4, 3, 2, 1))[0]
        if len(orders.partner) > FULL:
            choice = "reset"
        if choice == "undo":
            many = self.choices.randint(1, 5)
            with self.ledger.lock:
                held = self.ledger.partner.keys_of(NET_TERMS)
            self.taking = orders, TakeBack("undo", most=many, held=held)
            self.snapshots.clear()
            self.calls.control("POST", "/undo", {"count": many}, busy=True, allowed=(409,))
        elif choice == "snapshot":
            name = f"s{self.choices.randint(1, 3)}"
            self.snapshots.pop(name, None)
            self.calls.control("POST", "/snapshots", {"name": name}, busy=True)
            self.snapshots[name] = orders
        elif choice == "restore" and self.snapshots:
            name = self.choices.choice(list(self.snapshots))
            self.taking = orders, TakeBack(f"restore of {name}", exactly=self.snapshots[name])
            self.calls.control("POST", f"/snapshots/{name}/restore", busy=True)
        elif choice == "reset":
            self.taking = orders, TakeBack("reset", exactly=Orders({}, frozenset()))
            self.snapshots.clear()
            self.calls.control("POST", "/reset", busy=True)
        self.findings.count({"nothing": "nothing taken back"}.get(choice, f"{choice}s"))
        if self.taking is not None:
            before, how = self.taking
            self.finish_taking(before, self.settle(), how, sure=True)

    def finish_taking(self, before: Orders, after: Orders, how: TakeBack, *, sure: bool = False) -> None:
        """Compare what is left with what an undo, restore or reset may leave, and go on from there."""
        self.taking = None
        compare_taken_back(self.world, before, after, replace(how, unsure=not sure), self.findings)
        forget_taken_back(self.ledger, after)
        self.receivers.arrivals.take(self.world)
        self.book.begin(self.deliveries(), self.server.generation)

    def deliveries(self) -> list[Any]:
        """Every attempt to deliver to the good receiver."""
        return self.calls.rows("deliveries", query=f"&host={GOOD}")

    # Setting the world up

    def create(self) -> None:
        """Create the world."""
        clock = {"mode": "running", "rate": self.plan.rate} if self.plan.rate else {"mode": "manual"}
        settings = {
            "webhooks.forward_timeout_s": 1,
            "partner.reconcile_unknown": "paid",
            "idempotency.lifetime": "3650d",
        }
        body = {
            "id": self.world,
            "fixture": "empty",
            "seed": self.plan.seed + self.plan.names.index(self.world),
            "clock": clock,
        }
        self.calls.call("POST", WORLDS_PATH, {**body, "settings": settings})
        self.set_up()

    def set_up(self) -> None:
        """Give the accounts money, and subscribe to webhooks where that was taken back."""
        self.calls.control("POST", "/simulate/account", {"key": "partner.prepaid", "wallet_cents": 10**9})
        self.calls.control("POST", "/simulate/account", {"key": "partner.net_terms", "credit_limit_cents": 10**9})
        have = {row["url"] for row in self.calls.rows("endpoints")}
        for host in self.receivers.by_host:
            url = f"https://{host}/{self.world}/gifts"
            if url not in have:
                body = {"url": url, "events": KINDS if host == GOOD else [ATTENTION]}
                key = {"Authorization": f"Bearer pk_live_{self.world}_prepaid"}
                self.calls.call("POST", "/api/external/webhooks", body, headers=key)
        endpoints = [row["id"] for row in self.calls.rows("endpoints")]
        with self.ledger.lock:
            self.ledger.endpoints = endpoints

    def finish(self) -> None:
        """At the end: compare, settle the world, and check that every event reached the good receiver."""
        self.compare()
        self.delete_faults()  # a restore may have brought some back
        self.calls.control("PUT", "/clock", {"mode": "manual"}, busy=True)
        self.calls.control("POST", "/clock/advance", {"by": "3h"}, busy=True)
        self.settle()
        for row in self.calls.rows("endpoints"):
            if f"//{GOOD}/" in row["url"] and (row["pending"] or row["dead"]):
                example = f"{self.world}: {row['pending']} deliveries pending and {row['dead']} dead at the end"
                self.findings.fail(LOST_EVENT, example)
