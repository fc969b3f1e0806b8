"""A client's side of HTTP, which accepts no answer whose framing is not exact to the byte."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import Random  # noqa: TID251 - the seed decides
from typing import Any, NamedTuple

import msgspec

from tests.simulation.sockets import Socket

WITHOUT_BODY = (204, 304)


class Violation(AssertionError):
    """The product did what it never may; `kind` says in a word or two what."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class NoAnswer(Exception):
    """The connection broke before the answer was whole."""


class Answer(NamedTuple):
    """A whole response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return msgspec.json.decode(self.body)

    @property
    def closes(self) -> bool:
        """Whether the connection ends with it."""
        return self.headers.get("connection", "").lower() == "close"

    @property
    def code(self) -> str:
        """The code of an error; empty for what is none."""
        if self.status < 400 or not self.headers.get("content-type", "").startswith("application/json"):
            return ""
        return str(self.json().get("error", {}).get("code", ""))


def request(method: str, path: str, body: Any = None, key: str | None = None, **headers: str) -> bytes:
    """The bytes of a request. Names of headers have underscores here."""
    content = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{method} {path} HTTP/1.1", "Host: giftsim.example"]
    if key is not None:
        lines.append(f"Authorization: Bearer {key}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


class Line:
    """One connection of a client to the server. `bound_s` is how long it waits for an answer."""

    def __init__(self, sock: Socket, bound_s: float, of: str) -> None:
        self.sock, self.bound_s, self._of = sock, bound_s, of
        self._buffer = bytearray()
        self._has_ended = False

    def send(self, data: bytes) -> None:
        """Send bytes. NoAnswer if the connection is broken."""
        try:
            self.sock.settimeout(self.bound_s)
            self.sock.sendall(data)
        except TimeoutError:
            raise Violation(f"{self._of}: the server read nothing for {self.bound_s:g} s", "late") from None
        except OSError as error:
            raise NoAnswer(f"while sending: {error}") from None

    def send_slowly(self, data: bytes, random: Random, pause_s: float) -> None:
        """Send bytes in a few pieces."""
        while data:
            size = 1 + int(random.random() * len(data))
            self.send(data[:size])
            data = data[size:]
            self.sock.scheduler.sleep(random.random() * pause_s)

    def read(self, method: str = "GET") -> Answer:
        """The next answer. NoAnswer, or Violation for one that is wrong or late."""
        until_s = self.sock.scheduler.now_s + self.bound_s
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            self._more(until_s, "an answer")
        head = bytes(self._buffer[:end]).decode("latin-1").split("\r\n")
        del self._buffer[: end + 4]
        version, status, *_ = [*head[0].split(" ", 2), ""]
        if version != "HTTP/1.1":
            raise Violation(f"this is not the beginning of an answer: {head[0]!r}", "framing")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
        body = self._body(int(status), method, headers, until_s)
        answer = Answer(int(status), headers, body)
        if answer.status == 100:
            return self.read(method)
        if answer.closes:
            self._expect_end(until_s)
        if answer.status == 408:
            raise NoAnswer("the connection gave way to another before the whole request was read")
        return answer

    def read_head(self) -> None:
        """Read the header of a response whose body does not end. NoAnswer."""
        until_s = self.sock.scheduler.now_s + self.bound_s
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            self._more(until_s, "an answer")
        del self._buffer[: end + 4]

    def read_chunk(self, until_s: float) -> bytes | None:
        """The next chunk of such a body; None if none comes before an instant."""
        try:
            size = int(self._line(until_s), 16)
            while len(self._buffer) < size + 2:
                self._more(until_s, "a chunk")
        except Violation:
            return None
        chunk = self._take(size)
        self._take(2)
        return chunk

    def _body(self, status: int, method: str, headers: Mapping[str, str], until_s: float) -> bytes:
        if method == "HEAD" or status < 200 or status in WITHOUT_BODY:
            return b""
        if headers.get("transfer-encoding") == "chunked":
            return self._chunks(until_s)
        if "content-length" not in headers:
            raise Violation("an answer does not say where its body ends", "framing")
        length = int(headers["content-length"])
        while len(self._buffer) < length:
            self._more(until_s, f"the rest of an answer: {length - len(self._buffer)} of {length} bytes")
        return self._take(length)

    def _chunks(self, until_s: float) -> bytes:
        body = b""
        while True:
            size = int(self._line(until_s), 16)
            while len(self._buffer) < size + 2:
                self._more(until_s, "a chunk")
            body += self._take(size)
            if self._take(2) != b"\r\n":
                raise Violation("a chunk is longer than it says", "framing")
            if not size:
                return body

    def _line(self, until_s: float) -> bytes:
        while (end := self._buffer.find(b"\r\n")) < 0:
            self._more(until_s, "the size of a chunk")
        line = self._take(end)
        self._take(2)
        return line

    def _take(self, size: int) -> bytes:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def _more(self, until_s: float, what: str) -> None:
        """Read on. NoAnswer at the end, Violation if nothing comes in time, or only a part of an answer."""
        sock = self.sock
        left_s = until_s - sock.scheduler.now_s
        try:
            if left_s <= 0:
                raise TimeoutError
            sock.settimeout(left_s)
            data = sock.recv(64 * 1024)
        except TimeoutError:
            raise Violation(f"{self._of}: {what} did not come within {self.bound_s:g} s", "late") from None
        except OSError as error:
            raise NoAnswer(f"before {what}: {error}") from None
        if not data:
            if self._buffer or "rest" in what or "chunk" in what:
                raise Truncated(f"the connection ended before {what}")
            raise NoAnswer(f"the connection ended before {what}")
        self._buffer += data

    def _expect_end(self, until_s: float) -> None:
        """After the last answer nothing follows, and the connection ends."""
        with suppress(NoAnswer):
            self._more(until_s, "the end of the connection after its last answer")
        if self._buffer:
            raise Violation(f"{bytes(self._buffer[:60])!r} follows the last answer of a connection", "framing")

    def half_close(self) -> None:
        """Send nothing more."""
        try:
            self.sock.shutdown(1)
        except OSError as error:
            raise NoAnswer(str(error)) from None

    def reset(self) -> None:
        """Break the connection."""
        self.sock.reset()
        self.sock.drop()

    def close(self) -> None:
        """Close the connection."""
        self.sock.drop()


class Truncated(NoAnswer):
    """The connection ended in the middle of an answer, which only the end of the process explains."""
