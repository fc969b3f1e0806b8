"""The command `mcp` over HTTP, and at a port that is taken."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.assistant.test_assistant import Tools, running, with_client
from tests.support.free_ports import free_ports
from tests.support.served_simulator import ROOT, PythonProcess

__all__ = ["running"]  # a fixture of theirs

if TYPE_CHECKING:  # imported by the worker that uses it: that takes 0.4 s
    from giftsim.workbench.assistant.running_simulator import RunningSimulator


def test_the_command_speaks_over_http_about_a_running_simulator(running: RunningSimulator) -> None:
    port = str(free_ports(1))
    process = PythonProcess("run_sim.py", "mcp", "-u", running.url, "-w", running.world_id, "--http", port)
    try:
        address = process.line()

        async def session(tools: Tools) -> str:
            return await tools.use("look")

        assert f"world {running.world_id}:" in with_client(address, session)
    finally:
        process.end()


def test_the_command_says_that_its_port_is_taken(running: RunningSimulator) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "run_sim.py", "mcp", "-u", running.url, "--http", port]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert ended.stderr == f"Error: cannot listen on 127.0.0.1:{port}: Address already in use\n"
