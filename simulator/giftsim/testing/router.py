"""Maps a client library's requests to a world: by base URL, with a default credential."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from giftsim.gateway.repeated_headers import joined
from giftsim.testing.transport import Response, Transport

# Headers of a connection or of the called host, which do not apply here.
DROPPED = frozenset({"host", "content-length", "connection", "transfer-encoding", "accept-encoding", "keep-alive"})


class UrlOutsideWorld(Exception):
    """A request to a URL outside the world. It is not sent."""


class LibraryNotInstalled(ImportError):
    """A client library is not installed."""

    def __init__(self, library: str) -> None:
        super().__init__(
            f"giftsim.{library}() needs {library}, which is not installed: pip install {library}", name=library
        )


class Router:
    """Maps URLs below `base`, an origin with an optional path, to the world's paths below `to`."""

    def __init__(self, transport: Transport, base: str | None, to: str, headers: Mapping[str, str]) -> None:
        self._transport = transport
        self.base = (base or transport.origin).rstrip("/")
        self._to = to.rstrip("/")
        self._headers = headers

    def matches(self, url: str) -> bool:
        """Whether a URL is below the base URL."""
        return url == self.base or url.startswith((f"{self.base}/", f"{self.base}?"))

    def send(
        self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes, timeout_s: float | None
    ) -> Response:
        """Send a request. Raises UrlOutsideWorld, ConnectionError, or TimeoutError after `timeout_s` real seconds."""
        if not self.matches(url):
            raise UrlOutsideWorld(f"{method} {url} was not sent: this client calls only URLs below {self.base}")
        path = self._to + url[len(self.base) :].partition("#")[0]
        sent = joined((name, value) for name, value in headers if name.lower() not in DROPPED)
        if not any(name.lower() == "authorization" for name in sent):
            sent.update(self._headers)
        absolute = path if path.startswith("/") else f"/{path}"
        return self._transport.call(method, absolute, body=body or None, headers=sent, timeout_s=timeout_s)


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
