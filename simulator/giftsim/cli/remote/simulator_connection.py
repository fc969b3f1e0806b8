"""The connection of a command to a running simulator: its options, its errors, and completion in the shell."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import wraps
from ssl import SSLContext, SSLError
from typing import Any

import click
from click.shell_completion import CompletionItem

from giftsim.cli.options import EXAMPLE_URL, control_token_options, default_url, is_given, option, read_address
from giftsim.engine.client.control import NOTHING, Control, bearer_headers, refusal_error
from giftsim.engine.client.over_http import HttpClient
from giftsim.engine.client.response import Response
from giftsim.engine.client.world import ClientWorld

TIMEOUT_S = 600.0  # a long advance takes its time
COMPLETION_TIMEOUT_S = 1.0


class Unreachable(click.ClickException):
    """No simulator answers; the exit status is 3."""

    exit_code = 3


class Remote(Control):
    """The control API of a running simulator.

    A refusal ends the command with its message, and a simulator that does not answer with what to do.
    """

    client: HttpClient

    @property
    def url(self) -> str:
        """The address of the simulator."""
        return self.client.url

    def call(self, method: str, path: str = "", body: Any = None, *, headers: Mapping[str, str] = NOTHING) -> Response:
        """Send one request; its response, which is a success."""
        try:
            response = super().call(method, path, body, headers=headers)
        except OSError as error:
            if isinstance(error.__cause__, SSLError):
                reason = error.__cause__.reason
                raise Unreachable(
                    f"the certificate of {self.url} is not accepted: {reason}; see `giftsim serve trust`"
                ) from None
            raise Unreachable(
                f"no simulator answers at {self.url}; start one with `giftsim serve`, or name its address with --url"
                " (see docs/reference/command-line.md)"
            ) from None
        if not response.is_success:
            refused = refusal_error(response)
            raise click.ClickException(f"{refused.message} ({refused.code or refused.status})")
        return response

    def processes(self) -> list[Remote]:
        """This connection, or behind a proxy one to each of its processes, each of which has its own worlds (G136)."""
        many = int(self.call("GET", "/health").headers.get("x-sim-processes", "1"))
        if many == 1:
            return [self]
        from giftsim.cli.haproxy import prefix_of

        return [Remote(self.client, headers={"X-Sim-World": prefix_of(number, many)}) for number in range(1, many + 1)]


class RemoteWorld(Remote, ClientWorld):
    """A world of a running simulator."""

    def __init__(self, remote: Remote, world_id: str) -> None:
        ClientWorld.__init__(self, remote, world_id)

    def listed(self, view: str, **query: str | None) -> list[dict[str, Any]]:
        """All rows of a list."""
        return self.rows(f"/{view}", view, **query)


@contextmanager
def connected(url: str, token: str | None, timeout_s: float = TIMEOUT_S) -> Iterator[Remote]:
    """A connection to a simulator. UsageError if the URL is not the address of one."""
    with closing(HttpClient(url, bearer_headers(token), timeout_s=timeout_s, context=_context(url))) as client:
        yield Remote(client)


def _context(url: str) -> SSLContext | None:
    if read_address(url).scheme != "https":
        return None
    from giftsim.engine.server.authority import (
        client_tls_context,  # its package is a tenth of the start of a small command
    )

    return client_tls_context("https")


def complete_worlds(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of worlds that begin with what is typed."""
    return _complete(ctx, incomplete, lambda sim: [row["id"] for row in sim.send("GET", "/worlds")["worlds"]])


def complete_orders(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of orders that begin with what is typed, newest first."""
    return _complete(ctx, incomplete, lambda sim: [str(row["id"]) for row in reversed(_rows(ctx, sim, "orders"))])


def complete_faults(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of the world's faults that begin with what is typed."""
    return _complete(ctx, incomplete, lambda sim: [row["id"] for row in _rows(ctx, sim, "faults")])


def complete_in_world(
    ctx: click.Context, incomplete: str, values_of: Callable[[RemoteWorld], list[str]]
) -> list[CompletionItem]:
    """Those values that a world of a simulator gives, and that begin with what is typed."""
    return _complete(ctx, incomplete, lambda sim: values_of(RemoteWorld(sim, _typed(ctx, "world") or "default")))


def _complete(ctx: click.Context, incomplete: str, values_of: Callable[[Remote], list[str]]) -> list[CompletionItem]:
    """No completions where no simulator answers: a shell shows no errors while one types."""
    url = _typed(ctx, "url") or default_url()
    try:
        with connected(url, _typed(ctx, "control_token"), timeout_s=COMPLETION_TIMEOUT_S) as sim:
            return [CompletionItem(value) for value in values_of(sim) if value.startswith(incomplete)]
    except click.ClickException:
        return []


def _rows(ctx: click.Context, sim: Remote, view: str) -> list[dict[str, Any]]:
    return RemoteWorld(sim, _typed(ctx, "world") or "default").rows(f"/{view}", view)


def _typed(ctx: click.Context, name: str) -> str | None:
    """The value of an option as typed so far, or from the environment."""
    return ctx.params.get(name) or os.environ.get(f"GIFTSIM_{name.upper()}")


_url = option("--url", "-u", default=default_url, show_default=EXAMPLE_URL, help="Address of the running simulator.")
_world = option(
    "--world", "-w", default="default", show_default=True, shell_complete=complete_worlds, help="The world."
)
_token = control_token_options("The token of its test-control API")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def with_simulator(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that name a simulator; it is called with `sim`, and with `as_json`."""

    @_url
    @_token
    @_json
    @wraps(command)
    def with_remote(url: str, control_token: str | None, **options: Any) -> Any:
        with connected(_chosen("url", url), _chosen("control_token", control_token)) as sim:
            return command(sim=sim, **options)

    return with_remote


def with_world(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that name a world of a simulator; it is called with `sim`, and with `as_json`."""

    @_url
    @_world
    @_token
    @_json
    @wraps(command)
    def with_remote(url: str, world: str, control_token: str | None, **options: Any) -> Any:
        token, world_id = _chosen("control_token", control_token), _chosen("world", world)
        with connected(_chosen("url", url), token) as sim:
            return command(sim=RemoteWorld(sim, world_id), **options)

    return with_remote


def _chosen(name: str, value: str | None) -> Any:
    """The value of an option: as given to the command, else to its group, else from the environment or the default."""
    meta = click.get_current_context().meta
    if is_given(name) or (name == "control_token" and is_given("control_token_file")):
        meta[f"giftsim.{name}"] = value
    return meta.get(f"giftsim.{name}", value)
