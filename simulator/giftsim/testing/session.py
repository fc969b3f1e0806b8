"""Shared state of a test run: one simulator per process, and one server for the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from giftsim.testing.shared_server import ServerProcess, request_origin
from giftsim.testing.transport import OverHttp

if TYPE_CHECKING:
    from giftsim.build import Simulator

SIMULATOR_KEY: pytest.StashKey[Simulator] = pytest.StashKey()
LISTENING_SIMULATOR_KEY: pytest.StashKey[Simulator] = pytest.StashKey()
SERVER_TRANSPORT_KEY = pytest.StashKey[OverHttp]()
SERVER_PROCESS_KEY = pytest.StashKey[ServerProcess]()


def simulator(config: pytest.Config) -> Simulator:
    """The simulator of this process, created at the first use. Its worlds are independent."""
    from giftsim.build import Simulator

    if SIMULATOR_KEY not in config.stash:
        created = config.stash[SIMULATOR_KEY] = Simulator(fixture="bare", max_worlds=10_000)
        config.add_cleanup(created.close)
    return config.stash[SIMULATOR_KEY]


def listening_simulator(config: pytest.Config) -> Simulator:
    """A simulator of this process that listens on a free port, for scenarios whose application calls it."""
    from giftsim.build import Simulator

    if LISTENING_SIMULATOR_KEY not in config.stash:
        created = config.stash[LISTENING_SIMULATOR_KEY] = Simulator(fixture="bare")
        server = created.listen("127.0.0.1", 0)
        config.add_cleanup(server.stop)
        config.add_cleanup(created.close)
        server.start()
    return config.stash[LISTENING_SIMULATOR_KEY]


def server_process(config: pytest.Config) -> ServerProcess:
    """The server process of this pytest process, which starts at the first use."""
    if SERVER_PROCESS_KEY not in config.stash:
        process = config.stash[SERVER_PROCESS_KEY] = ServerProcess()
        config.add_cleanup(process.close)
    return config.stash[SERVER_PROCESS_KEY]


def server(config: pytest.Config) -> OverHttp:
    """The transport to the run's server: the one at `--giftsim-url`, the xdist controller's, or this process's own."""
    if SERVER_TRANSPORT_KEY not in config.stash:
        origin = config.getoption("giftsim_url") or _controller_origin(config) or server_process(config).origin
        transport = config.stash[SERVER_TRANSPORT_KEY] = OverHttp(origin)
        config.add_cleanup(transport.close)
    return config.stash[SERVER_TRANSPORT_KEY]


def _controller_origin(config: pytest.Config) -> str | None:
    port = getattr(config, "workerinput", {}).get("giftsim_origin_port")
    return request_origin(port) if port else None
