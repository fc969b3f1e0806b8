"""The server of a test run starts once, and ends with the run even if the run is killed."""

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
from giftsim.testing.shared_server import ServerProcess
server = ServerProcess()
print(server.origin, flush=True)
sys.stdin.read()
"""


def connect(origin: str) -> socket.socket:
    address = urlsplit(origin)
    return socket.create_connection((address.hostname, address.port), timeout=20)


def is_closed(connection: socket.socket) -> bool:
    """Whether the server closes the connection within the time-out."""
    with connection:
        try:
            return connection.recv(1) == b""
        except ConnectionResetError:
            return True


def test_the_server_exits_when_the_test_run_is_killed() -> None:
    command = [sys.executable, "-c", RUN.format(root=str(ROOT))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        connection = connect(run.stdout.readline().strip())
        run.send_signal(signal.SIGKILL)
    assert is_closed(connection)


def test_the_server_starts_once_and_stops_on_close() -> None:
    server = ServerProcess()
    service = OriginService(server)
    assert request_origin(service.port) == request_origin(service.port) == server.origin
    connection = connect(server.origin)
    service.close()
    server.close()
    assert is_closed(connection)
    assert request_origin(service.port) is None


def test_a_server_that_does_not_start_raises_with_its_status() -> None:
    service = OriginService(ServerProcess("raise SystemExit(7)"))
    for _ in range(2):
        with pytest.raises(RuntimeError, match="did not start: status 7"):
            request_origin(service.port)
    service.close()


def test_modules_in_the_folder_of_the_run_do_not_hide_those_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "flask.py").write_text("raise SystemExit('a module of the project')\n")
    monkeypatch.chdir(tmp_path)
    server = ServerProcess()
    connect(server.origin).close()
    server.close()


def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giftsim.testing.shared_server.TIMEOUT_S", 0.2)
    with pytest.raises(RuntimeError, match="the server of the test run did not start: status -9"):
        _ = ServerProcess("import time; time.sleep(600)").origin
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(RuntimeError, match="named no server within"):
        request_origin(silent.getsockname()[1])
