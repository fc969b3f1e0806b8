"""The way of a client library into a world: URLs below a base lead to it, and a credential is added where none is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from giftsim.testing.transport import Answer, Passage

# What belongs to one connection or to the address that was called, neither of which exists here.
DROPPED = frozenset({"host", "content-length", "connection", "transfer-encoding", "accept-encoding", "keep-alive"})


class Elsewhere(Exception):
    """A URL that leads out of the world: nothing leaves this machine."""


class Missing(ImportError):
    """A client library that is not installed."""

    def __init__(self, library: str) -> None:
        super().__init__(
            f"giftsim.{library}() needs {library}, which is not installed: pip install {library}", name=library
        )


class Door:
    """Where `base` (an origin, perhaps with a path) leads: to the world's origin, below `to`."""

    def __init__(self, passage: Passage, base: str | None, to: str, headers: Mapping[str, str]) -> None:
        self._passage = passage
        self.base = (base or passage.origin).rstrip("/")
        self._to = to.rstrip("/")
        self._headers = headers

    def leads(self, url: str) -> bool:
        """Whether a URL is below the base."""
        return url == self.base or url.startswith((f"{self.base}/", f"{self.base}?"))

    def answer(
        self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes, timeout_s: float | None
    ) -> Answer:
        """The world's answer; Elsewhere, ConnectionError, or TimeoutError after so many real seconds."""
        if not self.leads(url):
            raise Elsewhere(f"{method} {url} leads out of the world, which answers below {self.base}; nothing is sent")
        path = self._to + url[len(self.base) :].partition("#")[0]
        told = {name: value for name, value in headers if name.lower() not in DROPPED}
        if not any(name.lower() == "authorization" for name in told):
            told.update(self._headers)
        rooted = path if path.startswith("/") else f"/{path}"
        return self._passage.call(method, rooted, body=body or None, headers=told, timeout_s=timeout_s)


def whole(body: Any) -> bytes:
    """A body as bytes, be it text, a file or parts that come one by one."""
    if body is None:
        return b""
    if isinstance(body, bytes | bytearray):
        return bytes(body)
    if isinstance(body, str):
        return body.encode()
    if hasattr(body, "read"):
        return whole(body.read())
    return b"".join(whole(part) for part in body)
