"""A proxy on this machine that answers the routed hosts itself, and refuses or passes all others.

Clients reach it in three ways: as an HTTP proxy (CONNECT, or whole URLs), and without a proxy by a connection that was
meant for a routed host (preload.cjs does that in Node). Each connection has a thread.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from typing import NamedTuple
from urllib.parse import urlsplit

import h11

from giftsim.cli.run.passage import CHUNK, CONNECT_S, MAX_HEADERS, Passage, Read, wait_for
from giftsim.cli.run.routes import Routes
from giftsim.client.response import Response
from giftsim.gateway.repeated_headers import header_lines
from giftsim.testing.routing import Origin, Router, origin_of
from giftsim.webhooks.url_rules import is_this_machine

PASS_S, END_S = 600.0, 0.5
TLS_HANDSHAKE = b"\x16"


class Request(NamedTuple):
    """One request: `target` as it was sent."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def host(self) -> str:
        """The value of `Host`."""
        return next((value for name, value in self.headers if name == "host"), "")


class Proxy:
    """Listens on a free port of this machine. `calls`, `refused` and `passed` count what came."""

    def __init__(self, routes: Routes, context: ssl.SSLContext | None, *, passes_others: bool) -> None:
        self.routes, self._context, self._passes_others = routes, context, passes_others
        self.calls: Counter[tuple[str, str, str, int]] = Counter()  # base, method, path, status (0: no answer)
        self.refused: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listening.getsockname()[1]

    def start(self) -> None:
        """Serve in the background until `close`."""
        threading.Thread(target=self._accept, name="proxy", daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(connection,), name="proxy connection", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError, h11.ProtocolError):
            self._converse(connection, None)

    def _converse(self, connection: socket.socket, tunnel: Origin | None) -> None:
        """Answer what comes over a connection, which may be a tunnel to a routed host."""
        if connection.recv(1, socket.MSG_PEEK) == TLS_HANDSHAKE:
            if self._context is None:
                return
            with self._context.wrap_socket(connection, server_side=True) as encrypted:
                try:
                    _Conversation(encrypted, lambda request: self._url("https", request, tunnel), self).hold()
                finally:
                    _end_tls(encrypted)
            return
        _Conversation(connection, lambda request: self._url("http", request, tunnel), self).hold()

    def _url(self, scheme: str, request: Request, tunnel: Origin | None) -> str:
        """The whole URL that a request means."""
        if not request.target.startswith("/"):
            return request.target
        host = request.host or (f"{tunnel.host}:{tunnel.port}" if tunnel else "")
        return f"{scheme}://{host}{request.target}"

    def tunnel(self, connection: socket.socket, target: str) -> Response | None:
        """Let a connection that asked for a tunnel have it; a refusal, or None when it has ended."""
        origin = origin_of(f"https://{target}")
        if self.routes.owns(origin):
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            self._converse(connection, origin)
            return None
        if not self._may_pass(origin):
            return self._refusal(target)
        assert origin
        try:
            outside = socket.create_connection((origin.host, origin.port), CONNECT_S)
        except OSError as error:
            return _message(502, "unreachable", f"{target} cannot be reached: {error}")
        with outside:
            outside.settimeout(PASS_S)
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            _pump(connection, outside)
        return None

    def answer(self, request: Request, url: str, read: Read) -> Passage | Response:
        """The answer to a request. ConnectionError if the simulator drops the connection."""
        router, origin = self.routes.router(url), origin_of(url)
        if router is not None:
            return self._call(router, request, url, read)
        if self.routes.owns(origin):
            return self._refusal(url.partition("?")[0], f"routes are {', '.join(self.routes.bases)}")
        if origin is None or not self._may_pass(origin):
            return self._refusal(origin or url)
        return self._pass(origin, request, url, read)

    def _may_pass(self, origin: Origin | None) -> bool:
        return origin is not None and (self._passes_others or is_this_machine(origin.host))

    def _call(self, router: Router, request: Request, url: str, read: Read) -> Passage:
        """Make a call to the simulator."""
        routed, status = router.routed(request.method, url, request.headers), 0
        try:
            passage = Passage(self.routes.simulator, None, read)
            passage.send(request.method, routed.path, header_lines(routed.headers), request.body)
            status = passage.status
        finally:
            self._count(router.base, request.method, urlsplit(url).path, status)
        router.note(request.method, routed, status)
        return passage

    def _pass(self, origin: Origin, request: Request, url: str, read: Read) -> Passage | Response:
        """Make a call to another host."""
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            passage = Passage(origin, PASS_S, read)
            passage.send(request.method, target, request.headers, request.body)
        except ClientLeft:
            raise
        except (OSError, h11.RemoteProtocolError) as error:
            return _message(502, "unreachable", f"{parts.netloc} cannot be reached: {error}")
        return passage

    def _refusal(
        self, what: object, hint: str = "name it with --route, or pass all others with --others pass"
    ) -> Response:
        with self._lock:
            self.refused[str(what)] += 1
        return _message(403, "host_refused", f"giftsim run did not call {what}; {hint}")

    def _count(self, base: str, method: str, path: str, status: int) -> None:
        with self._lock:
            self.calls[base, method, path, status] += 1


class ClientLeft(ConnectionError):
    """The client closed its connection before it had its answer."""


class _Conversation:
    """The requests and answers of one connection, one after the other."""

    def __init__(self, connection: socket.socket, url_of: Callable[[Request], str], proxy: Proxy) -> None:
        self._connection, self._url_of, self._proxy = connection, url_of, proxy
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEADERS)

    def hold(self) -> None:
        """Answer until the client ends it or the simulator drops it."""
        while (request := self._request()) is not None:
            if request.method == "CONNECT":
                refused = self._proxy.tunnel(self._connection, request.target)
                if refused is None:
                    return
                self._send(request, refused)
                return
            answer = self._proxy.answer(request, self._url_of(request), self._read)
            if isinstance(answer, Passage):
                with closing(answer):
                    self._say(answer.status, answer.fields, answer.pieces())
            else:
                self._send(request, answer)
            if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                return
            self._http.start_next_cycle()

    def _request(self) -> Request | None:
        head: h11.Request | None = None
        body: list[bytes] = []
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                if self._http.they_are_waiting_for_100_continue:
                    go_on = h11.InformationalResponse(status_code=100, headers=[])
                    self._connection.sendall(self._http.send(go_on) or b"")
                self._http.receive_data(self._connection.recv(CHUNK))
            elif isinstance(event, h11.Request):
                head = event
                if head.method == b"CONNECT":
                    return _request_of(head, b"")
            elif isinstance(event, h11.Data):
                body.append(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                return _request_of(head, b"".join(body))
            else:
                return None

    def _send(self, request: Request, response: Response) -> None:
        fields = [*response.fields(), ("Content-Length", str(len(response.body)))]
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields]
        head = h11.Response(status_code=response.status, headers=headers)
        body = [h11.Data(data=response.body)] if request.method != "HEAD" else []
        self._tell(head, *body, h11.EndOfMessage())  # at once: axios reads no further than the first bytes of a refusal

    def _say(self, status: int, fields: list[tuple[bytes, bytes]], pieces: Iterable[bytes]) -> None:
        """Send an answer, each piece of its body at once."""
        self._tell(h11.Response(status_code=status, headers=fields))
        for piece in pieces:
            self._tell(h11.Data(data=piece))
        self._tell(h11.EndOfMessage())

    def _tell(self, *events: h11.Event) -> None:
        self._connection.sendall(b"".join([self._http.send(event) or b"" for event in events]))

    def _read(self, connection: socket.socket) -> bytes:
        """Wait for bytes of a connection while the client is there. ClientLeft."""
        while connection not in wait_for(connection, self._connection):
            sent = self._connection.recv(CHUNK)
            if not sent:
                raise ClientLeft
            self._http.receive_data(sent)  # its next request, before it has the answer to this one
        return connection.recv(CHUNK)


def _request_of(head: h11.Request, body: bytes) -> Request:
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers]
    return Request(head.method.decode(), head.target.decode("latin-1"), headers, body)


def _message(status: int, code: str, text: str) -> Response:
    body = json.dumps({"error": {"code": code, "message": text}}).encode()
    return Response(status, {"content-type": "application/json"}, body)


def _end_tls(encrypted: ssl.SSLSocket) -> None:
    """Say that nothing follows, so that the client takes a dropped answer for that and not for an attack."""
    with suppress(OSError, ValueError):
        encrypted.settimeout(END_S)
        encrypted.unwrap()


def _pump(one: socket.socket, other: socket.socket) -> None:
    """Copy both ways until one side ends."""
    back = threading.Thread(target=_copy, args=(other, one), daemon=True)
    back.start()
    _copy(one, other)
    back.join()


def _copy(source: socket.socket, to: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(CHUNK):
            to.sendall(data)
    with suppress(OSError):
        to.shutdown(socket.SHUT_WR)
