"""The one server of a test run, started at the first use and shared by all workers.

Under pytest-xdist the controller runs an `OriginService`, a loopback port where workers ask for the server's origin.
The server is the controller's child process, so a worker that crashes does not end it. It exits when its standard input
is closed, which happens when the controller exits for any reason.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from giftsim.engine.kernel.garbage_collection import keeping_everything
from giftsim.engine.url_paths import CONTROL

if TYPE_CHECKING:
    from giftsim.build import Simulator
    from giftsim.testing.over_http import OverHttp


SOURCE_ROOT = str(Path(__file__).parents[2])
START = (
    "import sys; sys.path.append({source_root!r}); from giftsim.testing import shared_server;"
    " shared_server.run_shared_server({how})"
)
ORIGIN_PORT, TURNED_PORT = "giftsim_origin_port", "giftsim_turned_port"  # in the input of a worker
TIMEOUT_S = 30.0  # real seconds for a server to start on a busy machine


class ServerProcess:
    """A server in its own process, started when its origin is first read."""

    def __init__(
        self, code: str | None = None, *, coverage: bool = False, services: Sequence[str] | None = None
    ) -> None:
        how = f"coverage={coverage}, services={services}"
        self._code = code or START.format(source_root=SOURCE_ROOT, how=how)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._origin = ""

    @property
    def origin(self) -> str:
        """The server's origin; RuntimeError if it did not start."""
        with self._lock:
            if self._process is None:
                process = _start(self._code)
                line = _first_line(process)
                if not line:
                    _stop(process)
                    raise RuntimeError(f"the server of the test run did not start: status {process.returncode}")
                self._process, self._origin = process, json.loads(line)["origin"]
            return self._origin

    @property
    def started(self) -> str | None:
        """The server's origin if it was started."""
        return self._origin if self._process is not None else None

    def close(self) -> None:
        """Stop the server if it was started."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            _stop(process)


class OriginService:
    """A loopback port where the workers of a run ask for the server's origin."""

    def __init__(self, server_process: ServerProcess) -> None:
        self._server = server_process
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, name="giftsim origin service", daemon=True).start()

    def close(self) -> None:
        """Close the port."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                try:
                    reply = self._server.origin
                except RuntimeError as error:
                    reply = f"! {error}"
                connection.sendall(reply.encode())


def request_origin(port: int) -> str | None:
    """Ask the origin service at a port for the server's origin; None if nothing listens there.

    RuntimeError if the server did not start, or if the controller does not say where it is.
    """
    try:
        with socket.create_connection(("127.0.0.1", port), 2 * TIMEOUT_S) as connection:
            reply = b"".join(iter(lambda: connection.recv(1024), b"")).decode()
    except ConnectionError:
        return None
    except TimeoutError:
        raise RuntimeError(f"the process that runs the tests named no server within {2 * TIMEOUT_S:g} s") from None
    if reply.startswith("!"):
        raise RuntimeError(reply[2:])
    return reply or None


def run_shared_server(*, coverage: bool, services: Sequence[str] | None) -> None:
    """Run the server until its standard input is closed."""
    from giftsim.build import Simulator

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C stops the test run, which then stops this process
    with keeping_everything():
        simulator = Simulator(fixture="bare", max_worlds=10_000, services=services)
    if coverage:
        simulator.keep_coverage(all_worlds=True)
    server = simulator.listen("127.0.0.1", 0)
    sys.stdout.write(json.dumps({"origin": simulator.registry.runtime.origin}) + "\n")
    sys.stdout.flush()
    threading.Thread(target=_exit_at_end_of_input, daemon=True).start()
    simulator.ticker.start()
    server.run()


def _exit_at_end_of_input() -> None:
    sys.stdin.read()
    os._exit(0)


def _start(code: str) -> subprocess.Popen[str]:
    # -P: no module in the folder of the run hides one that the server needs.
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )


def _first_line(process: subprocess.Popen[str]) -> str:
    """The line in which a server names its origin; empty if it ends, or is killed because it says nothing."""
    limit = threading.Timer(TIMEOUT_S, process.kill)
    limit.start()
    try:
        return process.stdout.readline() if process.stdout else ""
    finally:
        limit.cancel()


def _stop(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


T = TypeVar("T", "Simulator", ServerProcess, "OverHttp")
SIMULATOR_KEY: pytest.StashKey[Simulator] = pytest.StashKey()
LISTENING_SIMULATOR_KEY: pytest.StashKey[Simulator] = pytest.StashKey()
SERVER_TRANSPORT_KEY: pytest.StashKey[OverHttp] = pytest.StashKey()
SERVER_PROCESS_KEY = pytest.StashKey[ServerProcess]()
# The same while a test runs again with settings that turn guesses over: apart, so that nothing is counted twice.
TURNED_KEY = pytest.StashKey[Mapping[str, Any]]()
TURNED_SIMULATOR_KEY: pytest.StashKey[Simulator] = pytest.StashKey()
TURNED_LISTENING_KEY: pytest.StashKey[Simulator] = pytest.StashKey()
TURNED_TRANSPORT_KEY: pytest.StashKey[OverHttp] = pytest.StashKey()
TURNED_PROCESS_KEY = pytest.StashKey[ServerProcess]()


def keeps_coverage(config: pytest.Config) -> bool:
    """Whether the run is to report what it met."""
    options = ("giftsim_coverage", "giftsim_coverage_fail_under", "giftsim_assumptions")
    return any(config.getoption(name) for name in options)


def services_of(config: pytest.Config) -> Sequence[str] | None:
    """The names of what the run simulates; None for everything."""
    return config.getini("giftsim_services") or None


def turned_settings(config: pytest.Config) -> Mapping[str, Any] | None:
    """The settings with which a test runs again; None in its first run."""
    return config.stash.get(TURNED_KEY, None)


def _kept(config: pytest.Config, key: pytest.StashKey[T], make: Callable[[], T]) -> T:
    """What this pytest process makes at the first use, and closes at its end."""
    if key not in config.stash:
        made = config.stash[key] = make()
        config.add_cleanup(made.close)
    return config.stash[key]


def _simulator(config: pytest.Config, key: pytest.StashKey[Simulator], turned: pytest.StashKey[Simulator]) -> Simulator:
    """The simulator of a first run, or the one of its repetitions, whose new worlds have the turned settings."""
    settings = turned_settings(config)
    if settings is None:
        return _kept(config, key, lambda: _new_simulator(config, coverage=keeps_coverage(config)))
    made = _kept(config, turned, lambda: _new_simulator(config, coverage=False))
    made.registry.assumed = settings
    return made


def _new_simulator(config: pytest.Config, *, coverage: bool) -> Simulator:
    with keeping_everything():
        from giftsim.build import Simulator

        simulator = Simulator(fixture="bare", max_worlds=10_000, services=services_of(config))
    if coverage:
        simulator.keep_coverage(all_worlds=True)
    return simulator


def simulator(config: pytest.Config) -> Simulator:
    """The simulator of this process. Its worlds are independent."""
    return _simulator(config, SIMULATOR_KEY, TURNED_SIMULATOR_KEY)


def listening_simulator(config: pytest.Config) -> Simulator:
    """A simulator of this process that listens on a free port, for scenarios whose application calls it."""
    listening = _simulator(config, LISTENING_SIMULATOR_KEY, TURNED_LISTENING_KEY)
    listening.serve_locally()
    return listening


def server_process(config: pytest.Config, *, turned: bool = False) -> ServerProcess:
    """The server process of this pytest process; `turned` is the one of repetitions."""
    if turned:
        return _kept(config, TURNED_PROCESS_KEY, ServerProcess)
    return _kept(
        config, SERVER_PROCESS_KEY, lambda: ServerProcess(coverage=keeps_coverage(config), services=services_of(config))
    )


def server(config: pytest.Config) -> OverHttp:
    """The transport to the run's server: the one at `--giftsim-url`, the xdist controller's, or this process's own."""
    from giftsim.testing.over_http import OverHttp

    turned = turned_settings(config) is not None

    def connect() -> OverHttp:
        if url := config.getoption("giftsim_url"):
            given = OverHttp(url)
            given.call("GET", f"{CONTROL}/health", timeout_s=TIMEOUT_S)  # a server that says nothing is named
            return given
        return OverHttp(_controller_origin(config, turned=turned) or server_process(config, turned=turned).origin)

    return _kept(config, TURNED_TRANSPORT_KEY if turned else SERVER_TRANSPORT_KEY, connect)


def serve_workers(config: pytest.Config) -> dict[str, int]:
    """Under pytest-xdist: where workers ask for the servers of the run, by the name in their input."""
    ports = {}
    for name, turned in ((ORIGIN_PORT, False), (TURNED_PORT, True)):
        if turned and not config.getoption("giftsim_assumptions"):
            continue
        service = OriginService(server_process(config, turned=turned))
        config.add_cleanup(service.close)
        ports[name] = service.port
    return ports


def _controller_origin(config: pytest.Config, *, turned: bool) -> str | None:
    port = getattr(config, "workerinput", {}).get(TURNED_PORT if turned else ORIGIN_PORT)
    return request_origin(port) if port else None
