"""The world of a tester: how it is set up, and how it settles so that it can be compared."""

from __future__ import annotations

import time
from typing import Any

from tools.soak.calls import Caller, Request
from tools.soak.checks import Orders
from tools.soak.findings import REFUSED, WORLDS, Findings
from tools.soak.ledger import WorldLedger
from tools.soak.plan import Plan
from tools.soak.receivers import GOOD, Receivers
from tools.soak.server import Server

WORLDS_PATH = "/_sim/v1/worlds"
TRIES = 60
ATTENTION = "team_order.needs_attention"
KINDS = ["team_order.claimed", "team_order.shipped", "team_order.delivered", ATTENTION]
SETTINGS = {"webhooks.forward_timeout_s": 2, "partner.reconcile_unknown": "paid", "idempotency.lifetime": "3650d"}


class WorldCalls:
    """The control API of one world. A refusal that is not `allowed` is a failure."""

    def __init__(self, world: str, server: Server, findings: Findings) -> None:
        self.world, self.findings = world, findings
        self.caller = Caller(server, findings)

    def call(
        self, method: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None,
        busy: bool = False, allowed: tuple[int, ...] = (),
    ) -> Any:  # fmt: skip
        """Send a call that must succeed, again while the world is busy; its JSON, or None if it was refused."""
        request = Request("control " + ("read" if method == "GET" else "write"), method, path, body, headers or {})
        response = self.caller.send(request)
        for _ in range(TRIES):
            if not (busy and response.status == 409 and "clock_busy" in response.text):
                break
            time.sleep(0.1)
            response = self.caller.send(request)
        if response.status < 300:
            return response.json()
        if response.status not in allowed:
            kind = WORLDS if response.status == 404 and "/worlds/" in path else REFUSED
            self.findings.fail(kind, f"{method} {path} {body}: {response.status} {response.text[:200]}")
        return None

    def control(self, method: str, path: str, body: Any = None, **how: Any) -> Any:
        """Send a control call to the world."""
        return self.call(method, f"{WORLDS_PATH}/{self.world}{path}", body, **how)

    def rows(self, view: str, world: str | None = None, query: str = "") -> list[Any]:
        """Every row of a list of the control API."""
        rows: list[Any] = []
        after: int | None = 0
        while after is not None:
            path = f"{WORLDS_PATH}/{world or self.world}/{view}?limit=1000&after={after}{query}"
            page = self.call("GET", path, busy=True)
            if page is None:
                return rows
            rows += page[view]
            after = page["next"]
        return rows


class TestedWorld(WorldCalls):
    """A world with accounts that have money, and endpoints at every receiver: the good one gets all events."""

    __test__ = False

    def __init__(
        self, plan: Plan, server: Server, findings: Findings, ledger: WorldLedger, receivers: Receivers
    ) -> None:
        super().__init__(ledger.world, server, findings)
        self.plan, self.server, self.ledger, self.receivers = plan, server, ledger, receivers

    def create(self) -> None:
        """Create the world."""
        clock = {"mode": "running", "rate": self.plan.rate} if self.plan.rate else {"mode": "manual"}
        seed = self.plan.seed + self.plan.names.index(self.world)
        body = {"id": self.world, "fixture": "empty", "seed": seed, "clock": clock, "settings": dict(SETTINGS)}
        self.call("POST", WORLDS_PATH, body)
        self.set_up()

    def set_up(self) -> None:
        """Give the accounts money, and subscribe to webhooks where that was taken back."""
        self.control("POST", "/simulate/account", {"key": "partner.prepaid", "wallet_cents": 10**9})
        self.control("POST", "/simulate/account", {"key": "partner.net_terms", "credit_limit_cents": 10**9})
        have = {row["url"] for row in self.rows("endpoints")}
        for host in self.receivers.by_host:
            url = f"https://{host}/{self.world}/gifts"
            if url not in have:
                body = {"url": url, "events": KINDS if host == GOOD else [ATTENTION]}
                key = {"Authorization": f"Bearer pk_live_{self.world}_prepaid"}
                self.call("POST", "/api/external/webhooks", body, headers=key)
        endpoints = [row["id"] for row in self.rows("endpoints")]
        with self.ledger.lock:
            self.ledger.endpoints = endpoints

    def delete_faults(self) -> None:
        """Delete the world's faults, which releases held calls."""
        self.control("DELETE", "/faults")

    def settle(self) -> Orders:
        """Stop the clock and wait for deliveries in flight; the orders."""
        self.control("PUT", "/clock", {"mode": "manual"}, busy=True)
        self.control("GET", "/fingerprint", busy=True)
        return Orders.read(self.rows("orders"))

    def start_clock(self) -> None:
        """Let the clock run again."""
        if self.plan.rate:
            self.control("PUT", "/clock", {"mode": "running", "rate": self.plan.rate}, busy=True)

    def deliveries(self) -> list[Any]:
        """Every attempt to deliver to the good receiver."""
        return self.rows("deliveries", query=f"&host={GOOD}")
