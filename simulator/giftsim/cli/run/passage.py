"""A call that the proxy makes for the app, whose answer is passed on piece by piece, as it comes."""

from __future__ import annotations

import selectors
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator

import h11

from giftsim.testing.routing import Origin

CHUNK = 65_536
CONNECT_S = 10.0
MAX_HEADERS = 256 * 1024
WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
# Of a connection, and not of the call or the answer that is passed on.
OF_CONNECTION = frozenset({"connection", "keep-alive", "proxy-connection", "transfer-encoding", "expect"})
Fields = Iterable[tuple[str, str]]
Read = Callable[[socket.socket], bytes]


class Passage:
    """A call over a connection of its own, of whose answer the head has come.

    `read` waits for bytes of its connection; it may end the call by an exception.
    """

    def __init__(self, origin: Origin, timeout_s: float | None, read: Read) -> None:
        """OSError if the host cannot be reached."""
        self._host, self._read = f"{origin.host}:{origin.port}", read
        self._connection = socket.create_connection((origin.host, origin.port), CONNECT_S)
        self._connection.settimeout(timeout_s)
        if origin.scheme == "https":
            self._connection = ssl.create_default_context().wrap_socket(self._connection, server_hostname=origin.host)
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEADERS)
        self.status, self.fields = 0, list[tuple[bytes, bytes]]()

    def send(self, method: str, target: str, headers: Fields, body: bytes) -> None:
        """Send the request, and wait for the head of the answer. OSError, h11.ProtocolError."""
        sent = [(name, value) for name, value in headers if name.lower() not in {*OF_CONNECTION, "content-length"}]
        if not any(name.lower() == "host" for name, _ in sent):
            sent.append(("Host", self._host))
        if body or method in WITH_BODY:
            sent.append(("Content-Length", str(len(body))))
        fields = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in (*sent, ("Connection", "close"))]
        head = h11.Request(method=method, target=target.encode("latin-1"), headers=fields)
        parts = (head, *([h11.Data(data=body)] if body else []), h11.EndOfMessage())
        try:
            self._connection.sendall(b"".join(self._http.send(part) or b"" for part in parts))
            answer = next(each for each in self._events() if isinstance(each, h11.Response))
        except BaseException:
            self.close()
            raise
        is_chunked = any(name == b"transfer-encoding" for name, _ in answer.headers)
        dropped = {*OF_CONNECTION, *(["content-length"] if is_chunked else [])}
        self.status = answer.status_code
        self.fields = [(name, value) for name, value in answer.headers if name.decode() not in dropped]

    def pieces(self) -> Iterator[bytes]:
        """The body, each piece when it comes. OSError or h11.ProtocolError if it breaks off."""
        return (bytes(event.data) for event in self._events() if isinstance(event, h11.Data))

    def close(self) -> None:
        """Close the connection, also before the answer is complete."""
        self._connection.close()

    def _events(self) -> Iterator[h11.Event]:
        """What comes, until the answer is complete."""
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(self._read(self._connection))
            elif isinstance(event, h11.EndOfMessage):
                return
            elif isinstance(event, h11.Event):
                yield event


def wait_for(connection: socket.socket, client: socket.socket) -> list[socket.socket]:
    """Which of two connections has something to read. TimeoutError after the time-out of the first one."""
    if isinstance(connection, ssl.SSLSocket) and connection.pending():
        return [connection]
    with selectors.DefaultSelector() as selector:
        for each in (connection, client):
            selector.register(each, selectors.EVENT_READ)
        ready = [key.fileobj for key, _ in selector.select(connection.gettimeout())]
    if not ready:
        raise TimeoutError
    return [each for each in (connection, client) if each in ready]
