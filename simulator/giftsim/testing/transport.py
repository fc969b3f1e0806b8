"""How calls get to the simulator: in process through its WSGI front, or over HTTP to one that is served elsewhere."""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import msgspec

from giftsim.gateway.in_process_client import Answer

if TYPE_CHECKING:
    from giftsim.build import Simulator
    from giftsim.worlds.world import World

__all__ = ["Answer", "InProcess", "OverHttp", "Passage"]


class Passage(Protocol):
    """A way to the simulator at `origin`. A connection that breaks is the builtin ConnectionError, a late answer the
    builtin TimeoutError; `timeout_s` is in real seconds, None for as long as it takes.
    """

    @property
    def origin(self) -> str:
        """Where links of answers lead: scheme, host and port."""

    def call(
        self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Answer:  # fmt: skip
        """One call: an object goes out as JSON, bytes and text as they are; `path` may have a query."""

    def world(self, world_id: str) -> World | None:
        """The world itself where it lives in this process."""


class InProcess:
    """Calls a simulator of this process, without a socket."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator
        self._client = simulator.client

    @property
    def origin(self) -> str:
        """The simulator's own name for itself; no such host exists."""
        return self.simulator.registry.origin

    def call(
        self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Answer:  # fmt: skip
        """One call; one that may be late runs beside the caller, who can then give up as over a socket."""
        if timeout_s is None:
            return self._client.call(method, path, body=body, headers=headers)
        return _within(timeout_s, lambda: self._client.call(method, path, body=body, headers=headers))

    def world(self, world_id: str) -> World | None:
        """The world itself."""
        return self.simulator.registry.worlds.get(world_id)


def _within(timeout_s: float, work: Callable[[], Answer]) -> Answer:
    told: SimpleQueue[Answer | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            told.put(work())
        except BaseException as error:  # noqa: BLE001 - it is raised again where the caller waits
            told.put(error)

    threading.Thread(target=run, name="giftsim call", daemon=True).start()
    try:
        result = told.get(timeout=timeout_s)
    except Empty:
        raise TimeoutError(f"no answer within {timeout_s:g} s") from None
    if isinstance(result, BaseException):
        raise result
    return result


class OverHttp:
    """Calls a server; idle connections are used again, by any thread, unless the other side has closed them."""

    def __init__(self, origin: str) -> None:
        self._origin = origin.rstrip("/")
        self._address = urlsplit(self._origin).netloc
        self._idle: deque[HTTPConnection] = deque()

    @property
    def origin(self) -> str:
        """Where the server listens."""
        return self._origin

    def call(
        self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Answer:  # fmt: skip
        """One call; ConnectionError where none answers, also before a connection stands."""
        content, told = _written(body, headers or {})
        line = self._line(timeout_s)
        try:
            line.request(method, path, content, told)
            response = line.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            answer = Answer(response.status, fields, response.read())
        except TimeoutError:
            line.close()
            raise
        except (HTTPException, OSError) as error:
            line.close()
            raise ConnectionError(f"{self._origin} gave no answer to {method} {path}: {error}") from error
        self._idle.append(line)
        return answer

    def world(self, world_id: str) -> World | None:  # noqa: ARG002 - the server alone has it
        """None: it lives in another process."""
        return None

    def close(self) -> None:
        """Close the connections."""
        while self._idle:
            self._idle.pop().close()

    def _line(self, timeout_s: float | None) -> HTTPConnection:
        try:
            line = self._idle.pop()
        except IndexError:
            return HTTPConnection(self._address, timeout=timeout_s)
        line.timeout = timeout_s
        if line.sock is not None:
            if _is_over(line.sock):
                line.close()
            else:
                line.sock.settimeout(timeout_s)
        return line


def _is_over(sock: socket.socket) -> bool:
    """Whether the other side has hung up, or said anything unasked."""
    sock.setblocking(False)
    try:
        sock.recv(1, socket.MSG_PEEK)
    except OSError as error:
        return not isinstance(error, BlockingIOError)
    return True


def _written(body: Any, headers: Mapping[str, str]) -> tuple[bytes | None, dict[str, str]]:
    told = dict(headers)
    if body is None or isinstance(body, bytes):
        content: bytes | None = body
    else:
        content = body.encode() if isinstance(body, str) else msgspec.json.encode(body)
    if content and "content-type" not in {name.lower() for name in told}:
        told["Content-Type"] = "application/json"
    return content, told
