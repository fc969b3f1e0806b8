"""Comparisons of a world with the soak's books, alone in the world, and what is taken back on such an occasion."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from tests.support.moves import NET_TERMS
from tools.soak.calls import Lost
from tools.soak.checks import (
    DeliveryBook,
    Orders,
    TakeBack,
    check_money,
    compare_after_race,
    compare_orders,
    compare_taken_back,
    forget_taken_back,
)
from tools.soak.findings import LEFT_OVER, LOST_EVENT
from tools.soak.plan import Plan
from tools.soak.receivers import GOOD
from tools.soak.tested_world import WORLDS_PATH, TestedWorld

FULL = 400  # orders of a world at which it is reset


class Comparison:
    """Compares one world. Its clients wait meanwhile, its clock stands still, and no delivery is in flight.

    `racing` is what ran beside the clients since the last comparison, `taking` what was under way when a kill came.
    """

    def __init__(self, plan: Plan, world: TestedWorld) -> None:
        self.world, self.ledger, self.findings = world, world.ledger, world.findings
        self.choices = plan.stream("comparison", world.world)
        self.book = DeliveryBook()
        self.snapshots: dict[str, Orders] = {}
        self.team_keys: dict[str, frozenset[str]] = {}  # of each snapshot: a list of orders shows no team's keys
        self.forks: list[str] = []
        self.restored: frozenset[str] = frozenset()  # the partner's keys after the last restore or reset
        self.taking: tuple[Orders, TakeBack] | None = None
        self.racing: TakeBack | None = None
        self.generation = 0

    def run(self) -> None:
        """Compare the world with the books, and perhaps take something back. A kill meanwhile starts it again."""
        gate = self.ledger.gate
        gate.close()
        try:
            while not self._run_once():
                pass
        finally:
            gate.open()

    def race(self, what: str, count: int) -> None:
        """Undo, reset or restore (a snapshot of that name) beside the clients, and compare once they have stopped."""
        self.racing = self._plan(what, count)
        self.ledger.taking_back = True
        self._take(what, count)
        self.findings.count("races")
        self.run()

    def begin_fork(self, name: str) -> None:
        """Note that a fork is about to be made."""
        self.world.receivers.arrivals.forking(self.world.world, begins=True)
        self.forks.append(name)

    def delete_forks(self) -> None:
        """Delete the forks made so far, those too whose creation was not acknowledged."""
        for name in list(self.forks):
            self.world.call("DELETE", f"{WORLDS_PATH}/{name}", allowed=(404,))
            self.forks.remove(name)
        self.world.receivers.arrivals.forking(self.world.world, begins=False)

    def finish(self) -> None:
        """At the end: compare, settle the world, and check that every event reached the good receiver."""
        self.run()
        self.world.delete_faults()  # a restore may have brought some back
        self.world.control("PUT", "/clock", {"mode": "manual"}, busy=True)
        for host in self.world.receivers.by_host:
            if host != GOOD:  # no more waiting for those that misbehave
                self.world.control("PUT", f"/receivers/{host}", {"mode": "refuse"})
        self.world.control("POST", "/clock/advance", {"by": "3h"}, busy=True)
        self.world.settle()
        for row in self.world.rows("endpoints"):
            if f"//{GOOD}/" in row["url"] and (row["pending"] or row["dead"]):
                example = f"{self.world.world}: {row['pending']} deliveries pending and {row['dead']} dead at the end"
                self.findings.fail(LOST_EVENT, example)

    def _run_once(self) -> bool:
        with suppress(Lost):
            generation = self.world.server.generation
            self.delete_forks()
            self.world.delete_faults()
            if not self.ledger.gate.drain():
                self.findings.fail(LEFT_OVER, f"{self.world.world}: calls hang although no fault holds them")
            self._compare(self.world.settle())
            self.world.set_up()
            self.world.start_clock()
            self.findings.count("comparisons")
            self.generation = generation
            return True
        return False

    def _compare(self, orders: Orders) -> None:
        if self.racing is not None:
            self._note_restored(self.racing, orders)
            compare_after_race(self.ledger, orders, self.racing.most, self.findings)
            self._go_on_from(orders)
            self.racing, self.ledger.taking_back = None, False
        elif self.taking is not None:  # a kill came while something was taken back
            self._finish_taking(orders, unsure=True)
        else:
            compare_orders(self.ledger, orders, self.findings)
            rows = self.world.deliveries()  # first: if a kill cuts this off, nothing that arrived has been taken yet
            kills, arrived = self.world.server.generation, self.world.receivers.arrivals.take(self.world.world)
            self.book.compare(self.world.world, rows, arrived, kills, self.findings)
            check_money(self.world.world, self.world.rows, self.findings)
            self._take_back(orders)

    def _take_back(self, orders: Orders) -> None:
        """Undo, restore, reset, save a snapshot, or leave everything as it is."""
        what = self.choices.choice([*self.snapshots, *("undo",) * 3, *("snapshot",) * 3, "reset", "", "", ""])
        if len(orders.partner) > FULL:
            what = "reset"
        if what == "snapshot":
            name = f"s{self.choices.randint(1, 3)}"
            self.snapshots.pop(name, None)
            self.world.control("POST", "/snapshots", {"name": name}, busy=True)
            self.snapshots[name] = orders
            with self.ledger.lock:
                self.team_keys[name] = frozenset(self.ledger.team.acknowledged)
            self.findings.count("snapshots")
        elif what:
            count = self.choices.randint(1, 5)
            if what == "undo":  # of more calls than came since a restore, it would take that back too
                count = min(count, len(set(orders.partner) - self.restored))
                if not count:
                    return
            self.taking = orders, self._plan(what, count)
            self._take(what, count)
            self._finish_taking(self.world.settle())

    def _plan(self, what: str, count: int) -> TakeBack:
        """What an undo of so many calls, a reset, or the restore of a snapshot may take back."""
        with self.ledger.lock:
            held = self.ledger.partner.keys_of(NET_TERMS)
        if what == "undo":
            return TakeBack("undo", most=count, held=held)
        return TakeBack(what, exactly=Orders({}, frozenset()) if what == "reset" else self.snapshots[what])

    def _take(self, what: str, count: int) -> None:
        if what in ("undo", "reset"):
            self.snapshots.clear()
            body = {"count": count} if what == "undo" else None
            self.world.control("POST", f"/{what}", body, busy=True, allowed=(409,))
        else:
            with self.ledger.lock:  # an id may belong to another key there, so only those acknowledged then are known
                self.ledger.team.forget(set(self.ledger.team.acknowledged) - self.team_keys[what])
            self.world.control("POST", f"/snapshots/{what}/restore", busy=True)
        self.findings.count(f"{what}s" if what in ("undo", "reset") else "restores")

    def _finish_taking(self, after: Orders, *, unsure: bool = False) -> None:
        """Compare what is left with what an undo, restore or reset may leave, and go on from there."""
        assert self.taking
        before, how = self.taking
        self.taking = None
        self._note_restored(how, after)
        compare_taken_back(self.world.world, before, after, replace(how, unsure=unsure), self.findings)
        with self.ledger.lock:  # an order may stay, of which the last answer was taken back
            for book in (self.ledger.partner, self.ledger.team):
                book.forget_answers()
        self._go_on_from(after)

    def _note_restored(self, how: TakeBack, after: Orders) -> None:
        if how.exactly is not None:
            self.restored = frozenset(after.partner)

    def _go_on_from(self, orders: Orders) -> None:
        """Count from here on: what was taken back is forgotten."""
        forget_taken_back(self.ledger, orders)
        self.world.receivers.arrivals.take(self.world.world)
        self.book.begin(self.world.deliveries(), self.world.server.generation)
