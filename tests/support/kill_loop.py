"""Kills a server again and again while clients write and webhooks go out, and checks what comes back (G5).

`python -m tests.support.kill_loop 100` kills it 100 times, half of them under a running clock.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from giftsim.engine.kernel import random_streams
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.http_receiver import HttpReceiver, http_receiver
from tests.support.orders import RENO, order_body
from tests.support.served_simulator import PythonProcess, ServedSimulator
from tests.support.waiting import wait_until

CONTROL = "/_sim/v1/worlds/default"
PARTNER = "/api/external"
HEADERS = {"Authorization": "Bearer pk_live_default_prepaid"}
KINDS = ["team_order.claimed", "team_order.shipped", "team_order.delivered"]
WRITERS = 2
REPEATED = 20
RATES = (60, 0, 36_000, 0)
ANSWERS = (b"200 OK", b"200 OK", b"503 Service Unavailable")


class KillLoop:
    """One journal file, the servers that are started with it in turn, and what clients and a receiver got from them.

    Every other server has a running clock, slow and fast in turn; under the others the writers advance it. Under every
    fourth they take turns, so that each can undo its last order and redo it.
    """

    def __init__(self, folder: Path, receiver: HttpReceiver, *, seed: int = 1) -> None:
        self.journal, self.receiver, self.seed = folder / "journal", receiver, seed
        self.orders: dict[str, int] = {}
        self.events: list[str] = []
        self.kills = 0
        self.redone = 0
        self._lock, self._turn = threading.Lock(), threading.Lock()
        self._failures: list[AssertionError] = []

    def kill_once(self) -> None:
        """Start a server, compare what it has with what is known, let clients write, and kill it at a random moment."""
        rate, in_turns = RATES[self.kills % len(RATES)], self.kills % len(RATES) == len(RATES) - 1
        with self._server() as served:
            call = Caller(served)
            if not self.kills:
                self._prepare(call)
            self.check(call)
            call.control("PUT", "/clock", {"mode": "running", "rate": rate} if rate else {"mode": "manual"})
            writers = [
                threading.Thread(
                    target=self._write, args=(call, f"{self.kills}-{number}", bool(rate), in_turns), daemon=True
                )
                for number in range(WRITERS)
            ]
            for writer in writers:
                writer.start()
            goal = len(self.orders) + 1 + random_streams.draw_number(self.seed, "kill", self.kills) % 24
            wait_until(lambda: len(self.orders) >= goal or bool(self._failures))
        for writer in writers:
            writer.join(60)
        if self._failures:
            raise self._failures[0]
        self.kills += 1

    def check(self, call: Caller) -> None:
        """Every acknowledged order has its id, and every event that anybody has seen is in its place."""
        rows = [row["id"] for row in call.rows("orders")]
        assert len(set(rows)) == len(rows)
        assert set(self.orders.values()) <= set(rows)
        for key in list(self.orders)[-REPEATED:]:
            repeated = call.partner("POST", "/team-orders", order_body(idempotency_key=key))
            assert repeated["team_order"]["id"] == self.orders[key]
        assert [row["id"] for row in call.rows("orders")] == rows
        events = [row["id"] for row in call.rows("events")]
        assert events[: len(self.events)] == self.events
        assert len(set(events)) == len(events)
        assert self.received_events <= set(events)
        self.events = events

    @property
    def received_events(self) -> set[str]:
        """The ids of the events that the receiver got."""
        with self.receiver.lock:
            return {json.loads(request.partition(b"\r\n\r\n")[2])["id"] for request in self.receiver.requests}

    def final_fingerprints(self) -> list[Any]:
        """The fingerprint at the end, and that of a server that is started after it."""
        with self._server() as served:
            call = Caller(served)
            self.check(call)
            call.control("PUT", "/clock", {"mode": "manual"})
            wait_until(lambda: all(row["outcome"] for row in call.rows("deliveries")))
            found = [call.control("GET", "/fingerprint")]
        with self._server() as served:
            found.append(Caller(served).control("GET", "/fingerprint"))
        return found

    def _prepare(self, call: Caller) -> None:
        call.control("POST", "/simulate/account", {"key": "partner.prepaid", "wallet_cents": 10**9})
        to = f"http://127.0.0.1:{self.receiver.port}"
        call.control("PUT", f"/receivers/{WEBHOOK_HOST}", {"mode": "forward", "to": to})
        call.partner("POST", "/webhooks", {"url": f"https://{WEBHOOK_HOST}/gifts", "events": KINDS})

    def _write(self, call: Caller, name: str, running: bool, in_turns: bool) -> None:
        """Create and claim orders, redo them, and move a stopped clock, until the server is killed."""
        with suppress(OSError, HTTPException):
            for number in range(1_000):
                try:
                    with self._turn if in_turns else nullcontext():
                        self._order(call, f"{name}-{number}", redo=in_turns and number % 3 > 0)
                        if not running and number % 4 == 2:
                            call.control("POST", "/clock/advance", {"by": "20h"}, allow=(409,))
                except AssertionError as failure:
                    self._failures.append(failure)
                    return

    def _order(self, call: Caller, key: str, *, redo: bool) -> None:
        order_id = call.partner("POST", "/team-orders", order_body(idempotency_key=key))["team_order"]["id"]
        if redo:  # the order counts as acknowledged once it is back
            call.control("POST", "/undo", {"count": 1})
            call.control("POST", "/redo")
            self.redone += 1
        with self._lock:
            self.orders[key] = order_id
        call.control("POST", "/simulate/claim", {"team_order_id": order_id, "recipient": 0, "address": RENO})

    @contextmanager
    def _server(self) -> Iterator[ServedSimulator]:
        """A server with the journal file, ended by `kill -9`."""
        process = PythonProcess(
            "run_sim.py", "--port", "0", "--json", "--clock", "running@60", "--fixture", "empty",
            "--now", "2027-01-04T09:00:00Z", "--journal", str(self.journal),
        )  # fmt: skip
        try:
            yield ServedSimulator(process)
        finally:
            process.child.kill()
            _, errors = process.end()
            assert not errors, errors


class Caller:
    """Calls to the default world of one server."""

    def __init__(self, served: ServedSimulator) -> None:
        self.client = served.client

    def partner(self, method: str, path: str, body: Any = None) -> Any:
        """A call of the partner interface, which must succeed."""
        response = self.client.call(method, PARTNER + path, body=body, headers=HEADERS)
        assert 200 <= response.status < 300, response.text
        return response.json()

    def control(self, method: str, path: str, body: Any = None, allow: tuple[int, ...] = ()) -> Any:
        """A call of the control API, which must succeed or end with a status of `allow`."""
        response = self.client.call(method, CONTROL + path, body=body)
        assert 200 <= response.status < 300 or response.status in allow, response.text
        return response.json()

    def rows(self, view: str) -> list[Any]:
        """Every row of a list of the control API."""
        rows: list[Any] = []
        after: int | None = 0
        while after is not None:
            page = self.control("GET", f"/{view}?limit=1000&after={after}")
            rows, after = rows + page[view], page["next"]
        return rows


@contextmanager
def uneven_receiver() -> Iterator[HttpReceiver]:
    """A receiver that takes its time, and refuses every third request."""

    def behave(connection: Any, receiver: HttpReceiver) -> None:
        while receiver.read(connection) is not None:
            receiver.released.wait(0.02)
            status = ANSWERS[len(receiver.requests) % len(ANSWERS)]
            connection.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")

    with http_receiver(behave) as receiver:
        yield receiver


def main(kills: int) -> None:
    """Kill a server so many times; print what was counted, or end with what was wrong."""
    with TemporaryDirectory() as folder, uneven_receiver() as receiver:
        loop = KillLoop(Path(folder), receiver)
        for _ in range(kills):
            loop.kill_once()
        first, second = loop.final_fingerprints()
        assert first == second
        sys.stdout.write(
            f"{loop.kills} kills, half of them under a running clock: {len(loop.orders)} acknowledged orders and "
            f"{len(loop.events)} events in their places, {loop.redone} orders redone, "
            f"{len(receiver.requests)} requests at the receiver\n"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
