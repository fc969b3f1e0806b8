"""Worlds beside one another, and deliveries that leave the process: each compared with its floor in the same run."""

from __future__ import annotations

import http.client
import multiprocessing
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from itertools import cycle
from typing import Any

from benchmarks.figure import Figure, seconds
from benchmarks.http_load import request, send_requests
from benchmarks.workload import KEY, advance, funded, order, place, serving

WORLDS, MANY, PARCELS, POSTS = 8, 4_000, 4_000, 4_000
ORDERS = "/api/external/team-orders"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def figures() -> Iterator[Figure]:
    """Eight worlds beside one, a call during an advance of another world, and forwarded deliveries."""
    with serving("--fixture", "empty") as server:
        yield _worlds(server["port"])
        yield _during_an_advance(server["port"])
    yield _deliveries()


def _key(world: str) -> dict[str, str]:
    return {"Authorization": f"Bearer pk_live_{world}_prepaid"}


def _control(port: int, path: str, body: Any) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    content = request("POST", path, {}, body).partition(b"\r\n\r\n")[2]
    connection.request("POST", f"/_sim/v1/worlds{path}", content)
    response = connection.getresponse()
    assert response.status < 300, response.read()
    connection.close()


def _worlds(port: int) -> Figure:
    for n in range(WORLDS):
        _control(port, "", {"id": f"side{n}", "fixture": "empty"})
    keys = cycle([_key(f"side{n}") for n in range(WORLDS)])
    one, many = [], []
    for _ in range(3):
        one.append(send_requests(port, MANY, lambda: request("POST", ORDERS, KEY, order()))[0])
        many.append(send_requests(port, MANY, lambda: request("POST", ORDERS, next(keys), order()))[0])
    rate, ratio = statistics.median(many), statistics.median(many) / statistics.median(one)
    return Figure(f"creates in {WORLDS} worlds by {WORLDS} clients", f"{rate:,.0f}/s", "no slower than one world",
                  ratio >= 0.95, "those in one world", ratio)  # fmt: skip


def _during_an_advance(port: int) -> Figure:
    key = _key("side0")
    send_requests(port, PARCELS, lambda: request("POST", ORDERS, key, order(addressed=True)))
    read = request("GET", f"{ORDERS}?limit=1", KEY)
    advancing = threading.Thread(target=_control, args=(port, "/side0/clock/advance", {"by": "30d"}))
    spans: list[float] = []
    with socket.create_connection(("127.0.0.1", port)) as connection:
        advancing.start()
        while advancing.is_alive() or not spans:
            started = time.perf_counter()
            connection.sendall(read)
            assert connection.recv(65536).startswith(b"HTTP/1.1 200")
            spans.append((time.perf_counter() - started) * 1000)
    p50_ms = statistics.median(spans)
    return Figure("read in another world during a long advance", f"p50 {p50_ms:.1f} ms", "p50 under 10 ms", p50_ms < 10)


def _deliveries() -> Figure:
    """Forwarded deliveries a second, and what a bare client posts to the same receiver."""
    receiving, sending = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_receive, args=(sending,), daemon=True)
    process.start()
    port = receiving.recv()
    floor = POSTS / seconds(lambda: _post(port))
    _, client = funded()
    subscription = {"url": "https://hooks.partner.example/gifts", "events": ["team_order.shipped"]}
    client.call("POST", "/api/external/webhooks", body=subscription, headers=KEY)
    receiver = "/_sim/v1/worlds/default/receivers/hooks.partner.example"
    assert client.call("PUT", receiver, body={"mode": "capture", "then": {"status": 503}}).status == 200
    place(client, POSTS, addressed=True)
    advance(client, "3d")  # the parcels are shipped, and every delivery has failed
    assert client.call("PUT", receiver, body={"mode": "forward", "to": f"http://127.0.0.1:{port}"}).status == 200
    reports: list[Any] = []
    rate = POSTS / seconds(lambda: reports.append(advance(client, "1d")))
    process.terminate()
    assert reports[0]["delivery_count"] == POSTS, reports[0]["delivery_count"]
    return Figure("deliveries forwarded to a receiver, as retries", f"{rate:,.0f}/s", "0.6 of its floor",
                  rate / floor >= 0.6, "http.client, one connection", rate / floor)  # fmt: skip


def _post(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for _ in range(POSTS):
        connection.request("POST", "/", b"x" * 700)
        connection.getresponse().read()
    connection.close()


def _receive(announce: Any) -> None:
    """Answer 200 to whatever arrives, in as little time as a receiver can take."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        announce.send(server.getsockname()[1])
        while True:
            connection, _ = server.accept()
            threading.Thread(target=_answer, args=(connection,), daemon=True).start()


def _answer(connection: socket.socket) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    kept = b""
    while received := connection.recv(65536):
        kept += received
        while (end := kept.find(b"\r\n\r\n")) >= 0:
            head = kept[:end].lower()
            at = head.index(b"content-length:") + 15
            whole = end + 4 + int(head[at:].split(b"\r\n", 1)[0])
            if len(kept) < whole:
                break
            kept = kept[whole:]
            connection.sendall(ANSWER)
