"""Maps a client library's requests to a world: by base URL, with a default credential."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from giftsim.client.response import Response
from giftsim.gateway.repeated_headers import joined
from giftsim.testing.transport import Transport
from giftsim.testing.web_address import origin_of

# Headers of a connection or of the called host, which do not apply here.
DROPPED = frozenset({"host", "content-length", "connection", "transfer-encoding", "accept-encoding", "keep-alive"})
# Headers in which the service's interfaces look for a credential.
CREDENTIAL_HEADERS = frozenset({"authorization", "x-api-key", "cookie"})
SHOWN_OF_A_KEY = 7


class UrlOutsideWorld(Exception):
    """A request to a URL outside the world. It is not sent."""


class LibraryNotInstalled(ImportError):
    """A client library is not installed."""

    def __init__(self, library: str) -> None:
        super().__init__(
            f"giftsim.{library}() needs {library}, which is not installed: pip install {library}", name=library
        )


class Router:
    """Maps URLs below `base`, an origin with an optional path, to the paths of a world below `to`.

    The credential's headers are sent with requests that have none, or with all in place of theirs (`replace_key`).
    `notes` counts, in words, what was refused because it would have left, or because of its credential.
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
        self._world, self._to = world, to.rstrip("/")
        self._headers = headers
        self._replace_key = replace_key
        self.notes: Counter[str] = Counter() if notes is None else notes

    @property
    def leads_home(self) -> bool:
        """Whether the base is the world's own address, so that a call which goes there directly is right too."""
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
        path = self.path_of(url)
        if path is None:
            raise UrlOutsideWorld(f"{method} {url} was not sent: this client calls only URLs below {self.base}")
        sent = joined((name, value) for name, value in headers if name.lower() not in DROPPED)
        own = {name: value for name, value in sent.items() if name.lower() in CREDENTIAL_HEADERS}
        if self._replace_key:
            sent = {name: value for name, value in sent.items() if name not in own}
        if self._replace_key or not any(name.lower() != "cookie" for name in own):
            sent.update(self._headers)
        sent.setdefault("X-Sim-World", self._world)  # so that the world's call log has a call with a strange credential
        response = self._transport.call(method, path, body=body or None, headers=sent, timeout_s=timeout_s)
        if response.status == 401 and own and not self._replace_key:
            self._note_stranger(method, path, own)
        return response

    def _note_stranger(self, method: str, path: str, own: Mapping[str, str]) -> None:
        shown = ", ".join(f"{name}: {_redacted(value)}" for name, value in own.items())
        self.notes[
            f"{method} {path.partition('?')[0]} -> 401: the application's own credential ({shown}) is none of this"
            " world; route(url, credential, replace_key=True) sends that of the world in its place"
        ] += 1


def _redacted(credential: str) -> str:
    """The beginning of a credential, by which its owner knows it again, and no more than a quarter of it."""
    scheme, separator, token = credential.rpartition(" ")
    return f"{scheme}{separator}{token[: min(SHOWN_OF_A_KEY, len(token) // 4)]}***"


def body_bytes(body: Any) -> bytes:
    """A request body as bytes, from text, a file or an iterable of parts."""
    if body is None:
        return b""
    if isinstance(body, bytes | bytearray):
        return bytes(body)
    if isinstance(body, str):
        return body.encode()
    if hasattr(body, "read"):
        return body_bytes(body.read())
    return b"".join(body_bytes(part) for part in body)
