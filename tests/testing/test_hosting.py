"""The server of a test run outlives nobody: neither a run that ends well nor one that is killed."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from giftsim.testing.shared_server import OriginService, ServerProcess, request_origin

ROOT = Path(__file__).parents[2]
RUN = """
import sys
sys.path.insert(0, {root!r})
from giftsim.testing.shared_server import Hosting
hosting = Hosting()
print(hosting.origin, flush=True)
sys.stdin.read()
"""


def line_to(origin: str) -> socket.socket:
    address = urlsplit(origin)
    return socket.create_connection((address.hostname, address.port), timeout=20)


def hung_up(line: socket.socket) -> bool:
    """Whether the other side hangs up within the time-out of the connection."""
    with line:
        try:
            return line.recv(1) == b""
        except ConnectionResetError:
            return True


def test_the_server_ends_when_whoever_runs_the_tests_is_killed() -> None:
    command = [sys.executable, "-c", RUN.format(root=str(ROOT))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        line = line_to(run.stdout.readline().strip())
        run.send_signal(signal.SIGKILL)
    assert hung_up(line)


def test_the_server_starts_at_the_first_need_once_and_ends_when_told() -> None:
    served = ServerProcess()
    desk = OriginService(served)
    assert request_origin(desk.port) == request_origin(desk.port) == served.origin
    line = line_to(served.origin)
    desk.close()
    served.close()
    assert hung_up(line)
    assert request_origin(desk.port) is None


def test_a_server_that_does_not_start_is_told_of() -> None:
    desk = OriginService(ServerProcess("raise SystemExit(7)"))
    for _ in range(2):
        with pytest.raises(RuntimeError, match="did not start: status 7"):
            request_origin(desk.port)
    desk.close()
