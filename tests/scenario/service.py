"""A stand-in at the client's seam: it answers as it is told, remembers every call, and lets time bring what is due."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from giftsim.kernel.instants import format_instant, parse_duration, parse_instant
from giftsim.scenario import Report, load, play

START = "2027-01-04T09:00:00Z"
WORLD = "/_sim/v1/worlds/w1"
CREDENTIALS = {
    "partner.prepaid": {"type": "bearer", "value": "pk_1", "headers": {"Authorization": "Bearer pk_1"}},
    "museum": {"type": "basic", "value": "museum:pass", "headers": {"Authorization": "Basic bXVzZXVtOnBhc3M="}},
}
PAGE = 2


class Reply(NamedTuple):
    """An answer of the stand-in."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Made(NamedTuple):
    """A call that was made."""

    call: str
    body: Any
    headers: Mapping[str, str]


def reply(status: int, body: Any = None, **headers: str) -> Reply:
    """An answer: data as JSON, text as text; header names with `_` for `-`."""
    kind = "text/csv" if isinstance(body, str) else "application/json"
    sent = b"" if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    return Reply(
        status, {"content-type": kind, **{name.replace("_", "-"): text for name, text in headers.items()}}, sent
    )


class Service:
    """One world; its lists come in pages of two, and `after` is the `seq` of the last entry seen."""

    def __init__(self) -> None:
        self.made: list[Made] = []
        self.now = START
        self.idle = False
        self._rows: dict[str, list[dict[str, Any]]] = {"faults": [], "receivers": []}
        self._answers: dict[str, list[Reply | ConnectionError]] = {}
        self._due: list[tuple[str, str, dict[str, Any]]] = []
        self._during: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        self._lists: dict[str, list[dict[str, Any]]] = {"events": [], "deliveries": [], "mail": []}

    def answer(self, call: str, *answers: Reply | ConnectionError) -> None:
        """What a call is answered, one after the other; the last for ever."""
        self._answers[call] = list(answers)

    def at(self, instant: str, name: str, **entry: Any) -> None:
        """An entry of a list, once time has reached the instant."""
        self._due.append((instant, name, entry))

    def during(self, call: str, name: str, **entry: Any) -> None:
        """An entry of a list that a call brings about."""
        self._during.setdefault(call, []).append((name, entry))

    def sent(self, call: str) -> list[Any]:
        """The bodies of every call of that method and path."""
        return [made.body for made in self.made if made.call == call]

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Reply:
        """Answers as told, else as a control plane would."""
        call = f"{method} {path}"
        self.made.append(Made(call, body, dict(headers or {})))
        for name, entry in self._during.get(call, []):
            self._add(name, self.now, entry)
        if call in self._answers:
            answers = self._answers[call]
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
            if isinstance(answer, ConnectionError):
                raise answer
            return answer
        return self._control(method, path, body)

    def _control(self, method: str, path: str, body: Any) -> Reply:
        place, _, query = path.removeprefix(WORLD).partition("?")
        if path == "/_sim/v1/worlds":
            self.now = body.get("now", START)
            return reply(201, self._world())
        if place == "/clock/advance":
            return self._advance(body)
        if place in ("/faults", "/receivers") or place.startswith("/receivers/"):
            return self._made(method, place, body)
        if method == "GET" and path == WORLD:
            return reply(200, self._world())
        if method == "GET" and place[1:] in self._lists:
            return self._page(place[1:], int(query.removeprefix("after=") or 0))
        if path.startswith(WORLD):
            return reply(200, {"sha256": "f00d"})
        return reply(404, {"error": {"code": "not_found"}})

    def _made(self, method: str, place: str, body: Any) -> Reply:
        """Faults and receivers, which have all struck and been used up unless `idle` is told otherwise."""
        _, name, host = (*place.split("/"), "")[:3]
        if method == "GET":
            rows = [{**row, "hits": 0, "used": 0} if self.idle else row for row in self._rows[name]]
            return reply(200, {name: rows, "next": None})
        if method == "DELETE":
            self._rows[name] = []
            return reply(200, {})
        row = {"id": f"fault-{len(self._rows[name]) + 1}", "host": host, "script": [], "hits": 1, **body}
        self._rows[name] = [other for other in self._rows[name] if name == "faults" or other["host"] != host]
        self._rows[name].append({**row, "used": len(row["script"])})
        return reply(200, row)

    def _world(self) -> dict[str, Any]:
        urls = {"control": f"http://giftsim.example{WORLD}"}
        return {"id": "w1", "now": self.now, "credentials": CREDENTIALS, "urls": urls, "counts": {}}

    def _advance(self, body: Mapping[str, str]) -> Reply:
        now_ms = parse_instant(self.now)
        to_ms = now_ms + parse_duration(body["by"]) if "by" in body else parse_instant(body.get("to", self.now))
        self.now = format_instant(to_ms)
        for due in sorted(self._due, key=lambda due: due[0]):
            if due[0] <= self.now:
                self._due.remove(due)
                self._add(due[1], due[0], due[2])
        return reply(200, {"to": self.now})

    def _add(self, name: str, at: str, entry: Mapping[str, Any]) -> None:
        self._lists[name].append({"seq": len(self._lists[name]) + 1, "at": at, **entry})

    def _page(self, name: str, after: int) -> Reply:
        rest = [entry for entry in self._lists[name] if entry["seq"] > after]
        return reply(200, {name: rest[:PAGE], "next": rest[PAGE - 1]["seq"] if len(rest) > PAGE else None})


def attempt(
    kind: str, status: int | None, outcome: str | None = None, host: str = "hooks.example.com"
) -> dict[str, Any]:
    """A delivery attempt as the control plane lists it."""
    said = outcome or ("delivered" if status == 200 else "http_status")
    return {"type": kind, "url": f"https://{host}/gifts", "status": status, "outcome": said}


def told(steps: str, service: Service | None = None, **head: str) -> Report:
    """Plays steps written as YAML, under the usual head and whatever is added to it."""
    lines = ["scenario: A story", *(f"{name}: {value}" for name, value in head.items()), "steps:", steps.strip("\n")]
    return play(load("\n".join(lines), "story.yaml"), service or Service())
