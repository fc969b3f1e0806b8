"""Several processes of the simulator behind HAProxy, started by the commands that `giftsim serve haproxy` prints."""

from __future__ import annotations

import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from click.testing import CliRunner

from giftsim import Simulator
from giftsim.cli.haproxy import process_of
from giftsim.cli.main import main
from giftsim.engine.worlds.registry import root_of
from tests.support.free_ports import free_ports
from tests.support.served_simulator import HttpClient, PythonProcess
from tests.support.waiting import wait_until
from tests.support.worlds import World

HEALTH = "/_sim/v1/health"


class ShardedSimulator:
    """A proxy with processes behind it, usable in place of a simulator."""

    def __init__(self, haproxy: str, folder: Path, many: int, *options: str) -> None:
        self.many, port = many, free_ports(many + 1)
        self.client = HttpClient("127.0.0.1", port)
        arguments = ["--processes", str(many), "--bind", f"127.0.0.1:{port}", "--first-port", str(port + 1), *options]
        self.commands = printed(*arguments[:6], "--commands", *arguments[6:]).replace(" &\n", "\n").splitlines()
        file = folder / "haproxy.cfg"
        file.write_text(printed(*arguments))
        self.processes = {number: _start(command) for number, command in enumerate(self.commands, 1)}
        self.proxy = subprocess.Popen([haproxy, "-f", str(file), "-q"], cwd=folder, stdin=subprocess.DEVNULL)
        wait_until(self.is_healthy)

    def is_healthy(self) -> bool:
        """Whether the proxy says that all processes answer."""
        with suppress(OSError):
            return self.client.call("GET", HEALTH).status == 200
        return False

    def world(self, **config: Any) -> World:
        """Create a world through the proxy."""
        return World(cast(Simulator, self), **{"fixture": "empty", **config})

    def process_of(self, world_id: str) -> int:
        """The number of the process that has a world."""
        return process_of(root_of(world_id), self.many)

    def kill(self, number: int) -> None:
        """Kill a process, and wait until the proxy knows."""
        child = self.processes[number].child
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.processes.pop(number).end()
        wait_until(lambda: not self.is_healthy())

    def restart(self, number: int) -> None:
        """Start a killed process again, with the same command."""
        self.processes[number] = _start(self.commands[number - 1])
        wait_until(self.is_healthy)

    def close(self) -> None:
        """Stop the proxy and all processes."""
        self.proxy.terminate()
        self.proxy.wait()
        for process in self.processes.values():
            process.end()


@contextmanager
def sharded_simulator(haproxy: str, folder: Path, many: int, *options: str) -> Iterator[ShardedSimulator]:
    """A proxy with processes, which are stopped at the end."""
    sharded = ShardedSimulator(haproxy, folder, many, *options)
    try:
        yield sharded
    finally:
        sharded.close()


def printed(*arguments: str) -> str:
    """What `giftsim serve haproxy` prints."""
    return CliRunner().invoke(main, ["serve", "haproxy", *arguments], catch_exceptions=False).stdout


def _start(command: str) -> PythonProcess:
    words = shlex.split(command)
    assert words[0] == "giftsim"
    process = PythonProcess("run_sim.py", *words[1:])
    process.line()
    return process
