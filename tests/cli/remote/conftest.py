"""A simulator that listens, a fresh world of it, and the command line that acts on it as a user types it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner, Result

from giftsim import Simulator
from giftsim.cli.main import main
from tests.support.listening import listening
from tests.support.worlds import World


class CommandLine:
    """Runs commands against one world."""

    def __init__(self, url: str, world: World) -> None:
        self.url, self.world = url, world

    def run(self, *arguments: str, **environment: str) -> Result:
        """Run a command to its end."""
        variables = {"GIFTSIM_URL": self.url, "GIFTSIM_WORLD": self.world.id, "COLUMNS": "200", **environment}
        return CliRunner().invoke(main, arguments, env=variables)

    def output(self, *arguments: str) -> str:
        """What a command prints, which must succeed."""
        result = self.run(*arguments)
        assert result.exit_code == 0, result.output
        return result.output

    def json(self, *arguments: str) -> Any:
        """The JSON that a command prints for programs."""
        return json.loads(self.output(*arguments, "--json"))

    def error(self, *arguments: str) -> str:
        """The message of a command that must fail."""
        result = self.run(*arguments)
        assert result.exit_code != 0
        return result.stderr.removeprefix("Error: ").strip()


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[Simulator, str]]:
    """A simulator with an empty default world that listens on a free port, and its address."""
    simulator = Simulator(fixture="empty")
    with listening(simulator) as server:
        yield simulator, f"http://127.0.0.1:{server.port}"


@pytest.fixture
def command_line(address: tuple[Simulator, str]) -> Iterator[CommandLine]:
    """The command line, with the fresh world of the simulator chosen by the environment."""
    simulator, url = address
    world = World(simulator, fixture="empty")
    yield CommandLine(url, world)
    simulator.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")
