"""A request whose end is not clear is refused with 400, and nothing after it is read as a request (G83)."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.engine.server import Server
from tests.support.listening import listening

WAIT_S = 60
POST = b"POST /_sim/v1/worlds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
SMUGGLED = b"POST /_sim/v1/worlds HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A served simulator."""
    with listening(Simulator(fixture="bare")) as server:
        yield server


def exchange(server: Server, sent: bytes) -> bytes:
    """All that a connection answers until it is closed."""
    with socket.create_connection((server.host, server.port), timeout=WAIT_S) as connection:
        connection.sendall(sent)
        received = b""
        while piece := connection.recv(65536):
            received += piece
        return received


def worlds(server: Server) -> int:
    """How many worlds there are."""
    answer = exchange(server, b"GET /_sim/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    return int(json.loads(answer.partition(b"\r\n\r\n")[2])["worlds"])


@pytest.mark.parametrize(
    "request_bytes",
    [
        POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
        POST + b"transfer-encoding:chunked\r\ncontent-length:0\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: \r\nContent-Length: 2\r\n\r\n{}",
        POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        POST.replace(b"HTTP/1.1", b"HTTP/1.0") + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        POST + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        POST + b"Content-Length: +2\r\n\r\n{}",
        POST + b"Content-Length: 2, 2\r\n\r\n{}",
        POST + b"Content-Length: -1\r\n\r\n{}",
        POST + b"Content-Length: 0x2\r\n\r\n{}",
        POST + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n{}",
        POST + b"Content-Length : 2\r\n\r\n{}",
        POST + b"Host: other.example\r\nContent-Length: 2\r\n\r\n{}",
        CHUNKED + b"x\r\n{}\r\n0\r\n\r\n",
        CHUNKED + b"0x2\r\n{}\r\n0\r\n\r\n",
        CHUNKED + b"-2\r\n{}\r\n0\r\n\r\n",
        CHUNKED + b"\r\n2\r\n{}\r\n0\r\n\r\n",
        CHUNKED + b"2\r\n{}0\r\n\r\n",
        CHUNKED + b"2\n{}\r\n0\r\n\r\n",
        CHUNKED + b"2;" + b"a" * 300_000 + b"\r\n{}\r\n0\r\n\r\n",
        CHUNKED + b"1" * 5_000,
        b"GET http://[/_sim/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_an_ambiguous_request_is_refused_and_ends_its_connection(server: Server, request_bytes: bytes) -> None:
    before = worlds(server)
    answer = exchange(server, request_bytes + SMUGGLED)
    head = answer.partition(b"\r\n\r\n")[0]
    assert head.split(b"\r\n")[0].endswith(b" 400 Bad Request"), head
    assert b"\r\nConnection: close" in head
    assert answer.count(b"\r\nServer: ") == 1
    assert worlds(server) == before


def test_a_chunked_body_is_read(server: Server) -> None:
    before = worlds(server)
    body = b"1\r\n{\r\n1;last\r\n}\r\n0\r\nX-Digest: none\r\n\r\n"
    close = b"GET /_sim/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = exchange(server, CHUNKED + body + close)
    assert answer.startswith(b"HTTP/1.1 201 Created\r\n")
    assert answer.count(b"HTTP/1.1 ") == 2
    assert worlds(server) == before + 1
