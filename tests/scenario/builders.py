"""Builders for tests of scenarios: a fake simulator, and functions that load and play YAML text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import pytest

from giftsim.engine.client.response import Client, Response
from giftsim.engine.kernel.instants import format_instant, parse_duration, parse_instant
from giftsim.workbench.scenario import InvalidScenario, Report, load_scenario, play

START = "2027-01-04T09:00:00Z"
WORLD = "/_sim/v1/worlds/w1"
HEAD = "scenario: A scenario\n"
FILE = "scenario.yaml"
CREDENTIALS = {
    "partner.prepaid": {"type": "bearer", "value": "pk_1", "headers": {"Authorization": "Bearer pk_1"}},
    "museum": {"type": "basic", "value": "museum:pass", "headers": {"Authorization": "Basic bXVzZXVtOnBhc3M="}},
}
PAGE_SIZE = 2


class FakeCall(NamedTuple):
    """A call that the fake simulator received; `call` is method and path."""

    call: str
    body: Any
    headers: Mapping[str, str]


def response(status: int, body: Any = None, **headers: str) -> Response:
    """A response: text is sent as CSV, any other body as JSON; header names have `_` for `-`."""
    content_type = "text/csv" if isinstance(body, str) else "application/json"
    content = b"" if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Response(status, {"content-type": content_type, **named}, content)


class FakeSimulator:
    """A client with one world: it returns the responses that it was given, else those of a plain test-control API.

    Lists have pages of two entries. All faults have acted, and all scripts of receivers are used up.
    """

    def __init__(self) -> None:
        self.calls: list[FakeCall] = []
        self.now = START
        self._setup: dict[str, list[dict[str, Any]]] = {"faults": [], "receivers": []}
        self._responses: dict[str, list[Response | ConnectionError]] = {}
        self._due: list[tuple[str, str, dict[str, Any]]] = []
        self._caused: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        self._lists: dict[str, list[dict[str, Any]]] = {"events": [], "deliveries": [], "mail": []}

    def respond(self, call: str, *responses: Response | ConnectionError) -> None:
        """Return these responses to a call, one after the other; the last one is repeated."""
        self._responses[call] = list(responses)

    def add_at(self, instant: str, name: str, **entry: Any) -> None:
        """Add an entry to a list once the clock reaches the instant."""
        self._due.append((instant, name, entry))

    def add_during(self, call: str, name: str, **entry: Any) -> None:
        """Add an entry to a list whenever the call is made."""
        self._caused.setdefault(call, []).append((name, entry))

    def bodies(self, call: str) -> list[Any]:
        """The bodies of all calls with this method and path."""
        return [made.body for made in self.calls if made.call == call]

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """Handle a call."""
        call = f"{method} {path}"
        self.calls.append(FakeCall(call, body, dict(headers or {})))
        for name, entry in self._caused.get(call, []):
            self._add(name, self.now, entry)
        if call in self._responses:
            responses = self._responses[call]
            result = responses.pop(0) if len(responses) > 1 else responses[0]
            if isinstance(result, ConnectionError):
                raise result
            return result
        return self._control(method, path, body)

    def _control(self, method: str, path: str, body: Any) -> Response:
        place, _, query = path.removeprefix(WORLD).partition("?")
        if path == "/_sim/v1/worlds":
            self.now = body.get("now", START)
            return response(201, self._world())
        if place == "/clock/advance":
            return self._advance(body)
        if place == "/why":
            return response(200, {"verdicts": []})
        if place == "/changes":
            return response(200, {"changes": [], "next": 0})
        if place in ("/faults", "/receivers") or place.startswith("/receivers/"):
            return self._set_up(method, place, body)
        if method == "GET" and path == WORLD:
            return response(200, self._world())
        if method == "GET" and place[1:] in self._lists:
            return self._page(place[1:], int(dict(parse_qsl(query)).get("after", 0)))
        if path.startswith(WORLD):
            return response(200, {"sha256": "f00d"})
        return response(404, {"error": {"code": "not_found"}})

    def _set_up(self, method: str, place: str, body: Any) -> Response:
        """Handle a call for faults or receivers."""
        _, name, host = (*place.split("/"), "")[:3]
        if method == "GET":
            return response(200, {name: self._setup[name], "next": None})
        if method == "DELETE":
            self._setup[name] = []
            return response(200, {})
        row = {"id": f"fault-{len(self._setup[name]) + 1}", "host": host, "script": [], "hits": 1, **body}
        self._setup[name] = [other for other in self._setup[name] if name == "faults" or other["host"] != host]
        self._setup[name].append({**row, "used": len(row["script"])})
        return response(200, row)

    def _world(self) -> dict[str, Any]:
        urls = {"control": f"http://giftsim.example{WORLD}"}
        return {"id": "w1", "now": self.now, "credentials": CREDENTIALS, "urls": urls, "counts": {}}

    def _advance(self, body: Mapping[str, str]) -> Response:
        now_ms = parse_instant(self.now)
        to_ms = now_ms + parse_duration(body["by"]) if "by" in body else parse_instant(body.get("to", self.now))
        self.now = format_instant(to_ms)
        for due in sorted(self._due, key=lambda due: due[0]):
            if due[0] <= self.now:
                self._due.remove(due)
                self._add(due[1], due[0], due[2])
        return response(200, {"to": self.now})

    def _add(self, name: str, at: str, entry: Mapping[str, Any]) -> None:
        self._lists[name].append({"seq": len(self._lists[name]) + 1, "at": at, **entry})

    def _page(self, name: str, after: int) -> Response:
        rest = [entry for entry in self._lists[name] if entry["seq"] > after]
        more = len(rest) > PAGE_SIZE
        return response(200, {name: rest[:PAGE_SIZE], "next": rest[PAGE_SIZE - 1]["seq"] if more else None})


def delivery_attempt(
    event_type: str, status: int | None, outcome: str | None = None, host: str = "hooks.example.com"
) -> dict[str, Any]:
    """A delivery attempt as the test-control API lists it."""
    result = outcome or ("delivered" if status == 200 else "http_status")
    return {"type": event_type, "url": f"https://{host}/gifts", "status": status, "outcome": result}


def play_text(text: str, client: Client) -> Report:
    """Play a scenario given as text."""
    return play(load_scenario(text.lstrip("\n"), FILE), client)


def play_steps(steps: str, client: Client | None = None, **head: str) -> Report:
    """Play steps given as text, by default on a fake simulator; `head` adds members before the steps."""
    lines = [f"{name}: {value}" for name, value in head.items()]
    return play_text("\n".join((HEAD.rstrip(), *lines, "steps:", steps.strip("\n"), "")), client or FakeSimulator())


def assert_passed(report: Report) -> Report:
    """Assert that a scenario passed; return its report."""
    assert report.outcome == "passed", report.timeline
    return report


def failure_lines(report: Report) -> list[str]:
    """What the failed steps say, line by line, without their first lines and without why they failed."""
    failed = [step for step in report.steps if step.outcome == "failed"]
    lines = (line.strip() for step in failed for line in step.detail.split("\n")[1:])
    return [line for line in lines if not line.startswith("why: ")]


def load_error(text: str | bytes) -> str:
    """The error of a scenario that is refused, with its file, line and column."""
    with pytest.raises(InvalidScenario) as refused:
        load_scenario(text, FILE)
    return str(refused.value)


def write_files(folder: Path, **files: str) -> Path:
    """Write files, whose names have `__` for the dot and `___` for the slash; return the path of `scenario.yaml`."""
    for name, text in files.items():
        path = folder / name.replace("___", "/").replace("__", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / FILE
