"""The command `mcp`: tools for the tester's own coding assistant, over standard input and output or over HTTP."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from giftsim.cli.options import WholeNumber, control_token_options, option, read_address, refuse_unused
from giftsim.engine.server.authority import client_tls_context

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from giftsim.workbench.assistant.running_simulator import RunningSimulator

HOST = "127.0.0.1"


@click.command()
@option("--url", "-u", help="A running simulator. Without it, the command starts one.")
@option("--world", "-w", default="default", show_default=True, help="The world that tools use if they name none.")
@control_token_options("The token of its test-control API")
@click.option("--http", type=WholeNumber(1, 65535), metavar="PORT", help="Serve at http://127.0.0.1:PORT/mcp.")
@click.option("--port", default=0, type=WholeNumber(0, 65535), help="For its own simulator: the port, else a free one.")
@click.option(
    "--fixture", default="default", show_default=True, help="For its own simulator: the fixture of its world."
)
def mcp(url: str | None, world: str, control_token: str | None, http: int | None, port: int, fixture: str) -> None:
    """Serve tools for a coding assistant (MCP): look at worlds, explain calls and webhooks, move time, act as people,
    inject faults, play scenarios.

    An assistant starts the command and talks to it over standard input and output; with --http it connects to an
    address. With --url the tools work on that simulator. Otherwise one is started, for as long as the command runs; the
    tool `worlds` says its address.
    """
    if find_spec("mcp") is None:
        raise click.UsageError("mcp needs the package mcp: pip install mcp, or install giftsim with the extra `mcp`")
    refuse_unused(("port", "fixture") if url else (), "a simulator that is running has its own")
    refuse_unused(() if url else ("control_token", "control_token_file"), "only --url takes it")
    from giftsim.workbench.assistant.server import make_server

    with _running(url, control_token, world, port, fixture) as running:
        server = make_server(running)
        if http is None:
            server.run("stdio")
            return
        _serve_http(server.streamable_http_app(host=HOST), http)


def _serve_http(app: Starlette, port: int) -> None:
    """Serve until the command is interrupted. The address is printed when it can be called."""
    import uvicorn

    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        raise click.ClickException(f"cannot listen on {HOST}:{port}: {os.strerror(error.errno or 0)}") from None
    with listening:
        click.echo(f"http://{HOST}:{listening.getsockname()[1]}/mcp")
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


@contextmanager
def _running(url: str | None, token: str | None, world: str, port: int, fixture: str) -> Iterator[RunningSimulator]:
    """The simulator at a URL, or one of its own that ends with the command."""
    from giftsim.workbench.assistant.running_simulator import RunningSimulator

    if url is not None:
        context = client_tls_context(read_address(url).scheme)
        with closing(RunningSimulator(url, token, world, context)) as running:
            yield running
        return
    with _own_simulator(port, fixture) as origin, closing(RunningSimulator(origin, None, world)) as running:
        yield running


@contextmanager
def _own_simulator(port: int, fixture: str) -> Iterator[str]:
    from giftsim.build import Simulator
    from giftsim.engine.control.access import Access
    from giftsim.engine.problem import Problem

    try:
        simulator = Simulator(fixture=fixture, access=Access())
    except Problem as problem:
        raise click.UsageError(f"--fixture: {problem.message}") from None
    with closing(simulator):
        try:
            simulator.serve_locally(port)
        except OSError as error:
            raise click.ClickException(f"cannot listen on {HOST}:{port}: {error.strerror}") from None
        yield simulator.registry.runtime.origin
