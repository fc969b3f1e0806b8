"""What giftsim asks of an HTTP server, tried with its own and with others: `python -m benchmarks.peers probes`."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

from benchmarks.peers.front import python_path
from benchmarks.peers.installed import packages_path
from benchmarks.peers.probe_app import SERVERS
from benchmarks.peers.running import free_port

HELD = 64
LIMIT_S = 70.0
ANSWER_S = 10.0


def dropped(port: int, _process: subprocess.Popen[bytes]) -> str:
    """What a client receives if the application raises an exception to have the connection closed."""
    with opened(port, "/drop") as client:
        received = client.recv(65_536)
    return f"{len(received)} bytes" + (f" ({received[9:12].decode()})" if received else "")


def released(port: int, _process: subprocess.Popen[bytes]) -> str:
    """How long a call takes that releases the held ones."""
    with ExitStack() as stack:
        for _ in range(HELD):
            stack.enter_context(opened(port, "/hold"))
        wait_until(lambda: counts(port)[0] == HELD)
        began = time.perf_counter()
        with opened(port, "/release") as client:
            client.recv(65_536)
        return f"{(time.perf_counter() - began) * 1000:.0f} ms"


def noticed(port: int, _process: subprocess.Popen[bytes]) -> str:
    """How long a silent stream lasts after its client has gone."""
    with opened(port, "/stream") as client:
        received = b""
        while b"retry" not in received:
            received += client.recv(65_536)
    began = time.perf_counter()
    try:
        wait_until(lambda: counts(port)[1] == 0)
    except TimeoutError:
        return f"not in {LIMIT_S:.0f} s"
    return f"{time.perf_counter() - began:.1f} s"


def ended(port: int, process: subprocess.Popen[bytes]) -> str:
    """The answer to a call that is served when SIGTERM arrives, and when the server has ended beside a held call."""
    with opened(port, "/hold"), opened(port, "/slow") as client:
        wait_until(lambda: counts(port)[0] == 1)
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        began = time.perf_counter()
        answer = b""
        with suppress(OSError):
            answer = client.recv(65_536)
        try:
            process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            return f"{answer[9:12].decode() or 'no answer'}, not in {LIMIT_S:.0f} s"
    return f"{answer[9:12].decode() or 'no answer'}, {time.perf_counter() - began:.1f} s"


@contextmanager
def opened(port: int, path: str) -> Iterator[socket.socket]:
    """A connection on which a request is sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=ANSWER_S) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        yield client


def counts(port: int) -> list[int]:
    """How many calls are held, and how many streams are open."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    connection.request("GET", "/counts", headers={"Connection": "close"})
    content = connection.getresponse().read()
    connection.close()
    return [int(each) for each in content.split()]


def wait_until(is_true: Callable[[], bool]) -> None:
    """Wait for a condition. TimeoutError."""
    deadline = time.perf_counter() + LIMIT_S
    while not is_true():
        if time.perf_counter() > deadline:
            raise TimeoutError
        time.sleep(0.05)


@contextmanager
def running(server: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A server with the application: its port and its process."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.peers.probe_app", server, str(port)]
    environment = {**os.environ, "PYTHONPATH": f"{python_path()}:{packages_path()}"}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            wait_until(lambda: listens(port))
            yield port, process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # a supervised process too


def listens(port: int) -> bool:
    """Whether a server answers."""
    with suppress(OSError):
        counts(port)
        return True
    return False


PROBES = (dropped, released, noticed, ended)


def table() -> Iterator[str]:
    """A line for each server, in Markdown."""
    yield f"| | {' | '.join(probe.__name__ for probe in PROBES)} |"
    yield f"|{' --- |' * (len(PROBES) + 1)}"
    for server in SERVERS:
        yield f"| {server.__name__} | {' | '.join(_results(server.__name__))} |"


def _results(server: str) -> Iterator[str]:
    """The result of each probe, in a process of its own."""
    for probe in PROBES:
        with running(server) as (port, process):
            try:
                yield probe(port, process)
            except OSError as error:
                yield type(error).__name__
