"""The command `wait`, and its former part `health`: whether a simulator answers.

They import little, not even the package `client`, because containers run them often.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from ssl import SSLError
from typing import Any, NamedTuple, NoReturn
from urllib.parse import SplitResult

import click

from giftsim.cli.options import EXAMPLE_URL, Number, control_token_options, default_url, option, read_address
from giftsim.engine.url_paths import CONTROL
from giftsim.engine.worlds import system_clock

HEALTH_S, WAIT_S = 2.0, 30.0
PAUSE_S = 0.1


class Health(NamedTuple):
    """Whether a simulator answers, and a line that says so."""

    is_up: bool
    line: str


def with_address(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that name a simulator and its token."""
    url = option("--url", default=default_url, show_default=EXAMPLE_URL, help="Address of the simulator.")
    return url(control_token_options("The token of its test-control API")(command))


def timeout_option(
    default_s: float, meaning: str, *, min_open: bool
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option `--timeout` in seconds, as `timeout_s`."""
    seconds = Number(0, min_open=min_open)
    return click.option(
        "--timeout", "timeout_s", default=default_s, show_default=True, type=seconds, metavar="SECONDS", help=meaning
    )


@click.command()
@with_address
@timeout_option(HEALTH_S, "Real seconds to wait for the answer.", min_open=True)
def health(url: str, control_token: str | None, timeout_s: float) -> None:
    """Say whether a simulator answers: exit status 0 if it does, else 1.

    For health checks of containers. A simulator that answers, but wants another token, is up too.
    """
    _end(ask_health(url, control_token, timeout_s))


@click.command("wait")
@with_address
@timeout_option(WAIT_S, "Real seconds to wait at most; 0 asks once.", min_open=False)
def wait(url: str, control_token: str | None, timeout_s: float) -> None:
    """Wait until a simulator answers: exit status 0 as soon as it does, 1 if it does not in time.

    With --timeout 0 it asks once, as health checks of containers do. A simulator that answers, but wants another token,
    is up too.
    """
    if not timeout_s:
        _end(ask_health(url, control_token, HEALTH_S))
    until_s, pause = system_clock.monotonic() + timeout_s, threading.Event()
    while True:
        left_s = until_s - system_clock.monotonic()
        seen = ask_health(url, control_token, max(min(left_s, HEALTH_S), PAUSE_S))
        if seen.is_up or left_s <= PAUSE_S:
            _end(seen)
        pause.wait(PAUSE_S)


def ask_health(url: str, token: str | None, timeout_s: float) -> Health:
    """Ask a simulator for its health. UsageError if the URL is not the address of one."""
    connection = _connection(read_address(url), timeout_s)
    try:
        connection.request("GET", f"{CONTROL}/health", headers={"Authorization": f"Bearer {token}"} if token else {})
        response = connection.getresponse()
        return _read(url, response.status, response.read())
    except TimeoutError:
        return Health(False, f"nothing answers at {url} within {timeout_s:.3g} seconds")
    except SSLError as error:
        return Health(False, f"the certificate of {url} is not accepted: {error.reason}; see `giftsim serve trust`")
    except (OSError, HTTPException) as error:
        return Health(
            False, f"no simulator answers at {url}: {getattr(error, 'strerror', None) or 'it does not speak HTTP'}"
        )
    finally:
        connection.close()


def _connection(url: SplitResult, timeout_s: float) -> HTTPConnection:
    if url.scheme == "http":
        return HTTPConnection(url.hostname or "", url.port, timeout=timeout_s)
    from http.client import HTTPSConnection

    from giftsim.engine.server.authority import client_tls_context

    return HTTPSConnection(url.hostname or "", url.port, timeout=timeout_s, context=client_tls_context(url.scheme))


def _read(url: str, status: int, body: bytes) -> Health:
    try:
        data = json.loads(body)
        if status == 200 and data["status"] == "ready":
            return Health(True, f"giftsim {data['version']} is ready at {url}, worlds: {data['worlds']}")
        code = data["error"]["code"]
    except (ValueError, TypeError, KeyError):
        return Health(False, f"what answers at {url} is not giftsim (HTTP {status})")
    if status == 401:
        return Health(True, f"giftsim is up at {url}; its test-control API wants another token ({code})")
    return Health(False, f"giftsim at {url} refuses: HTTP {status}, {code}")


def _end(seen: Health) -> NoReturn:
    click.echo(seen.line, err=not seen.is_up)
    raise SystemExit(0 if seen.is_up else 1)
