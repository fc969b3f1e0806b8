"""HTTP calls to the downstream app that a scenario tests, and the check of its address."""

from __future__ import annotations

import os
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from subprocess import PIPE, TimeoutExpired
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from giftsim.engine.client.over_http import exchange
from giftsim.engine.client.response import Response, encode_request_body
from giftsim.engine.system import started_group
from giftsim.engine.webhooks.url_rules import is_this_machine, printable_url
from giftsim.services.secrets import MODES, PARTNER_KEY

CHECK_TIMEOUT_S: Final = 60


def run_check_command(command: str, *, origin: str, world: str, app: str | None) -> str | None:
    """Run a shell command; None if its exit status is 0, else the last line that it printed.

    Its environment has GIFTSIM_ORIGIN, GIFTSIM_WORLD, GIFTSIM_KEY (the key of partner.prepaid) and GIFTSIM_APP.
    """
    variables = {
        "GIFTSIM_ORIGIN": origin,
        "GIFTSIM_WORLD": world,
        "GIFTSIM_KEY": PARTNER_KEY.make("prepaid", world, MODES[0]),
    }
    return run_command(command, {**variables, **({"GIFTSIM_APP": app} if app else {})})


def run_command(command: str, variables: Mapping[str, str], text: str = "") -> str | None:
    """Run a shell command with more variables and this text to read; None, or the last line of one that failed."""
    try:
        with started_group(
            command, shell=True, env={**os.environ, **variables}, stdin=PIPE, stdout=PIPE, stderr=PIPE,
            encoding="utf-8", errors="replace",
        ) as process:  # fmt: skip
            output, errors = process.communicate(text, CHECK_TIMEOUT_S)
    except TimeoutExpired:
        return f"the command did not end within {CHECK_TIMEOUT_S} s"
    if process.returncode == 0:
        return None
    lines = [line for line in f"{output}\n{errors}".splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"the command ended with exit status {process.returncode}"


TIMEOUT_S: Final = 30.0
MAX_BYTES: Final = 16 * 1024 * 1024
# The system may resolve localhost to any address; only these two are tried.
LOCALHOST_ADDRESSES: Final = ("127.0.0.1", "::1")


class AppError(Exception):
    """The app could not be called; the message says why and what to do."""


def check_app_url(url: str) -> None:
    """Raise ValueError if `url` is not the address of an app on this machine."""
    hint = "an app must be on this machine: http://127.0.0.1:PORT, http://localhost:PORT or http://[::1]:PORT"
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        raise ValueError(f"{printable_url(url)} has an invalid port; {hint}") from None
    if parts.scheme != "http" or not parts.hostname or parts.username is not None or port == 0:
        raise ValueError(f"{printable_url(url)} is not the address of an app; {hint}")
    if parts.query or parts.fragment:
        raise ValueError(f"{printable_url(url)} has a query or fragment; write paths and queries in the steps")
    if not is_this_machine(parts.hostname):
        raise ValueError(f"{printable_url(url)} is not on this machine; {hint}")


class AppCaller(Protocol):
    """How a scenario calls its app: the app's address, then method, target, body and headers of the call."""

    def __call__(self, url: str, method: str, target: str, body: Any, headers: Mapping[str, str], /) -> Response:
        """Return the response; raise AppError or ConnectionError if there is none."""


NOT_IMPLEMENTED: Final = 501  # the answer of an app that does not do what it is asked


class WatchedApp:
    """Calls an app by `caller`, and knows whether the last call was for something that the app does not offer."""

    def __init__(self, caller: AppCaller) -> None:
        self._caller, self._call, self._status = caller, "", 0

    def __call__(self, url: str, method: str, target: str, body: Any, headers: Mapping[str, str], /) -> Response:
        """Call the app."""
        action = f" {body['action']}" if isinstance(body, Mapping) and "action" in body else ""
        self._call, self._status = f"{method} {target}{action}", 0
        response = self._caller(url, method, target, body, headers)
        self._status = response.status
        return response

    @property
    def not_offered(self) -> str | None:
        """What the app does not offer, if its last answer said so: a scenario that failed there has shown nothing."""
        return f"{self._call} answered {NOT_IMPLEMENTED}" if self._status == NOT_IMPLEMENTED else None


def check_reachable(url: str) -> None:
    """AppError if nothing listens at the address of an app."""
    parts = urlsplit(url)
    _connect(url, parts.hostname or "", parts.port or 80, TIMEOUT_S).close()


def call_app(
    url: str, method: str, target: str, body: Any, headers: Mapping[str, str], timeout_s: float = TIMEOUT_S
) -> Response:
    """Call the app at `url`; AppError if it cannot be reached, ConnectionError if the connection breaks."""
    parts = urlsplit(url)
    content, content_type = _encode(body)
    connection = _connect(url, parts.hostname or "", parts.port or 80, timeout_s)
    try:
        path = parts.path.rstrip("/") + target
        return exchange(connection, method, path, content, {**content_type, **headers}, max_bytes=MAX_BYTES)
    except TimeoutError:
        raise AppError(f"the app at {url} did not answer {method} {target} within {timeout_s:g} s") from None
    except ConnectionError:
        raise
    except HTTPException as error:
        raise AppError(f"the app at {url} sent a response that is not HTTP: {error}") from None
    finally:
        connection.close()


def _connect(url: str, host: str, port: int, timeout_s: float) -> HTTPConnection:
    failure: OSError | None = None
    for address in LOCALHOST_ADDRESSES if host == "localhost" else (host,):
        connection = HTTPConnection(address, port, timeout=timeout_s)
        try:
            connection.connect()
        except OSError as error:
            failure = failure or error
        else:
            return connection
    reason = (failure.strerror if failure else None) or "timeout"
    raise AppError(f"the app at {url} cannot be reached ({reason}); start it, or give another address with --app URL")


def _encode(body: Any) -> tuple[bytes | None, Mapping[str, str]]:
    """The body as bytes, and the headers that name its content type."""
    if body is None:
        return None, {}
    return encode_request_body(body), {} if isinstance(body, bytes | str) else {"Content-Type": "application/json"}
