"""The simulator as a server process, called over HTTP, and the example receiver."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, cast

from giftsim import Simulator
from giftsim.engine.client.response import Response
from tests.support.worlds import World

ROOT = Path(__file__).parent.parent.parent
TIMEOUT_S = 60.0


class HttpClient:
    """The client protocol over HTTP. Each call has its own connection, so threads can share the client."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """Send one request; a body other than bytes or text is sent as JSON."""
        sent = dict(headers or {})
        if body is not None and not isinstance(body, bytes | str):
            body = json.dumps(body)
            sent.setdefault("Content-Type", "application/json")
        connection = HTTPConnection(self.host, self.port, timeout=TIMEOUT_S)
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            fields = {name.lower(): value for name, value in answer.getheaders()}
            return Response(answer.status, fields, answer.read())
        finally:
            connection.close()


class PythonProcess:
    """A Python program in another process."""

    command: tuple[str, ...] = (sys.executable,)

    def __init__(self, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        self.errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  # closed in `end`
        self.child = subprocess.Popen(
            [*self.command, *arguments], stdout=subprocess.PIPE, stderr=self.errors, text=True, cwd=ROOT,
            env={**os.environ, **(environment or {})},
        )  # fmt: skip
        self.lines: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.child.stdout
        for line in self.child.stdout:
            self.lines.put(line.rstrip("\n"))

    def line(self) -> str:
        """Wait for the next line of its output."""
        return self.lines.get(timeout=TIMEOUT_S)

    def end(self) -> tuple[int, str]:
        """Terminate it; its exit status and stderr."""
        self.child.terminate()
        try:
            status = self.child.wait(TIMEOUT_S)
        finally:
            self.child.kill()
            self.child.wait()
            self.reader.join(TIMEOUT_S)
            cast(Any, self.child.stdout).close()
        self.errors.seek(0)
        with self.errors:
            return status, self.errors.read()


class ServedSimulator:
    """A running server, usable in place of a simulator."""

    def __init__(self, process: PythonProcess) -> None:
        self.banner = json.loads(process.line())
        self.client = HttpClient(self.banner["host"], self.banner["port"])

    def world(self, **config: Any) -> World:
        """Create a world on the server."""
        return World(cast(Simulator, self), **{"fixture": "empty", **config})


@contextmanager
def serve_simulator(*options: str, environment: Mapping[str, str] | None = None) -> Iterator[ServedSimulator]:
    """Run `python run_sim.py --port 0 --json`, which must print only its banner and exit with status 0."""
    process = PythonProcess("run_sim.py", "--port", "0", "--json", *options, environment=environment)
    try:
        yield ServedSimulator(process)
    except BaseException:
        process.end()
        raise
    assert process.end() == (0, "")


@contextmanager
def example_receiver(secret: str) -> Iterator[tuple[PythonProcess, str]]:
    """Run `python examples/receiver.py`, which checks signatures with its own code; the process and its URL."""
    process = PythonProcess("examples/receiver.py", "0", secret)
    try:
        yield process, f"http://127.0.0.1:{process.line().removeprefix('listening on ')}"
    finally:
        _, errors = process.end()
    assert errors == ""
