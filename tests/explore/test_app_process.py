"""Apps that explore starts itself: at the end nothing of them is left."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from giftsim.explore.app import AppNotStarted, AppProcess
from tests.support.free_ports import free_ports

# It listens, and takes a moment to end, while the shell that started it is gone at once.
SLOW_TO_END = """
import signal, socket, sys, time
signal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.5), sys.exit()))
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    server.accept()[0].close()
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    """The command of an app that takes a moment to end."""
    path = tmp_path / "app.py"
    path.write_text(SLOW_TO_END)
    return f"{sys.executable} {path} {{port}}; true"


def test_an_app_that_ends_slowly_has_ended_when_it_is_closed(program: str) -> None:
    port = free_ports(1)
    for _ in range(2):
        app = AppProcess(program, f"http://127.0.0.1:{port}")
        app.wait()
        app.close()
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_an_address_that_is_taken_is_named(program: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(AppNotStarted, match=f"something listens on {url} already"):
            AppProcess(program, url)
