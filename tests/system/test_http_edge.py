"""The edge of HTTP, byte by byte: HEAD, connections that stay open, header names, and bodies beyond every limit."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.server import Server
from tests.support.listening import listening
from tests.support.museum import ticket_body
from tests.support.orders import order_body

WAIT_S = 60
SERVER_LIMIT = 64 * 1024 * 1024
INTERFACES = {"partner": "partner.prepaid", "team": "team.live_approver", "museum": "museum", "control": None}
VARIES = re.compile(rb"(x-request-id|date|x-ratelimit-remaining|x-ratelimit-reset): [^\r]*\r\n", re.IGNORECASE)
# The message of a 404 or 405 may name the method.
MESSAGE_VARIES = re.compile(VARIES.pattern.replace(b"date", b"date|content-length"), re.IGNORECASE)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A simulator that is served in this process."""
    with listening(Simulator(fixture="empty")) as server:
        yield server


@pytest.fixture(scope="module")
def credentials(server: Server) -> Any:
    """The headers of each credential of the default world."""
    status, _, content = exchange(server, "GET", "/_sim/v1/worlds/default")[0]
    assert status == 200
    return {name: entry["headers"] for name, entry in json.loads(content)["credentials"].items()}


class Socket:
    """One connection, on which requests are written and responses are read byte by byte."""

    def __init__(self, server: Server) -> None:
        self.socket = socket.create_connection((server.host, server.port), timeout=WAIT_S)
        self.file = self.socket.makefile("rb")

    def send(self, method: str, path: str, headers: Any = (), body: bytes = b"") -> None:
        """Write a request; `headers` are pairs."""
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *[f"{name}: {value}" for name, value in headers]]
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        self.socket.sendall(("\r\n".join(lines) + f"\r\n{length}\r\n").encode() + body)

    def read_head(self) -> tuple[int, bytes]:
        """The status and the header of the next response."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.file.readline()
            assert line, f"the connection was closed after {head!r}"
            head += line
        assert head.startswith(b"HTTP/1.1 "), head
        return int(head[9:12]), head

    def read(self) -> tuple[int, bytes, bytes]:
        """Status, header and body of the next response, which is not one to HEAD."""
        status, head = self.read_head()
        length = re.search(rb"\r\nContent-Length: (\d+)\r\n", head)
        return status, head, self.file.read(int(length[1])) if length else b""

    def close(self) -> None:
        """Close the connection."""
        self.file.close()
        self.socket.close()


def exchange(server: Server, *request: Any, times: int = 1) -> list[tuple[int, bytes, bytes]]:
    """The responses to one request, sent so many times on one connection."""
    connection = Socket(server)
    try:
        responses = []
        for _ in range(times):
            connection.send(*request)
            responses.append(connection.read())
        return responses
    finally:
        connection.close()


def routes(world: str) -> list[tuple[str, str, str]]:
    """The interface, path and methods of every route, with a record that does not exist in its path."""
    found = []
    for name in INTERFACES:
        contract = Contract.load(CONTRACTS[name])
        for operation in contract.operations.values():
            path = re.sub(r"\{w\}", world, operation.template)
            found.append((name, contract.prefix + re.sub(r"\{\w+\}", "77", path), operation.method))
    return found


def head_and_get(server: Server, path: str, headers: Any) -> tuple[int, int]:
    """The statuses of HEAD and of GET behind it on one connection, after a check that nothing else differs."""
    connection = Socket(server)
    try:
        connection.send("HEAD", path, headers)
        status, head = connection.read_head()
        connection.send("GET", path, headers)
        get_status, get_head, _ = connection.read()
        if status == get_status:
            varies = VARIES if status not in (404, 405) else MESSAGE_VARIES
            assert varies.sub(b"", head) == varies.sub(b"", get_head)
        return status, get_status
    finally:
        connection.close()


@pytest.mark.parametrize("name", INTERFACES)
@pytest.mark.parametrize("signed_in", [True, False])
def test_head_has_the_headers_of_get_and_no_body(server: Server, name: str, signed_in: bool) -> None:
    status, _, content = exchange(server, "POST", "/_sim/v1/worlds")[0]  # without the large bodies of other tests
    assert status == 201
    world, credential = json.loads(content), INTERFACES[name]
    headers = [*world["credentials"][credential]["headers"].items()] if credential and signed_in else []
    found = routes(world["id"])
    gets = {path for interface, path, method in found if interface == name and method == "GET"}
    for path in sorted(gets):
        status, get_status = head_and_get(server, path, headers)
        assert status == get_status, path
    others = {path for interface, path, method in found if interface == name and method != "GET"} - gets
    for path in sorted(others):
        assert head_and_get(server, path, headers) == (405, 405), path


@pytest.mark.parametrize(
    "path",
    ["/", "/nowhere", "/claim/default/unknown", "/claim/nowhere/unknown", "/openapi/partner.json", "/openapi/no.json",
     "/mcp", "/v1.1/nowhere", "/_sim/v1/nowhere", "/previews/default/unknown.png"],
)  # fmt: skip
def test_head_on_every_page_has_no_body(server: Server, path: str) -> None:
    status, get_status = head_and_get(server, path, [])
    assert status == get_status


def test_head_lists_itself_where_a_path_has_get(server: Server, credentials: Any) -> None:
    ((status, head, _),) = exchange(server, "PUT", "/api/external/webhooks", credentials["partner.prepaid"].items())
    assert (status, re.search(rb"\r\nAllow: ([^\r]*)\r\n", head)[1]) == (405, b"GET, HEAD, POST, OPTIONS")  # type: ignore[index]


def test_a_request_that_is_not_http_has_no_body_for_head(server: Server) -> None:
    connection = Socket(server)
    connection.socket.sendall(b"HEAD / HTTP/1.1\r\nTransfer-Encoding: nonsense\r\n\r\n")
    assert connection.file.read().endswith(b"\r\n\r\n")
    connection.close()


def test_a_204_keeps_the_connection_open(server: Server, credentials: Any) -> None:
    headers = [*credentials["museum"].items(), ("Content-Type", "application/json")]
    event = json.dumps({"name": "a", "location": "b", "eventDescription": "c", "dates": ["2027-01-05"], "price": 1})
    ((_, _, content),) = exchange(server, "POST", "/v1.1/special-events", headers, event.encode())
    connection = Socket(server)
    connection.send("DELETE", f"/v1.1/special-events/{json.loads(content)['eventId']}", headers)
    status, head = connection.read_head()
    assert status == 204
    assert b"Content-Length" not in head
    assert b"Connection" not in head
    connection.send("GET", "/v1.1/museum-hours", headers)
    assert connection.read()[0] == 200
    connection.close()


def test_a_client_that_asks_for_it_gets_its_connection_closed(server: Server) -> None:
    connection = Socket(server)
    connection.send("GET", "/_sim/v1/health", [("Connection", "close")])
    assert b"\r\nConnection: close\r\n" in connection.read()[1]
    assert connection.file.read() == b""
    connection.close()


def test_header_names_are_spelt_as_documented(server: Server, credentials: Any) -> None:
    ((_, head, _),) = exchange(server, "GET", "/api/external/webhooks", credentials["partner.prepaid"].items())
    for name in (b"X-RateLimit-Limit", b"X-RateLimit-Remaining", b"X-RateLimit-Reset", b"X-Request-Id"):
        assert b"\r\n" + name + b": " in head
    ((status, head, _),) = exchange(server, "GET", "/v1.1/museum-hours")
    assert status == 401
    assert b'\r\nWWW-Authenticate: Basic realm="museum"\r\n' in head


@pytest.mark.parametrize(
    ("path", "challenge"),
    [("/api/external/webhooks", 'Bearer realm="partner"'), ("/api/teams/v1/people", 'Bearer realm="team"'),
     ("/api/teams/v1/keys", 'Session realm="team"'), ("/mcp", 'Bearer realm="team"')],
)  # fmt: skip
def test_a_401_says_how_to_authenticate(server: Server, path: str, challenge: str) -> None:
    method = "POST" if path == "/mcp" else "GET"
    ((status, head, _),) = exchange(server, method, path, (), b"{}")
    assert status == 401
    assert f"\r\nWWW-Authenticate: {challenge}\r\n".encode() in head


@pytest.mark.parametrize("size", [SERVER_LIMIT, 10 * SERVER_LIMIT])
@pytest.mark.parametrize(
    ("path", "credential", "code"),
    [("/api/external/team-orders", "partner.prepaid", "body_too_large"),
     ("/api/teams/v1/people", "team.live_approver", "body_too_large"), ("/v1.1/tickets", "museum", "validation_failed"),
     ("/claim/default/token", "museum", "body_too_large"), ("/_sim/v1/worlds", "museum", "body_too_large")],
)  # fmt: skip
def test_a_body_over_the_limit_of_the_server_is_refused_in_the_envelope(
    server: Server, credentials: Any, path: str, credential: str, code: str, size: int
) -> None:
    """The response comes at once; the client that sends on all the same can still read it."""
    headers = [*credentials[credential].items(), ("Content-Length", str(size)), ("Idempotency-Key", "large")]
    headers = headers if path[1:5] != "_sim" else [("Content-Length", str(size))]
    connection = Socket(server)
    connection.send("POST", path, headers)
    for _ in range(16):
        connection.socket.sendall(bytes(1024 * 1024))
    status, head, content = connection.read()
    assert status == 400
    request_id = re.search(rb"\r\nX-Request-Id: (\w+)\r\n", head)
    assert request_id
    error = json.loads(content)
    assert error.get("type", error.get("error", {}).get("code")) == code
    assert error.get("error", {}).get("request_id", request_id[1].decode()) == request_id[1].decode()
    connection.close()


def test_a_chunked_body_over_the_limit_of_the_server_is_refused_in_the_envelope(
    server: Server, credentials: Any
) -> None:
    connection = HTTPConnection(server.host, server.port, timeout=60)
    chunk = bytes(1024 * 1024)
    headers = {**credentials["partner.prepaid"], "Transfer-Encoding": "chunked"}
    connection.request("POST", "/api/external/team-orders", iter([chunk] * 70), headers, encode_chunked=True)
    response = connection.getresponse()
    assert (response.status, json.loads(response.read())["error"]["code"]) == (400, "body_too_large")
    connection.close()


def keyed(server: Server, credentials: Any, *keys: str) -> tuple[int, Any]:
    """The response to an upsert with these Idempotency-Key headers."""
    headers = [*credentials["team.live_approver"].items(), *[("idempotency-KEY", key) for key in keys]]
    body = json.dumps({"people": [{"work_email": "bo@example.com"}]}).encode()
    ((status, _, content),) = exchange(server, "POST", "/api/teams/v1/people", headers, body)
    return status, json.loads(content)


def test_two_idempotency_keys_in_one_request_are_refused(server: Server, credentials: Any) -> None:
    for keys in (("a", "b"), ("a", "a"), ("a,b", "c")):
        status, answer = keyed(server, credentials, *keys)
        assert (status, answer["error"]["code"]) == (400, "invalid_idempotency_key")
    for key in ("a, b", "a,b", ","):
        status, answer = keyed(server, credentials, key)
        assert status in (200, 201), answer


def test_a_ticket_is_sold_over_one_connection(server: Server, credentials: Any) -> None:
    body = json.dumps(ticket_body()).encode()
    responses = exchange(server, "POST", "/v1.1/tickets", credentials["museum"].items(), body, times=3)
    assert [status for status, _, _ in responses] == [201] * 3
    body = json.dumps(order_body()).encode()
    sent = credentials["partner.prepaid"].items()
    assert exchange(server, "POST", "/api/external/team-orders", sent, body, times=2)[1][0] == 201


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"FOO /api/external/team-orders HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
        (b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"A" * 70_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"no http\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
        (b"GET https://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
    ],
)
def test_an_answer_of_the_server_itself_has_a_request_id_of_its_own(server: Server, raw: bytes, status: int) -> None:
    found = set()
    for _ in range(2):
        connection = Socket(server)
        connection.socket.sendall(raw)
        answered, head = connection.read_head()
        connection.close()
        assert answered == status, head
        ids = re.findall(rb"(?i)\r\nx-request-id: (req_[0-9a-f]{20})\r\n", head)
        assert len(ids) == 1, head
        found |= set(ids)
    assert len(found) == 2
