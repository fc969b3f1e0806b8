"""Calls of a tester to the control API of its world, each of which must succeed."""

from __future__ import annotations

import time
from typing import Any

from tests.soak.calls import Caller, Request
from tests.soak.findings import REFUSED, WORLDS, Findings
from tests.soak.server import Server

WORLDS_PATH = "/_sim/v1/worlds"
TRIES = 60


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
