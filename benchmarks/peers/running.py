"""Starts peers as their users do, each on a port of its own, and makes the record that is read."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.peers.peer import Peer
from benchmarks.peers.wrk import NUMBER, LoadFailed, Request

START_S = 60.0


@contextmanager
def running(peer: Peer, folder: Path, search_path: str) -> Iterator[tuple[int, Request, int]]:
    """The port of a started peer, the request that reads the record made there, and its process id. LoadFailed."""
    folder.mkdir()
    port = free_port()
    log = (folder / "output.txt").open("w+")
    command = peer.command(port, folder)
    environment = {**os.environ, "PATH": search_path}
    with log, subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder) as process:
        try:
            _wait(port, process, peer)
            for request in peer.first:
                call(port, request, peer)
            made = call(port, peer.create, peer)
            with _streaming(port, peer.stream):
                yield port, _read_of(peer, made), process.pid
        except LoadFailed as error:
            log.seek(0)
            raise LoadFailed(f"{error}; its output: {log.read()[-500:]}") from None
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


@contextmanager
def _streaming(port: int, path: str) -> Iterator[None]:
    """Read a stream of events, as a page in a browser does; nothing without a path."""
    if not path:
        yield
        return
    with socket.create_connection(("127.0.0.1", port)) as stream:
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n"
        stream.sendall(head.encode())
        if b" 200 " not in stream.recv(64 * 1024).split(b"\r\n")[0]:
            raise LoadFailed(f"the stream {path} does not begin")
        reader = threading.Thread(target=_read_on, args=(stream,), daemon=True)
        reader.start()
        try:
            yield
        finally:
            stream.shutdown(socket.SHUT_RDWR)
            reader.join()


def _read_on(stream: socket.socket) -> None:
    with suppress(OSError):
        while stream.recv(1024 * 1024):
            pass


def call(port: int, request: Request, peer: Peer) -> bytes:
    """Send one request; its answer's body. LoadFailed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(
            request.method, request.path, request.body.replace(NUMBER, "first").encode() or None, dict(request.headers)
        )
        response = connection.getresponse()
        body = response.read()
    except OSError as error:
        raise LoadFailed(f"{peer.name}: {request.method} {request.path}: {error}") from None
    finally:
        connection.close()
    if response.status >= 300:
        raise LoadFailed(f"{peer.name}: {request.method} {request.path}: {response.status} {body[:300]!r}")
    return body


def free_port() -> int:
    """A port that is free, and the one after it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(port: int, process: subprocess.Popen[Any], peer: Peer) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise LoadFailed(f"{peer.name} ends with {process.returncode}")
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise LoadFailed(f"{peer.name} does not listen within {START_S:.0f} s")


def _read_of(peer: Peer, made: bytes) -> Request:
    """The read, with the id of the record that was made in its path."""
    if "{id}" not in peer.read.path:
        return peer.read
    return replace(peer.read, path=peer.read.path.replace("{id}", str(json.loads(made)["id"])))
