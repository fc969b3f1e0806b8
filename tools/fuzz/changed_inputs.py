"""Inputs that are changed byte by byte: bodies, paths and headers of calls, and files of every format that is read."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract, Operation
from tests.support.orders import order_body
from tools.fuzz.contracts import CREDENTIALS, LEFT_OUT
from tools.fuzz.target import WORLD, Input

ROOT = Path(__file__).parents[2]
HEADERS = {
    "Accept": "text/html,*/*;q=0.1", "Authorization": "Bearer pk_live_default_prepaid", "Content-Length": "2",
    "Content-Type": "application/json", "Cookie": "a=b; c=d", "Host": "localhost:8080", "Idempotency-Key": "k1",
    "If-None-Match": '"1"', "Origin": "http://[::1]:8080", "Range": "bytes=0-1", "X-Sim-Fault": "status=503; times=2",
    "X-Sim-World": "default", "X-API-Key": "ptk_live_default_approver", "Sec-Fetch-Site": "same-origin",
}  # fmt: skip
_HEAD = b"Host: localhost\r\nAuthorization: Bearer pk_live_default_prepaid\r\nContent-Type: application/json\r\n"
_CALL = b"POST /api/external/team-orders HTTP/1.1\r\n" + _HEAD
_FORM = b"POST /claim/default/x HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 62\r\n\r\n"
RAW = (
    b"GET /_sim/v1/health HTTP/1.1\r\n" + _HEAD + b"\r\n",
    b"HEAD /api/external/team-orders?limit=5 HTTP/1.0\r\n" + _HEAD + b"Connection: keep-alive\r\n\r\n",
    _CALL + b"Content-Length: 14\r\n\r\n" + b'{"items": [1]}',
    _CALL + b"Transfer-Encoding: chunked\r\n\r\n" + b'8\r\n{"items"\r\n6;x=y\r\n: [1]}\r\n0\r\nA: b\r\n\r\n',
    _CALL + b"Content-Length: 14\r\nTransfer-Encoding: chunked\r\n\r\n" + b'{"items": [1]}',
    _CALL + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}" + _CALL + b"Content-Length: 2\r\n\r\n{}",
    _FORM + b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--b--\r\n',
)
CLAIM_FORM = b"address.address1=1+Main+St&address.city=Reno&address.state=NV&address.zip=89501&address.country=US"


@cache
def parameters() -> frozenset[str]:
    """The names of all path parameters."""
    templates = (each for name in CONTRACTS for each in Contract.load(CONTRACTS[name]).operations.values())
    return frozenset(found for each in templates for found in re.findall(r"{(\w+)}", each.template)) - {"w"}


@cache
def requests() -> tuple[Input, ...]:
    """The examples of all operations, and requests of the pages beside them."""
    found = [
        Input("request", b"{}", "POST", "/mcp", "team.live_approver"),
        Input("request", CLAIM_FORM, "POST", "/claim/default/token"),
        Input("request", b"", "GET", "/openapi/team.json"),
    ]
    for name in CONTRACTS:
        contract = Contract.load(CONTRACTS[name])
        for operation in contract.operations.values():
            path = contract.prefix + operation.template.replace("{w}", "default").replace("{", "").replace("}", "")
            found += [
                Input("request", body, operation.method, path, CREDENTIALS[name][0]) for body in _examples(operation)
            ]
    return tuple(found)


def _examples(operation: Operation) -> Iterator[bytes]:
    content = operation.node.get("requestBody", {}).get("content", {}).get("application/json", {})
    examples = [each["value"] for each in content.get("examples", {}).values()] or [content.get("example", {})]
    yield from (json.dumps(each).encode() for each in examples)


@cache
def texts(kind: str) -> tuple[bytes, ...]:
    """Files of one kind that are valid."""
    if kind == "journal":
        return (_journal(),)
    if kind == "recording":
        return (_recording(),)
    if kind == "raw":
        return RAW
    folder, ending = ("scenarios", "**/*.yaml") if kind == "scenario" else ("fixtures", "*.yaml")
    return tuple(file.read_bytes() for file in sorted((ROOT / folder).glob(ending)))


def _journal() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "journal"
        simulator = Simulator(fixture="empty", journal=file)
        _make_some_calls(simulator)
        simulator.close()
        return file.read_bytes()


def _recording() -> bytes:
    simulator = Simulator(fixture="empty")
    _make_some_calls(simulator)
    text = simulator.client.call("GET", f"{WORLD}/calls/scenario").body
    simulator.close()
    return text


def _make_some_calls(simulator: Simulator) -> None:
    client = simulator.client
    headers = client.call("GET", WORLD).json()["credentials"]["partner.prepaid"]["headers"]
    for number in range(3):
        order = order_body(idempotency_key=f"k{number}")
        client.call("POST", "/api/external/team-orders", body=order, headers=headers)
        client.call("POST", f"{WORLD}/clock/advance", body={"by": "1d"})


def changed_inputs(kind: str, chance: Random) -> Iterator[Input]:
    """Endlessly many inputs of a kind, each made by a few changes."""
    while True:
        yield _changed_request(chance) if kind == "request" else _changed_file(kind, chance)


def allowed(inputs: Iterable[Input]) -> Iterator[Input]:
    """Those that do not wait for a call that never comes, and do not ask for an undocumented answer."""
    for made in inputs:
        if not any(word.encode() in made.content or word in made.path + str(made.headers) for word in LEFT_OUT):
            yield made


def _changed_file(kind: str, chance: Random) -> Input:
    base = chance.choice(texts(kind))
    if kind == "fixture" and chance.random() < 0.8:
        return Input(kind, json.dumps(mutated_data(yaml.safe_load(base), chance)).encode())
    content = mutated(base, chance)
    return Input("scenario" if kind == "recording" else kind, content)


def _changed_request(chance: Random) -> Input:
    base = chance.choice(requests())
    headers = {name: HEADERS[name] for name in chance.sample(sorted(HEADERS), chance.randrange(3))}
    headers = {name: mutated_text(text, chance) for name, text in headers.items()}
    path = base.path if chance.random() < 0.6 else "/" + mutated_text(base.path, chance).lstrip("/")
    content = base.content if chance.random() < 0.2 else mutated(base.content, chance)
    return Input("request", content, base.method, path, base.credential, headers)


TOKENS = (
    b"null", b"true", b"-1", b"0", b"1e400", b"1.0", b"NaN", b"9" * 40, b'"', b"'", b"{", b"}", b"[", b"]", b":", b",",
    b"\n", b"\r\n", b"\x00", b"\xff", b"\\u0000", b"\\ud800", b"\xe2\x80\xa8", b"${", b"${start}", b"*a", b"&a ",
    b"<<: ", b"- ", b"? ", b"!!python/none ", b"%00", b"%ff", b"../", b"0001-01-01T00:00:00Z", b"9999-12-31T23:59:59Z",
    b"0000-00-00", b"99999999w", b"-5d", b"x" * 500, b"http://[", b"https://127.0.0.1/", b"\xf0\x9f\x8e\x81", b"$.a..b",
    b"extends", b"sim.body.", b"=1+1",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 5, 10**9, 10**15, -(10**9), 2**53, 1.5, "", " ", "x", "a" * 300, "é", "\u2028", "\n",
    "0s", "-5d", "-1d", "10h", "99999999w", "999999999999ms", "P1D", "2027-01-01", "9999-12-31", "0001-01-01",
    "25:00", "US",
    "northwind", "partner.prepaid", "team.live_approver", "shipped", "approve", "mug-01", "MUG-01", 2**63, 10**40,
    float("inf"), float("nan"), "\x00", "\ud800", "http://[", "sub.*", "%ff", [], [[]], ["x"],
    [1], {}, {"a": 1},
)  # fmt: skip
NAMES = (
    "x", "extends", "generated", "seed", "rows", "csv", "places", "country", "gift", "store", "order", "event", "then",
)  # fmt: skip
MOST_CHANGES = 4


def mutated(content: bytes, chance: Random) -> bytes:
    """The bytes with one to four changes."""
    for _ in range(chance.randint(1, MOST_CHANGES)):
        content = _changed(content, chance)
    return content


def _changed(content: bytes, chance: Random) -> bytes:
    start = chance.randrange(len(content) + 1)
    end = min(len(content), start + chance.choice((0, 1, 2, 8, 64)))
    piece = content[start:end]
    match chance.randrange(6):
        case 0:
            new = bytes([chance.randrange(256)])
        case 1:
            new = b""
        case 2:
            new = piece * chance.choice((2, 3, 20))
        case 3:
            return content[:start]
        case 4:
            source = chance.randrange(len(content) + 1)
            new = content[source : source + chance.choice((4, 16, 100))]
        case _:
            new = chance.choice(TOKENS)
    return content[:start] + new + content[end:]


def mutated_text(text: str, chance: Random) -> str:
    """Text for a header or a path: what a byte can be there, as WSGI decodes it."""
    changed = mutated(text.encode("latin-1", "replace"), chance).replace(b"\r", b"").replace(b"\n", b"")
    return changed.decode("latin-1")


def mutated_data(data: Any, chance: Random) -> Any:
    """A copy of data with one to three of its values changed, moved, repeated or left out."""
    data = deepcopy(data)
    for _ in range(chance.choice((1, 1, 2, 3))):
        holder, name = chance.choice(list(_places(data)))
        match chance.randrange(8):
            case 0:
                del holder[name]
            case 1 if isinstance(holder, list):
                holder.insert(0, deepcopy(chance.choice(holder)))
            case 2 if isinstance(holder, dict):
                holder[chance.choice(NAMES)] = chance.choice(VALUES)
            case _:
                holder[name] = chance.choice(VALUES)
        if not data:
            break
    return data


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each place in the data, as its mapping or list and the name or index there."""
    names = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for name in names:
        yield value, name
        yield from _places(value[name])
