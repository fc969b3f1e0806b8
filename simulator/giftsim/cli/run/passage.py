"""A call that the proxy makes to another server, whose answer is passed on piece by piece, as it arrives."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterable, Iterator

import h11

from giftsim.engine.gateway.call import ConnectionDropped
from giftsim.testing.routing import Origin

CHUNK = 65_536
CONNECT_S, PASS_S, TURN_S = 10.0, 600.0, 1.0
MAX_HEADERS = 256 * 1024
LISTENS_ON = "127.0.0.1"
WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
# Of a connection, and not of the call or the answer that is passed on.
OF_CONNECTION = frozenset({"connection", "keep-alive", "proxy-connection", "transfer-encoding", "expect"})
Fields = Iterable[tuple[str, str]]


class CallsItself(Exception):
    """The connection would lead to the proxy that makes it."""


class ClientLeft(ConnectionError):
    """The client closed its connection before it had its answer."""


def connect(origin: Origin, own_port: int) -> socket.socket:
    """Connect to a server. OSError or UnicodeError if it cannot be reached; CallsItself if it is this proxy.

    The address that accepted the connection is compared, not the host that was asked for, because one address has
    many spellings: a name, 127.1, 0.0.0.0, ::ffff:127.0.0.1.
    """
    connection = socket.create_connection((origin.host, origin.port), CONNECT_S)
    host, port, *_ = connection.getpeername()
    if port == own_port and host.removeprefix("::ffff:") == LISTENS_ON:
        connection.close()
        raise CallsItself
    return connection


class Passage:
    """A call over its own connection. Iterating gives the body of the answer, each piece when it arrives."""

    def __init__(self, connection: socket.socket, origin: Origin, has_client_left: Callable[[], bool]) -> None:
        """OSError if TLS fails."""
        self._host, self._has_client_left = f"{origin.host}:{origin.port}", has_client_left
        self._connection = connection
        if origin.scheme == "https":
            context = ssl.create_default_context()
            self._connection = context.wrap_socket(connection, server_hostname=origin.host)
        self._connection.settimeout(PASS_S)
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEADERS)
        self.status, self.fields = "", list[tuple[str, str]]()

    def send(self, method: str, target: str, headers: Fields, body: bytes) -> None:
        """Send the request, and wait for the head of the answer. OSError, h11.ProtocolError, ClientLeft."""
        sent = [(name, value) for name, value in headers if name.lower() not in {*OF_CONNECTION, "content-length"}]
        if not any(name.lower() == "host" for name, _ in sent):
            sent.append(("Host", self._host))
        if body or method in WITH_BODY:
            sent.append(("Content-Length", str(len(body))))
        fields = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in (*sent, ("Connection", "close"))]
        head = h11.Request(method=method, target=target.encode("latin-1"), headers=fields)
        parts = (head, *([h11.Data(data=body)] if body else []), h11.EndOfMessage())
        self._connection.sendall(b"".join(self._http.send(part) or b"" for part in parts))
        self._connection.settimeout(TURN_S)
        answer = next(each for each in self._events() if isinstance(each, h11.Response))
        is_chunked = any(name == b"transfer-encoding" for name, _ in answer.headers)
        dropped = {*OF_CONNECTION, *(["content-length"] if is_chunked else [])}
        self.status = f"{answer.status_code} {bytes(answer.reason).decode('latin-1')}"
        named = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.headers]
        self.fields = [(name, value) for name, value in named if name not in dropped]

    def __iter__(self) -> Iterator[bytes]:
        """The head at once, then the body. ConnectionDropped if it breaks off, which the client must see too."""
        yield b""
        try:
            yield from (bytes(event.data) for event in self._events() if isinstance(event, h11.Data))
        except (OSError, h11.ProtocolError) as error:
            raise ConnectionDropped(str(error)) from None

    def close(self) -> None:
        """Close the connection, also before the answer is complete."""
        self._connection.close()

    def _events(self) -> Iterator[h11.Event]:
        """Yield events until the response is complete."""
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(self._read())
            elif isinstance(event, h11.EndOfMessage):
                return
            elif isinstance(event, h11.Event):
                yield event

    def _read(self) -> bytes:
        """Wait for bytes while the client is there. ClientLeft; TimeoutError after PASS_S."""
        for _ in range(int(PASS_S / TURN_S)):
            try:
                return self._connection.recv(CHUNK)
            except TimeoutError:
                if self._has_client_left():
                    raise ClientLeft from None
        raise TimeoutError(f"no answer within {PASS_S:g} s")
