"""A simulator that restarts with its journal file, and calls to its default world."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.system import SYSTEM, System
from giftsim.engine.worlds.waiters import DEFAULT_LIMITS, WaitLimits
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.http_receiver import HttpReceiver
from tests.support.orders import order_body
from tests.support.waiting import wait_until

WORLDS = "/_sim/v1/worlds"
WORLD = f"{WORLDS}/default"
ORDERS = "/api/external/team-orders"
PARTNER_HEADERS = {"Authorization": "Bearer pk_live_default_prepaid"}


class RestartableSimulator:
    """A simulator with a journal file, which can be restarted."""

    def __init__(self, journal: Path, waits: WaitLimits = DEFAULT_LIMITS, system: System = SYSTEM) -> None:
        self.journal, self.waits, self.system = journal, waits, system
        self.simulator = self._start()

    def _start(self) -> Simulator:
        return Simulator(
            fixture="empty", journal=self.journal, checkpoint_every=1_000, waits=self.waits, system=self.system
        )

    def restart(self) -> None:
        """Close the simulator, also during calls, and start another with the same file."""
        self.simulator.close()
        self.simulator = self._start()

    def call(self, method: str, path: str, body: Any = None) -> Response:
        return self.simulator.client.call(method, path, body=body, headers=PARTNER_HEADERS)

    def call_control(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.call(method, WORLD + path, body)
        assert answer.status < 300, answer.text
        return answer.json()

    def order(self, key: str) -> Response:
        return self.call("POST", ORDERS, order_body(idempotency_key=key))

    def call_in_thread(self, *what: Any) -> threading.Thread:
        """Make a call in another thread."""
        caller = threading.Thread(target=self.call, args=what, daemon=True)
        caller.start()
        return caller

    def held_order(self, key: str) -> tuple[threading.Thread, list[Response]]:
        """Create an order that the fault `wait` holds; its thread, and the list that gets the response."""
        self.call_control("POST", "/faults", {"id": "wait", "effect": {"hold": True}, "when": {"first": 1}})
        answers: list[Response] = []
        caller = threading.Thread(target=lambda: answers.append(self.order(key)), daemon=True)
        caller.start()
        wait_until(lambda: bool(self.simulator.registry.worlds["default"].calls.suspended))
        return caller, answers

    def subscribe(self, receiver: HttpReceiver) -> int:
        """Create an endpoint whose deliveries are forwarded to a receiver; its id."""
        self.call_control(
            "PUT", f"/receivers/{WEBHOOK_HOST}", {"mode": "forward", "to": f"http://127.0.0.1:{receiver.port}"}
        )
        body = {"url": f"https://{WEBHOOK_HOST}/gifts", "events": ["team_order.claimed"]}
        endpoint: int = self.call("POST", "/api/external/webhooks", body).json()["endpoint"]["id"]
        return endpoint

    @property
    def fingerprint(self) -> Any:
        return self.call_control("GET", "/fingerprint")
