"""Calls beside streams of changes: what 20 clients that follow a world cost the calls of others in it."""

from __future__ import annotations

import multiprocessing
import selectors
import socket
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

from benchmarks.figure import Figure
from benchmarks.http_load import request, send_requests
from benchmarks.workload import KEY, order, serving

STREAMS, CALLS, ROUNDS = 20, 1_000, 3
TARGET_MS = 2.0
FOLLOW = request("GET", "/_sim/v1/worlds/default/changes?from=now", {"Accept": "text/event-stream"})


def figures() -> Iterator[Figure]:
    """Creates and reads on one connection, by turns with and without streams of the same world."""
    with serving("--fixture", "empty") as server:
        port = server["port"]
        send_requests(port, CALLS, lambda: request("POST", "/api/external/team-orders", KEY, order()), 1)
        yield _figure("create", port, lambda: request("POST", "/api/external/team-orders", KEY, order()))
        yield _figure("read", port, lambda: request("GET", "/api/external/team-orders/1050", KEY))


def _figure(name: str, port: int, next_request: Callable[[], bytes]) -> Figure:
    alone, beside = [], []
    for _ in range(ROUNDS):
        alone.append(send_requests(port, CALLS, next_request, 1)[1])
        with following(port):
            beside.append(send_requests(port, CALLS, next_request, 1)[1])
    p50_ms = statistics.median(beside)
    return Figure(
        f"{name} over HTTP beside {STREAMS} streams", f"p50 {p50_ms:.2f} ms", f"p50 under {TARGET_MS:g} ms",
        p50_ms < TARGET_MS, "the same without streams", p50_ms / statistics.median(alone),
    )  # fmt: skip


@contextmanager
def following(port: int) -> Iterator[None]:
    """Streams of the default world's changes, read by another process."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_follow, args=(port, there), daemon=True)
    process.start()
    here.recv()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def _follow(port: int, connection: Connection) -> None:
    selector = selectors.DefaultSelector()
    for _ in range(STREAMS):
        sock = socket.create_connection(("127.0.0.1", port))
        sock.sendall(FOLLOW)
        assert sock.recv(65536).startswith(b"HTTP/1.1 200")
        selector.register(sock, selectors.EVENT_READ, sock)
    connection.send("open")
    while True:
        for key, _ in selector.select():
            key.data.recv(65536)
