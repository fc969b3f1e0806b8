"""What a run of tests keeps: one simulator per process, and the way to the one server of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from giftsim.testing.shared_server import Hosting, asked
from giftsim.testing.transport import OverHttp

if TYPE_CHECKING:
    from giftsim.build import Simulator

SIMULATOR: pytest.StashKey[Simulator] = pytest.StashKey()
LISTENING: pytest.StashKey[Simulator] = pytest.StashKey()
SERVER = pytest.StashKey[OverHttp]()
HOSTING = pytest.StashKey[Hosting]()


def simulator(config: pytest.Config) -> Simulator:
    """The simulator of this process, made at the first need; its worlds do not disturb one another."""
    from giftsim.build import Simulator

    if SIMULATOR not in config.stash:
        made = config.stash[SIMULATOR] = Simulator(fixture="bare", max_worlds=10_000)
        config.add_cleanup(made.close)
    return config.stash[SIMULATOR]


def listening(config: pytest.Config) -> Simulator:
    """A simulator of this process that listens on a free port, for scenarios whose application calls it there."""
    from giftsim.build import Simulator

    if LISTENING not in config.stash:
        made = config.stash[LISTENING] = Simulator(fixture="bare")
        server = made.listen("127.0.0.1", 0)
        config.add_cleanup(server.stop)
        config.add_cleanup(made.close)
        server.start()
    return config.stash[LISTENING]


def hosting(config: pytest.Config) -> Hosting:
    """The server that this process starts if need be, and ends."""
    if HOSTING not in config.stash:
        made = config.stash[HOSTING] = Hosting()
        config.add_cleanup(made.close)
    return config.stash[HOSTING]


def server(config: pytest.Config) -> OverHttp:
    """The way to the server of the run: the one that is named, the controller's, or one that this process starts."""
    if SERVER not in config.stash:
        told = config.getoption("giftsim_url") or _controllers(config) or hosting(config).origin
        way = config.stash[SERVER] = OverHttp(told)
        config.add_cleanup(way.close)
    return config.stash[SERVER]


def _controllers(config: pytest.Config) -> str | None:
    port = getattr(config, "workerinput", {}).get("giftsim_desk")
    return asked(port) if port else None
