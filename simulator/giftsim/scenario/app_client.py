"""The downstream app that a scenario drives: where it may be, and a call to it over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import urlsplit

import msgspec

PATIENCE_S: Final = 30.0
MOST_BYTES: Final = 16 * 1024 * 1024
# A name may lead anywhere; these two addresses are what localhost means.
LOCAL: Final = ("127.0.0.1", "::1")


class AppFailed(Exception):
    """The app could not be called; the message says why and what to do."""


class AppAnswer(NamedTuple):
    """What the app answered; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body read as JSON; ValueError where it is none."""
        return msgspec.json.decode(self.body)


def check_app(url: str) -> None:
    """ValueError for an address that is not on this machine, or is none."""
    instead = (
        "an app is called on this machine alone: http://127.0.0.1:PORT, http://localhost:PORT or http://[::1]:PORT"
    )
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        raise ValueError(f"{url!r} has no port that can be; {instead}") from None
    if parts.scheme != "http" or not parts.hostname or parts.username is not None or port == 0:
        raise ValueError(f"{url!r} is no address of an app; {instead}")
    if parts.query or parts.fragment:
        raise ValueError(f"{url!r} has more than an address; paths and queries stand in the steps")
    if not _is_local(parts.hostname):
        raise ValueError(f"{url!r} is not on this machine; {instead}")


class Dial(Protocol):
    """How a scenario calls its app: the address of the app, then method, target, body and headers of the call."""

    def __call__(self, url: str, method: str, target: str, body: Any, headers: Mapping[str, str], /) -> AppAnswer:
        """The answer; AppFailed or ConnectionError where there is none."""


def call_app(
    url: str, method: str, target: str, body: Any, headers: Mapping[str, str], patience_s: float = PATIENCE_S
) -> AppAnswer:
    """One call to the app at `url`; AppFailed where it cannot be reached, ConnectionError where it breaks off."""
    parts = urlsplit(url)
    content, kind = _content(body)
    connection = _connected(url, parts.hostname or "", parts.port or 80, patience_s)
    try:
        connection.request(method, parts.path.rstrip("/") + target, content, {**kind, **headers})
        answer = connection.getresponse()
        told = {name.lower(): value for name, value in answer.getheaders()}
        return AppAnswer(answer.status, told, answer.read(MOST_BYTES))
    except TimeoutError:
        raise AppFailed(f"the app at {url} did not answer {method} {target} within {patience_s:g} s") from None
    except ConnectionError:
        raise
    except HTTPException as error:
        raise AppFailed(f"the app at {url} answered something that is not HTTP: {error}") from None
    finally:
        connection.close()


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _connected(url: str, host: str, port: int, patience_s: float) -> HTTPConnection:
    failure: OSError | None = None
    for address in LOCAL if host == "localhost" else (host,):
        connection = HTTPConnection(address, port, timeout=patience_s)
        try:
            connection.connect()
        except OSError as error:
            failure = failure or error
        else:
            return connection
    said = (failure.strerror if failure else None) or "time-out"
    raise AppFailed(f"the app at {url} cannot be reached ({said}); start it, or name another with --app URL")


def _content(body: Any) -> tuple[bytes | None, Mapping[str, str]]:
    if body is None:
        return None, {}
    if isinstance(body, bytes | str):
        return body.encode() if isinstance(body, str) else body, {}
    return msgspec.json.encode(body), {"Content-Type": "application/json"}
