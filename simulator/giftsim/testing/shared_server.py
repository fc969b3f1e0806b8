"""The one server of a test run: started at the first need, shared by all workers, and ended with whoever runs them.

Under pytest-xdist the controller has a desk, a loopback port where any worker asks for the server's origin; the server
is the controller's child whichever worker asked first, so a worker that crashes takes nothing with it. The server ends
when its standard input does, which is when the controller is gone, however it went.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

HOME = str(Path(__file__).parents[2])
START = "import sys; sys.path.append({home!r}); from giftsim.testing.shared_server import serve; serve()"
PATIENCE_S = 30.0  # real seconds for a server to start on a busy machine


class Hosting:
    """A server in a process of its own, started by some code when its origin is first asked for."""

    def __init__(self, code: str = START.format(home=HOME)) -> None:
        self._code = code
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._origin = ""

    @property
    def origin(self) -> str:
        """Where the server listens; RuntimeError if it did not start."""
        with self._lock:
            if self._process is None:
                process = _started(self._code)
                line = process.stdout.readline() if process.stdout else ""
                if not line:
                    _end(process)
                    raise RuntimeError(f"the server of the test run did not start: status {process.returncode}")
                self._process, self._origin = process, json.loads(line)["origin"]
            return self._origin

    def close(self) -> None:
        """End the server, if there is one."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            _end(process)


class Desk:
    """Where the workers of a run ask for its server."""

    def __init__(self, hosting: Hosting) -> None:
        self._hosting = hosting
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._attend, name="giftsim desk", daemon=True).start()

    def close(self) -> None:
        """Attend to nobody any more."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _attend(self) -> None:
        while True:
            try:
                asking, _ = self._socket.accept()
            except OSError:
                return
            with asking, suppress(OSError):
                try:
                    told = self._hosting.origin
                except RuntimeError as error:
                    told = f"! {error}"
                asking.sendall(told.encode())


def asked(port: int) -> str | None:
    """The origin that the desk at a port tells; None where there is no such desk on this machine."""
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as desk:
            told = b"".join(iter(lambda: desk.recv(1024), b"")).decode()
    except ConnectionError:
        return None
    if told.startswith("!"):
        raise RuntimeError(told[2:])
    return told or None


def serve() -> None:
    """The process of the server: listens until its standard input ends."""
    from giftsim.build import Simulator

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which then ends this
    simulator = Simulator(fixture="bare", max_worlds=10_000)
    server = simulator.listen("127.0.0.1", 0)
    sys.stdout.write(json.dumps({"origin": simulator.registry.origin}) + "\n")
    sys.stdout.flush()
    threading.Thread(target=_end_with_input, daemon=True).start()
    simulator.ticker.start()
    server.run()


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


def _started(code: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _end(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
