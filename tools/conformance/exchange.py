"""Sends the bytes of a case to a server, and reads what it answers until it closes or says nothing more."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

NEXT = b"GET /next HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
QUIET_S, PATIENT_S = 1.5, 5.0  # without a byte, after which the server is taken to wait
PIECE_S = 0.02
NO_CONTENT = (204, 304)


class Response(NamedTuple):
    """One response. The names of its `fields` are lower-case. `seen` is what the application saw of the request."""

    status: int
    version: str
    fields: Mapping[str, str]
    content: bytes

    @property
    def seen(self) -> Mapping[str, Any]:
        """What the application answers: `method`, `path`, `host`, `body` and `field`, which is the header X-Seen."""
        with suppress(ValueError):
            seen = json.loads(self.content)
            return seen if isinstance(seen, dict) else {}
        return {}


class Observed(NamedTuple):
    """What came back: responses, bytes after them, and whether the server closed the connection."""

    responses: Sequence[Response]
    garbage: bytes
    is_closed: bool

    @property
    def is_next_served(self) -> bool:
        """Whether the request after the case was answered."""
        return any(response.seen.get("path") == "/next" for response in self.responses)

    @property
    def own(self) -> list[Response]:
        """The responses to the case itself."""
        return [response for response in self.responses if response.seen.get("path") != "/next"]

    @property
    def statuses(self) -> list[int]:
        """Their statuses."""
        return [response.status for response in self.own]

    def __str__(self) -> str:
        text = " ".join(map(str, self.statuses)) or ("no header" if self.garbage else "no answer")
        if self.statuses and self.garbage:
            text += " and more bytes"
        if not self.statuses or (not self.is_next_served and self.statuses[-1] < 400):
            text += ", closes" if self.is_closed else ", waits"
        elif self.is_next_served and self.statuses[-1] >= 400:
            text += ", goes on"
        return text


def exchange(
    port: int, pieces: Sequence[bytes], quiet_s: float, *, half_closes: bool = False, waits: bool = False
) -> Observed:
    """Send pieces, one after the other, and read.

    With `waits` an answer is waited for after each piece. With `half_closes` the client sends nothing more after them.
    """
    with socket.create_connection(("127.0.0.1", port), timeout=quiet_s) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        received = b""
        with suppress(OSError):
            for piece in pieces:
                client.sendall(piece)
                received += _arriving(client, quiet_s if waits else PIECE_S) if len(pieces) > 1 else b""
            if half_closes:
                client.shutdown(socket.SHUT_WR)
        rest, is_closed = _rest(client, quiet_s)
    heads = pieces[0].startswith(b"HEAD ")
    responses, garbage = read_responses(received + rest, first_is_head=heads)
    return Observed(responses, garbage, is_closed)


def _arriving(client: socket.socket, limit_s: float) -> bytes:
    client.settimeout(limit_s)
    with suppress(OSError):
        return client.recv(65_536)
    return b""


def _rest(client: socket.socket, quiet_s: float) -> tuple[bytes, bool]:
    received = b""
    client.settimeout(quiet_s)
    try:
        while piece := client.recv(65_536):
            received += piece
    except TimeoutError:
        return received, False
    except OSError:
        pass
    return received, True


def read_responses(received: bytes, *, first_is_head: bool) -> tuple[list[Response], bytes]:
    """Responses, and the bytes after them."""
    found: list[Response] = []
    while received:
        is_head = first_is_head and not any(response.status >= 200 for response in found)
        parsed = _response(received, is_head=is_head)
        if parsed is None:
            break
        response, received = parsed
        found.append(response)
    return found, received


def _response(received: bytes, *, is_head: bool) -> tuple[Response, bytes] | None:
    head, end, rest = received.partition(b"\r\n\r\n")
    line, *lines = head.decode("latin-1").split("\r\n")
    version, _, status = line.partition(" ")
    if not end or not version.startswith("HTTP/1.") or not status[:3].isdigit():
        return None
    fields = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
    code = int(status[:3])
    if is_head or code < 200 or code in NO_CONTENT:
        return Response(code, version, fields, b""), rest
    if fields.get("transfer-encoding", "").lower() == "chunked":
        content, rest = _unchunked(rest)
    elif "content-length" in fields:
        length = int(fields["content-length"])
        content, rest = rest[:length], rest[length:]
    else:
        content, rest = rest, b""
    return Response(code, version, fields, content), rest


def _unchunked(rest: bytes) -> tuple[bytes, bytes]:
    content = b""
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size.partition(b";")[0] or b"0", 16)
        content, rest = content + rest[:length], rest[length + 2 :]
        if not length:
            break
    return content, rest
