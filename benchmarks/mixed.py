"""Mixed calls in eight worlds: reads, orders, claims, refusals, advances, undos, restores, forks and resets."""

from __future__ import annotations

from typing import Any

from benchmarks.workload import RENO
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.response import Response

WORLDS = "/_sim/v1/worlds"
NAMES = ("default", "m1", "m2", "m3", "m4", "m5", "m6", "m7")
RESET_EVERY = 8_000  # calls of a world


class MixedCalls:
    """A sequence of calls to the worlds in turn. In ten calls of a world are six reads and two orders.

    Every hundredth call is an undo, every 500th a snapshot or its restore, every 1,000th a fork that is used and
    deleted, and every 8,000th a reset; not all worlds are reset at once, so that together they are of the same size.
    """

    def __init__(self, client: InProcessClient) -> None:
        self.client = client
        self.count = 0
        self._last_order = dict.fromkeys(NAMES, 1050)

    def create_worlds(self) -> None:
        """Create the worlds that do not exist yet."""
        for name in NAMES[1:]:
            self._control("POST", "", {"id": name, "fixture": "empty"})

    def run(self, calls: int) -> None:
        """Make the next calls."""
        for _ in range(calls):
            round_, place = divmod(self.count, len(NAMES))
            self._step(NAMES[place], round_)
            self.count += 1

    def _step(self, world: str, n: int) -> None:
        kind = n % 10
        if (n + NAMES.index(world) * 1_000) % RESET_EVERY == RESET_EVERY - 1:
            self._control("POST", f"/{world}/reset")
        elif n % 1_000 == 999:
            self._fork(world)
        elif n % 500 == 499:
            path = "/snapshots" if n % 2_000 < 1_000 else "/snapshots/kept/restore"
            self._control("POST", f"/{world}{path}", {"name": "kept"} if path == "/snapshots" else None)
        elif n % 100 == 99:
            self._control("POST", f"/{world}/undo")
        elif kind < 2:
            self._order(world)
        elif kind == 2:
            self._call(world, "POST", "/api/external/team-orders", {"items": []})
        elif kind == 3:
            self._claim_or_advance(world, n)
        elif kind == 4:
            self._call(world, "GET", "/api/external/team-orders?limit=25")
        else:
            self._call(world, "GET", f"/api/external/team-orders/{self._last_order[world]}")

    def _order(self, world: str) -> None:
        body = {
            "idempotency_key": f"mixed-{self.count}", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": "Bo", "email": "bo@example.com"}],
        }  # fmt: skip
        response = self._call(world, "POST", "/api/external/team-orders", body)
        if response.status == 201:
            self._last_order[world] = response.json()["team_order"]["id"]
        elif response.status == 402:
            fund = {"key": "partner.prepaid", "add_cents": 10**9}
            self._control("POST", f"/{world}/simulate/account", fund)

    def _claim_or_advance(self, world: str, n: int) -> None:
        if n % 200 < 10:
            self._control("POST", f"/{world}/clock/advance", {"by": "2h"})
        else:
            body = {"team_order_id": self._last_order[world], "recipient": 0, "address": RENO}
            self._control("POST", f"/{world}/simulate/claim", body)

    def _fork(self, world: str) -> None:
        name = f"{world}-fork"
        self._control("POST", f"/{world}/fork", {"id": name})
        self._call(name, "GET", "/api/external/team-orders?limit=25")
        self._control("POST", f"/{name}/undo")
        self._control("DELETE", f"/{name}")

    def _call(self, world: str, method: str, path: str, body: Any = None) -> Response:
        headers = {"Authorization": f"Bearer pk_live_{world}_prepaid", "User-Agent": "giftsim-benchmark"}
        return self.client.call(method, path, body=body, headers=headers)

    def _control(self, method: str, path: str, body: Any = None) -> Response:
        response = self.client.call(method, WORLDS + path, body=body)
        assert response.status < 500, response.text
        return response
