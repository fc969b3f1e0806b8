"""The connection of a command to a running simulator: its options, its errors, and completion in the shell."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from giftsim.cli.options import EXAMPLE_URL, control_token_options, default_url, is_given, option, read_address
from giftsim.client.control import Control, ControlRefused, bearer, refusal
from giftsim.client.over_http import HttpClient

TIMEOUT_S = 600.0  # a long advance takes its time
COMPLETION_TIMEOUT_S = 1.0
CHOICES = ("url", "control_token", "world")
T = TypeVar("T")


class Unreachable(click.ClickException):
    """No simulator answers; the exit status is 3."""

    exit_code = 3


class RemoteSimulator:
    """A running simulator. Its errors end the command with a message that says what to do."""

    def __init__(self, url: str, token: str | None, timeout_s: float = TIMEOUT_S) -> None:
        read_address(url)
        self._client = HttpClient(url, bearer(token), timeout_s=timeout_s)
        self.url = self._client.url
        self._control = Control(self._client)

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """Call the test-control API; the response's JSON."""
        return self._checked(lambda: self._control.send(method, path, body))

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _checked(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except ControlRefused as refused:
            raise click.ClickException(f"{refused.message} ({refused.code or refused.status})") from None
        except OSError:
            raise Unreachable(
                f"no simulator answers at {self.url}; start one with `giftsim serve`, or name its address with --url"
            ) from None


class RemoteWorld(RemoteSimulator):
    """One world of a running simulator."""

    def __init__(self, url: str, token: str | None, world: str, timeout_s: float = TIMEOUT_S) -> None:
        super().__init__(url, token, timeout_s)
        self.world = world
        self._world = self._control.world(world)

    def call(self, method: str, path: str = "", body: Any = None) -> Any:
        """Call the test-control API below this world's path; the response's JSON."""
        return self._checked(lambda: self._world.send(method, path, body))

    def fetch(self, path: str) -> bytes:
        """Read something below this world's path that is not JSON to look at; its bytes."""

        def read() -> bytes:
            response = self._world.call("GET", path)
            if not response.is_success:
                raise refusal(response)
            return response.body

        return self._checked(read)

    def rows(self, view: str, **query: str | None) -> list[dict[str, Any]]:
        """All rows of a list of this world."""
        return self._checked(lambda: self._world.rows(f"/{view}", view, **query))


def complete_worlds(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of worlds that begin with what is typed."""
    return _complete(ctx, incomplete, lambda world: [row["id"] for row in world.control("GET", "/worlds")["worlds"]])


def complete_orders(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of orders that begin with what is typed, newest first."""
    return _complete(ctx, incomplete, lambda world: [str(row["id"]) for row in reversed(world.rows("orders"))])


def complete_faults(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of the world's faults that begin with what is typed."""
    return _complete(ctx, incomplete, lambda world: [row["id"] for row in world.rows("faults")])


def _complete(
    ctx: click.Context, incomplete: str, values_of: Callable[[RemoteWorld], list[str]]
) -> list[CompletionItem]:
    """No completions where no simulator answers: a shell shows no errors while one types."""
    choices = {name: ctx.params.get(name) or os.environ.get(f"GIFTSIM_{name.upper()}") for name in CHOICES}
    url, token, world = (choices[name] for name in CHOICES)
    try:
        with closing(RemoteWorld(url or default_url(), token, world or "default", COMPLETION_TIMEOUT_S)) as remote:
            return [CompletionItem(value) for value in values_of(remote) if value.startswith(incomplete)]
    except click.ClickException:
        return []


_url = option("--url", default=default_url, show_default=EXAMPLE_URL, help="Address of the running simulator.")
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
    def connected(url: str, control_token: str | None, **options: Any) -> Any:
        with closing(RemoteSimulator(_chosen("url", url), _chosen("control_token", control_token))) as sim:
            return command(sim=sim, **options)

    return connected


def with_world(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that name a world of a simulator; it is called with `sim`, and with `as_json`."""

    @_url
    @_world
    @_token
    @_json
    @wraps(command)
    def connected(url: str, world: str, control_token: str | None, **options: Any) -> Any:
        remote = RemoteWorld(_chosen("url", url), _chosen("control_token", control_token), _chosen("world", world))
        with closing(remote) as sim:
            return command(sim=sim, **options)

    return connected


def _chosen(name: str, value: str | None) -> Any:
    """The value of an option: as given to the command, else to its group, else from the environment or the default."""
    meta = click.get_current_context().meta
    if is_given(name) or (name == "control_token" and is_given("control_token_file")):
        meta[f"giftsim.{name}"] = value
    return meta.get(f"giftsim.{name}", value)
