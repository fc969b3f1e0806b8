"""A service whose traffic is recorded: a second simulator with other readings and planted faults, as a HAR file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.kernel.instants import format_exact, parse_instant
from giftsim.workbench.scenario.world_client import WorldClient

ORIGIN = "https://api.service.example"
LATENCY_MS, GAP_MS = 40, 1_250
Change = Callable[[Any], Any]


class Fault(NamedTuple):
    """What a service does wrongly: to which calls (method and the end of the path) or kinds of webhooks, and how."""

    of: str
    change: Callable[[dict[str, Any]], None]


class RecordedService:
    """Makes calls to a service and keeps them, and the webhooks that it sends; `entries` are those of a HAR file."""

    def __init__(self, settings: Mapping[str, Any] = {}, faults: Iterable[Fault] = (), *, seed: int = 77) -> None:
        simulator = Simulator(fixture="empty", seed=seed)
        own = {"magic_values": False, **settings}
        described = simulator.client.call(
            "POST", "/_sim/v1/worlds", body={"fixture": "empty", "seed": seed, "settings": own}
        ).json()
        self.world = WorldClient(simulator.client, described)
        self._simulator, self._faults = simulator, tuple(faults)
        self._entries: list[dict[str, Any]] = []
        self.status_of: Callable[[str, int], int] = lambda _kind, _attempt: 200

    def call(self, method: str, path: str, body: Any = None, *, by: str, **headers: str) -> Response:
        """Make a call with a credential, and keep it."""
        self.world.control("POST", "/clock/advance", {"by": f"{GAP_MS}ms"})
        at_ms = parse_instant(self.world.refresh()["now"]) - LATENCY_MS
        content = b"" if body is None else json.dumps(body).encode()
        sent = {**self.world.credential_headers(by), **headers}
        if content:
            sent["Content-Type"] = "application/json"
        response = self.world.call(method, path, content, sent)
        entry = _entry(at_ms, method, f"{ORIGIN}{path}", sent, content, response)
        for fault in self._faults:
            if fault.of == f"{method} {_without_ids(path)}":
                fault.change(entry)
        self._entries.append(entry)
        return response

    def advance(self, by: str) -> None:
        """Let time pass."""
        self.world.control("POST", "/clock/advance", {"by": by})

    def act(self, verb: str, **body: Any) -> None:
        """Let somebody act."""
        self.world.control("POST", f"/simulate/{verb}", body)

    def har(self) -> dict[str, Any]:
        """The recording so far, as a HAR file has it."""
        entries = [*self._entries, *(self._received(each) for each in self.world.rows("deliveries"))]
        entries.sort(key=lambda each: str(each["startedDateTime"]))
        return {"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": entries}}

    def _received(self, attempt: Mapping[str, Any]) -> dict[str, Any]:
        request = attempt["request"]
        answer = Response(attempt["status"] or 0, {"content-type": "text/plain"}, b"")
        at_ms = parse_instant(attempt["at"]) + 10 * LATENCY_MS
        entry = _entry(at_ms, "POST", attempt["url"], request["headers"], request["body"].encode(), answer)
        entry["_attempt"] = attempt["attempt"]
        for fault in self._faults:
            if fault.of == attempt["type"]:
                fault.change(entry)
        return entry


def _entry(
    at_ms: int, method: str, url: str, headers: Mapping[str, str], content: bytes, response: Response
) -> dict[str, Any]:
    sent = [{"name": name, "value": value} for name, value in headers.items()]
    body = {"postData": {"mimeType": "application/json", "text": content.decode()}} if content else {}
    return {
        "startedDateTime": format_exact(at_ms),
        "time": LATENCY_MS,
        "request": {"method": method, "url": url, "httpVersion": "HTTP/1.1", "headers": sent, **body},
        "response": {
            "status": response.status,
            "headers": [{"name": name, "value": value} for name, value in response.headers.items()],
            "content": {
                "size": len(response.body),
                "mimeType": response.headers.get("content-type", ""),
                "text": response.body.decode("latin-1") if response.body else "",
            },
        },
    }


def _without_ids(path: str) -> str:
    parts = path.partition("?")[0].split("/")
    return "/".join("{}" if len(part) > 30 or part.isdecimal() else part for part in parts)
