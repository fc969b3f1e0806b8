"""Inputs that are meant to cost much: large, deep, repeated, or multiplying. Each is a request to a world."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from tests.support.orders import order_body

MEBIBYTE = 1024 * 1024
HEADER_BYTES = 200_000  # what the server takes as a header or a request line
FORM = "application/x-www-form-urlencoded"
RUNAWAY = "{$matches: '^(([a-z]|[a-z][a-z])+)+$|(.|..)+!'}"
MULTIPART = "multipart/form-data; boundary=b"


class HostileInput(NamedTuple):
    """A request; its body is built when it is sent. `credential` is a name of the fixture `empty`, "" for none."""

    name: str
    method: str
    path: str
    body: Callable[[], bytes]
    credential: str = ""
    headers: Mapping[str, str] = {}


def _json(value: Callable[[], Any]) -> Callable[[], bytes]:
    return lambda: json.dumps(value(), separators=(",", ":")).encode()


def _order(member: str, value: Callable[[], Any]) -> Callable[[], bytes]:
    return _json(lambda: order_body(**{member: value()}))


def _many_members(count: int) -> bytes:
    return b"{" + b",".join(b'"m%d":1' % i for i in range(count)) + b',"m0":2}'


def _fields(count: int) -> bytes:
    return b"&".join(b"address.f%d=x" % i for i in range(count))


def _parts(count: int, size: int) -> bytes:
    head = b'--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n'
    return (head + b"x" * size + b"\r\n") * count + b"--b--\r\n"


def bodies() -> Iterator[HostileInput]:
    """Bodies of calls to the interfaces."""
    order, people, gift = "/api/external/team-orders", "/api/teams/v1/people", "/api/teams/v1/gifts"
    partner, team = "partner.prepaid", "team.live_approver"
    key = {"Idempotency-Key": "k"}
    rows: dict[str, Callable[[], Any]] = {
        "numbers": lambda: [5] * 240_000,
        "objects": lambda: [{}] * 240_000,
        "lists": lambda: [[]] * 240_000,
        "texts at the end": lambda: [{"name": "B", "email": "b@b.co"}] * 60_000 + ["x"] * 60_000,
        "rows": lambda: [{"name": "B", "email": "b@b.co"}] * 80_000,
    }
    for name, value in rows.items():
        for member in ("recipients", "items"):
            yield HostileInput(f"{member}: {name}", "POST", order, _order(member, value), partner)
    yield HostileInput("people: numbers", "POST", people, _json(lambda: {"people": [5] * 240_000}), team, key)
    yield HostileInput("gift: numbers", "POST", gift, _json(lambda: {"recipients": [5] * 240_000}), team, key)
    yield HostileInput("gift: objects", "POST", gift, _json(lambda: {"recipients": [{}] * 240_000}), team, key)
    texts: dict[str, Callable[[], bytes]] = {
        "a million empty lists": lambda: b"[" + b"[]," * 1_300_000 + b"[]]",
        "a member given twice among many": lambda: _many_members(240_000),
        "nesting": lambda: b"[" * 4 * MEBIBYTE,
        "nesting of objects": lambda: b'{"a":' * 800_000,
        "one number": lambda: b"[" + b"9" * 4_000_000 + b"]",
        "large numbers": lambda: b"[" + (b"9" * 4_000 + b",") * 1_000 + b"1]",
        "one text": lambda: b'{"name":"' + b"x" * 4_000_000 + b'"}',
        "escapes": lambda: b'{"name":"' + b"\\u0041" * 690_000 + b'"}',
        "a text that does not end": lambda: b'{"name":"' + b'\\",' * 1_300_000,
        "unknown members": lambda: b"{" + b",".join(b'"m%d":1' % i for i in range(240_000)) + b"}",
        "more than the server takes": lambda: b"[" + b"1," * 10 * MEBIBYTE,
    }
    for name, body in texts.items():
        yield HostileInput(f"body: {name}", "POST", order, body, partner)


def claims(path: str) -> Iterator[HostileInput]:
    """Claims, which anyone may post to a claim page's `path`."""
    contents: dict[str, tuple[str, Callable[[], bytes]]] = {
        "a member given twice among many": ("application/json", lambda: _many_members(240_000)),
        "fields": (FORM, lambda: _fields(250_000)),
        "a field many times": (FORM, lambda: b"a=x&" * MEBIBYTE),
        "one long field": (FORM, lambda: b"name=" + b"x" * 60 * MEBIBYTE),
        "many parts": (MULTIPART, lambda: _parts(60_000, 1)),
        "a large part": (MULTIPART, lambda: _parts(1, 60 * MEBIBYTE)),
    }
    for name, (content_type, body) in contents.items():
        yield HostileInput(f"claim: {name}", "POST", path, body, "", {"Content-Type": content_type})


def request_lines(path: str) -> Iterator[HostileInput]:
    """Long paths, queries and headers; `path` is that of a claim page."""
    order = "/api/external/team-orders"
    names = "&".join(f"p{i}=1" for i in range(HEADER_BYTES // 9))
    texts: dict[str, tuple[str, dict[str, str]]] = {
        "query": (f"{order}?{'a=1&' * (HEADER_BYTES // 4)}", {}),
        "query of the control API": (f"/_sim/v1/worlds?{names}", {}),
        "path": ("/api/external/" + "x/" * (HEADER_BYTES // 2), {}),
        "path of the control API": ("/_sim/v1/" + "x" * HEADER_BYTES, {}),
        "cookies": ("/api/teams/v1/team", {"Cookie": "a=b; " * (HEADER_BYTES // 5)}),
        "accepted types": (path, {"Accept": "text/html," * (HEADER_BYTES // 10)}),
        "credential": (order, {"Authorization": "Bearer " + "pk_live_" * (HEADER_BYTES // 8)}),
        "fault": (order, {"X-Sim-Fault": "status=500;" * (HEADER_BYTES // 11)}),
    }
    for name, (target, headers) in texts.items():
        yield HostileInput(f"header: {name}", "GET", target, lambda: b"", "", headers)


def scenarios() -> Iterator[HostileInput]:
    """Texts that are to be played as scenarios."""
    head, get = "scenario: S\n", "GET /_sim/v1/health"
    aliases = "".join(f"  v{n}: &v{n} [{', '.join([f'*v{n - 1}'] * 9)}]\n" for n in range(1, 12))
    texts: dict[str, Callable[[], str]] = {
        "aliases of aliases": lambda: f"{head}vars:\n  v0: &v0 [x, x]\n{aliases}steps: []\n",
        "variables of variables": lambda: f"{head}{_doubling(60)}steps: [call: '{get}?${{v59}}']\n",
        "repeats": lambda: f"{head}steps:\n" + f"  - {{call: {get}, repeat: 1000}}\n" * 9_000,
        "steps": lambda: f"{head}steps:\n" + f"- call: {get}\n" * 15_000,
        "nesting": lambda: "[" * 1_000_000,
        "members": lambda: "".join(f"m{n}: 1\n" for n in range(45_000)),
        "text": lambda: f"{head}about: " + "x" * 4_000_000,
        "a JSONPath of 5,000 levels": lambda: f"{head}steps: [{{call: {get}, save: {{v: $" + ".a" * 5_000 + "}}]\n",
        "a JSONPath with a pattern": lambda: f"{head}steps:\n- {{call: {get}, save: {{v: '$.`sub(/(a|a)*!/, b)`'}}}}\n",
        "a runaway pattern": lambda: f"{head}steps: [{{call: {get}, expect: {{body: {{status: {RUNAWAY}}}}}}}]\n",
    }
    for name, text in texts.items():
        yield HostileInput(f"scenario: {name}", "POST", "/_sim/v1/scenarios/play", _encoded(text))


def _encoded(text: Callable[[], str]) -> Callable[[], bytes]:
    return lambda: text().encode()


def _doubling(count: int) -> str:
    return "vars:\n  v0: x\n" + "".join(f"  v{n}: ${{v{n - 1}}}${{v{n - 1}}}\n" for n in range(1, count))


def control_bodies() -> Iterator[HostileInput]:
    """Bodies of calls to the control API."""
    worlds, world = "/_sim/v1/worlds", "/_sim/v1/worlds/default"
    many = {f"m{i}": 1 for i in range(200_000)}
    contents: dict[str, tuple[str, str, Callable[[], Any]]] = {
        "members": ("POST", worlds, lambda: many),
        "settings": ("PATCH", f"{world}/settings", lambda: many),
        "effects": ("POST", f"{world}/faults", lambda: {"effect": many}),
        "name of an operation": ("POST", f"{world}/faults", lambda: {"match": {"operation": "x" * 4_000_000}}),
        "selection": ("POST", f"{world}/simulate/claim", lambda: {"team_order_id": 1, "selection": many}),
        "rows of a fixture": ("POST", worlds, lambda: {"fixture": {"products": [5] * 240_000}}),
        "sections of a fixture": ("POST", worlds, lambda: {"fixture": many}),
    }
    for name, (method, path, value) in contents.items():
        yield HostileInput(f"control: {name}", method, path, _json(value))
