"""One simulator after another with the same journal, and what clients and testers do to its default world."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from giftsim import Simulator
from giftsim.gateway.in_process_client import Answer
from tests.harness import HOOKS, order_body
from tests.raw_receiver import Receiver
from tests.system.patience import until

WORLDS = "/_sim/v1/worlds"
WORLD = f"{WORLDS}/default"
ORDERS = "/api/external/team-orders"
KEY = {"Authorization": "Bearer pk_live_default_prepaid"}


class Life:
    """One simulator after another, each with the same journal."""

    def __init__(self, journal: Path) -> None:
        self.journal = journal
        self.simulator = self._begun()

    def _begun(self) -> Simulator:
        return Simulator(fixture="empty", journal=self.journal, checkpoint_every=1_000)

    def again(self) -> None:
        """End, whatever is under way, and begin anew."""
        self.simulator.close()
        self.simulator = self._begun()

    def call(self, method: str, path: str, body: Any = None) -> Answer:
        return self.simulator.client.call(method, path, body=body, headers=KEY)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.call(method, WORLD + path, body)
        assert answer.status < 300, answer.text
        return answer.json()

    def order(self, key: str) -> Answer:
        return self.call("POST", ORDERS, order_body(idempotency_key=key))

    def aside(self, *what: Any) -> threading.Thread:
        """A call in a thread of its own."""
        caller = threading.Thread(target=self.call, args=what, daemon=True)
        caller.start()
        return caller

    def held(self, key: str) -> tuple[threading.Thread, list[Answer]]:
        """An order that the fault `wait` holds; its thread, and where its answer will be."""
        self.ask("POST", "/faults", {"id": "wait", "effect": {"hold": True}, "when": {"first": 1}})
        answers: list[Answer] = []
        caller = threading.Thread(target=lambda: answers.append(self.order(key)), daemon=True)
        caller.start()
        until(lambda: bool(self.simulator.registry.worlds["default"].parked))
        return caller, answers

    def subscribe(self, receiver: Receiver) -> int:
        """An endpoint whose deliveries go to a receiver; its id."""
        self.ask("PUT", f"/receivers/{HOOKS}", {"mode": "forward", "to": f"http://127.0.0.1:{receiver.port}"})
        body = {"url": f"https://{HOOKS}/gifts", "events": ["team_order.claimed"]}
        endpoint: int = self.call("POST", "/api/external/webhooks", body).json()["endpoint"]["id"]
        return endpoint

    @property
    def fingerprint(self) -> Any:
        return self.ask("GET", "/fingerprint")
