"""Routes from a client library's URLs to a world: by base URL, with a default credential.

A call to a routed host that no route takes is refused, because it would leave this process (G103).
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from giftsim.engine.client.response import Response
from giftsim.engine.gateway.repeated_headers import join_headers
from giftsim.testing.host_names import normalize_host, spellings
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.transport import CallNotRouted, Transport

__tracebackhide__ = expected_errors
PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """Scheme, host and port, so that two spellings of one origin are equal."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{f'[{self.host}]' if ':' in self.host else self.host}{port}"


def origin_of(url: str | SplitResult) -> Origin | None:
    """The origin of an absolute URL; None for other text."""
    try:
        parts = urlsplit(url) if isinstance(url, str) else url
        port = PORTS[parts.scheme.lower()] if parts.port is None else parts.port
    except (ValueError, KeyError):
        return None
    return Origin(parts.scheme.lower(), normalize_host(parts.hostname), port) if parts.hostname else None


# Headers of a connection or of the called host, which do not apply here.
DROPPED = frozenset({"host", "content-length", "connection", "transfer-encoding", "accept-encoding", "keep-alive"})
# Headers in which the service's interfaces look for a credential.
CREDENTIAL_HEADERS = frozenset({"authorization", "x-api-key", "cookie"})
SHOWN_OF_A_KEY = 7


class UrlOutsideWorld(Exception):
    """A request to a URL outside the world. It is not sent."""


class Routed(NamedTuple):
    """A request as a world gets it; `own` are the headers with credentials that it came with."""

    path: str
    headers: dict[str, str]
    own: dict[str, str]


class Router:
    """Maps URLs below `base`, an origin with an optional path, to the paths of a world below `to`.

    The credential's headers are sent with requests that have none, or with all in place of theirs (`replace_key`).
    `notes` counts the refusals by their text: calls that would have left, and credentials of no key of the world.
    """

    def __init__(
        self,
        transport: Transport,
        world: str,
        base: str | None,
        to: str,
        headers: Mapping[str, str],
        *,
        replace_key: bool = False,
        notes: Counter[str] | None = None,
    ) -> None:
        self._transport = transport
        self.base = (base or transport.origin).rstrip("/")
        parts, origin = urlsplit(self.base), origin_of(self.base)
        if origin is None:
            raise ValueError(f"a base URL is like https://api.vendor.example or has a path below that, not {base!r}")
        self.origin, self._path = origin, parts.path
        self.names = spellings(parts.hostname or "")
        self._world, self._to = world, to.rstrip("/")
        self._headers = headers
        self._replace_key = replace_key
        self.notes: Counter[str] = Counter() if notes is None else notes

    @property
    def is_own_address(self) -> bool:
        """Whether the base is the world's own address, so that a call that is made there directly is right too."""
        return self.origin == origin_of(self._transport.origin)

    def matches(self, url: str) -> bool:
        """Whether a URL is below the base URL."""
        return self.path_of(url) is not None

    def path_of(self, url: str) -> str | None:
        """The world's path and query for a URL below the base URL; None for all others."""
        parts = urlsplit(url)
        if origin_of(parts) != self.origin or not f"{parts.path}/".startswith(f"{self._path}/"):
            return None
        path = self._to + parts.path[len(self._path) :]
        return (path if path.startswith("/") else f"/{path}") + (f"?{parts.query}" if parts.query else "")

    def send(
        self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes, timeout_s: float | None
    ) -> Response:
        """Send a request. Raises UrlOutsideWorld, ConnectionError, or TimeoutError after `timeout_s` real seconds."""
        routed = self.routed(method, url, headers)
        if body and not any(name.lower() == "content-type" for name in routed.headers):
            routed.headers["Content-Type"] = ""  # the transport would say that it is JSON
        response = self._transport.call(
            method, routed.path, body=body or None, headers=routed.headers, timeout_s=timeout_s
        )
        self.note(method, routed, response.status)
        return response

    def routed(self, method: str, url: str, headers: Iterable[tuple[str, str]]) -> Routed:
        """A request as the world gets it. Raises UrlOutsideWorld."""
        path = self.path_of(url)
        if path is None:
            raise UrlOutsideWorld(f"{method} {url} was not sent: this client calls only URLs below {self.base}")
        sent = join_headers((name, value) for name, value in headers if name.lower() not in DROPPED)
        own = {name: value for name, value in sent.items() if name.lower() in CREDENTIAL_HEADERS}
        if self._replace_key:
            sent = {name: value for name, value in sent.items() if name not in own}
        if self._replace_key or not any(name.lower() != "cookie" for name in own):
            sent.update(self._headers)
        sent.setdefault("X-Sim-World", self._world)  # so that the world's call log has a call with a strange credential
        return Routed(path, sent, own)

    def note(self, method: str, routed: Routed, status: int) -> None:
        """Note that a request with the application's own credential was refused."""
        if status == 401 and routed.own and not self._replace_key:
            self._note_stranger(method, routed.path, routed.own)

    def _note_stranger(self, method: str, path: str, own: Mapping[str, str]) -> None:
        shown = ", ".join(f"{name}: {_redacted(value)}" for name, value in own.items())
        self.notes[
            f"{method} {path.partition('?')[0]} -> 401: the application's own credential ({shown}) is not one of"
            " this world; route(url, credential, replace_key=True) sends that of the world in its place"
        ] += 1


def _redacted(credential: str) -> str:
    """The start of a credential, at most a quarter of it, by which its owner recognizes it."""
    scheme, separator, token = credential.rpartition(" ")
    return f"{scheme}{separator}{token[: min(SHOWN_OF_A_KEY, len(token) // 4)]}***"


ACTIVE: list[Router] = []  # the latest first


def router_for(url: str) -> Router | None:
    """The route for a URL; None for URLs of other hosts. CallNotRouted if no route of its host takes it."""
    for router in ACTIVE:
        if router.matches(url):
            return router
    origin = origin_of(url)
    owner = None if origin is None else owner_of(origin.host, origin.port)
    if owner is None:
        return None
    raise refusal(
        owner, f"{url.partition('?')[0]} was not called: route() sends only URLs below {owner.base} to the world"
    )


def is_routed(origin: Origin) -> bool:
    """Whether calls to an origin are routed."""
    return any(router.origin == origin for router in ACTIVE)


def owner_of(host: str, port: int | None) -> Router | None:
    """The route for a host, or None. On this machine the port must be the same, because it has other servers."""
    for router in ACTIVE:
        is_same_port = port == router.origin.port or not _is_local(host)
        if router.origin.host == host and is_same_port and not router.is_own_address:
            return router
    return None


GIVE_ADDRESS = (
    "Give it the address of a world on a server (giftsim_server.url, with giftsim_server.headers()), or connect it by"
    " giftsim.router()"
)
NOT_ROUTED = (
    "{host} was not called: route({base!r}) sends calls of requests, httpx, httpx2, httpcore, aiohttp, pyreqwest,"
    " urllib, urllib3 and all that is built on http.client to the world, and this client is not one of them."
    f" {GIVE_ADDRESS}"
)
NOT_BY_URLLIB3_FUTURE = (
    "{host} was not called: route({base!r}) cannot send calls of urllib3-future to the world, hence none of niquests,"
    " and none of requests while urllib3-future stands in for urllib3. For requests, uninstall urllib3-future, and"
    f" install urllib3 again. For niquests: {GIVE_ADDRESS[0].lower()}{GIVE_ADDRESS[1:]}"
)


def check_address(host: object, port: object, text: str = NOT_ROUTED) -> None:
    """Raise CallNotRouted if the host that is about to be resolved or connected to is routed."""
    if isinstance(host, bytes):
        host = host.decode("utf-8", "replace")
    if not isinstance(host, str):
        return
    number = port if isinstance(port, int) else int(port) if isinstance(port, str) and port.isdigit() else None
    owner = owner_of(normalize_host(host), number)
    if owner is not None:
        raise refusal(owner, text.format(host=host, base=owner.base))


def refusal(owner: Router, text: str) -> CallNotRouted:
    """The error, which the report of a failed test shows too, in case the application swallows it."""
    owner.notes[text] += 1
    return CallNotRouted(text)


def _is_local(host: str) -> bool:
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return host == "localhost"
