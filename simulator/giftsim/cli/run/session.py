"""One connection to the proxy of `run`, with or without TLS: its requests, or the tunnel that it becomes.

Requests are read and answered as those of `serve` are, by the same parser and the same kind of connection.
"""

from __future__ import annotations

import selectors
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from functools import partial
from typing import Any

from giftsim.cli.run.forwarder import FIELDS, REFUSED, TARGET, TUNNEL, Environ, Forwarder
from giftsim.cli.run.passage import CHUNK, PASS_S
from giftsim.engine.client.response import Response
from giftsim.engine.server.connection import Activity, Connection, Phase, Service
from giftsim.engine.server.request_parser import AUTHORITY, NO_PROXY, NOT_A_TARGET, RequestParser
from giftsim.testing.routing import Origin

TLS_HANDSHAKE = b"\x16"
HANDSHAKE_S = 120.0  # of a client that has little of a busy machine
ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
HTTP2_PREFACE = b"PRI * HTTP/2"
NOTHING_RESERVED = " "  # no path starts with it
OF_CERTIFICATES = ("UNKNOWN_CA", "BAD_CERTIFICATE", "CERTIFICATE_UNKNOWN")  # in the names of TLS alerts
# It waits for one or two sockets, and takes no descriptor as epoll does.
Selector: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)


class ProxyParser(RequestParser):
    """Parses requests to a proxy: their targets may be whole URLs and, if it `has_tunnels`, those of CONNECT."""

    def __init__(self, *arguments: Any, has_tunnels: bool, on_http2: Callable[[], None]) -> None:
        self._has_tunnels, self._on_http2 = has_tunnels, on_http2
        super().__init__(*arguments)

    def _reset(self) -> None:
        super()._reset()
        self._fields: list[tuple[str, str]] = []

    def feed(self, data: bytes) -> None:
        """Parse the next bytes."""
        if data.startswith(HTTP2_PREFACE) and not self.has_begun:
            self._on_http2()
        super().feed(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header, also as it was sent."""
        if not self.has_header:
            self._fields.append((name.decode("latin-1"), value.decode("latin-1").strip(" \t")))
        super().on_header(name, value)

    def _fill(self, version: str) -> None:
        super()._fill(version)
        self._environ |= {TARGET: self._target.decode("latin-1"), FIELDS: self._fields}

    def _other_form(self, method: str, target: str) -> str:
        if method == "CONNECT":
            if not self._has_tunnels:
                raise NO_PROXY
            if not AUTHORITY.fullmatch(target):
                raise NOT_A_TARGET
            return target
        is_https = target[:6].lower() == "https:"
        return super()._other_form(method, f"http:{target[6:]}" if is_https else target)


class TlsSocket(ssl.SSLSocket):
    """A socket with TLS that behaves as one without: it says by BlockingIOError that it would have to wait."""

    rejects_certificate = False

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """The next bytes."""
        try:
            return super().recv(buflen, flags)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise BlockingIOError from None
        except ssl.SSLError as error:
            self.rejects_certificate = is_about_certificate(error)
            raise

    def send(self, data: Any, flags: int = 0) -> int:
        """Send some of these bytes."""
        try:
            return super().send(data, flags)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise BlockingIOError from None

    def end(self) -> None:
        """Say that nothing follows, so that the client takes a dropped answer for that and not for an attack."""
        with suppress(OSError, ValueError):
            self.unwrap()


def is_about_certificate(error: Exception) -> bool:
    """Whether TLS failed because the client does not accept the certificate."""
    reason = getattr(error, "reason", None) or ""
    return any(name in reason for name in OF_CERTIFICATES)


class Session:
    """A connection from a client. One that `is_reserved` refuses all requests, because there are too many."""

    def __init__(
        self, client: socket.socket, forwarder: Forwarder, context: ssl.SSLContext | None, *, is_reserved: bool
    ) -> None:
        self._socket, self._forwarder, self._context, self.is_reserved = client, forwarder, context, is_reserved
        self._connection: Connection | None = None
        self._has_answered = False
        self._monotonic = forwarder.simulator.system.monotonic
        self._activity = Activity(Phase.IDLE, self._monotonic())

    @property
    def activity(self) -> Activity:
        """The current activity. A handshake and a tunnel count as a request that is being served."""
        return self._activity if self._connection is None else self._connection.activity

    @property
    def is_undecided(self) -> bool:
        """Whether its end would tell something: no request has come yet, or one is not answered."""
        return not self._has_answered or self.activity.phase is not Phase.IDLE

    def end(self) -> None:
        """Have it end. Any thread may call this."""
        with suppress(OSError):  # not by a method of TLS, whose state belongs to the thread of the session
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def run(self) -> None:
        """Answer until the client ends it, or the simulator drops it."""
        try:
            with suppress(OSError):
                self._converse(None)
        finally:
            self._socket.close()

    def _converse(self, tunnel: Origin | None) -> None:
        """Answer what arrives, which may be in a tunnel to a routed host."""
        first = self._socket.recv(1, socket.MSG_PEEK)
        self._activity = Activity(Phase.BUSY, self._monotonic())
        if first != TLS_HANDSHAKE:
            self._hold("http", tunnel)
        elif self._context is None or not self._forwarder.routes.has_https(tunnel and tunnel.host):
            self._forwarder.refusal(f"https://{tunnel.host}" if tunnel else "a host over https")
        else:
            self._encrypt(self._context, tunnel)

    def _encrypt(self, context: ssl.SSLContext, tunnel: Origin | None) -> None:
        """Answer what arrives with TLS. A client that ends it before its first request is counted."""
        host = tunnel.host if tunnel else self._forwarder.routes.hosts
        self._socket.settimeout(HANDSHAKE_S)
        try:
            encrypted = context.wrap_socket(self._socket, server_side=True)
        except OSError as error:
            self._forwarder.count(self._forwarder.gave_up, (host, is_about_certificate(error)))
            return
        assert isinstance(encrypted, TlsSocket)
        self._socket = encrypted
        requests = self._hold("https", tunnel)
        encrypted.end()
        if not requests:
            self._forwarder.count(self._forwarder.gave_up, (host, encrypted.rejects_certificate))

    def _hold(self, scheme: str, tunnel: Origin | None) -> int:
        """Answer requests, one after the other; how many."""
        self._socket.setblocking(False)
        service = self._service(scheme, tunnel)
        connection = self._connection = Connection(self._socket, service, is_reserved=self.is_reserved)
        requests = 0
        with Selector() as selector:
            key = selector.register(self._socket, selectors.EVENT_READ)
            while True:
                if connection.can_serve:
                    requests += 1
                    if self._becomes_tunnel(connection):
                        break
                    connection.is_served = True
                    connection.serve()
                    connection.is_served, self._has_answered = False, True
                elif connection.is_over and not connection.drain():
                    break
                else:
                    if key.events != connection.wanted:
                        key = selector.modify(self._socket, connection.wanted)
                    selector.select()
                    (connection.receive if connection.wanted == selectors.EVENT_READ else connection.flush)()
        return requests

    def _service(self, scheme: str, tunnel: Origin | None) -> Service:
        """The simulator's service, whose application is the forwarder, and whose threads are those of sessions."""
        forwarder, simulator = self._forwarder, self._forwarder.simulator
        host = tunnel.host if tunnel else forwarder.routes.hosts
        has_tunnels = scheme == "http" and tunnel is None
        return simulator._replace(
            application=simulator.application._replace(wsgi=forwarder, reserved=NOTHING_RESERVED),
            environ={**simulator.environ, "wsgi.url_scheme": scheme, TUNNEL: tunnel},
            lend=nullcontext,
            can_lend=lambda: True,
            system=simulator.system._replace(selector=Selector),
            parser=partial(
                ProxyParser, has_tunnels=has_tunnels, on_http2=lambda: forwarder.count(forwarder.http2, host)
            ),
        )

    def _becomes_tunnel(self, connection: Connection) -> bool:
        """Make a tunnel if the next request asks for one, and wait for its end. False if the request gets an answer."""
        request = connection.requests[0]
        environ: Environ = request.environ
        if self.is_reserved or request.refusal is not None or environ["REQUEST_METHOD"] != "CONNECT":
            return False
        end = self._forwarder.tunnel(environ[TARGET])
        if isinstance(end, Response):
            environ[REFUSED] = end
            return False
        self._connection, self._activity = None, Activity(Phase.BUSY, self._monotonic())
        self._socket.settimeout(PASS_S)
        if isinstance(end, Origin):
            self._socket.sendall(ESTABLISHED)
            self._converse(end)
        else:
            with closing(end):
                end.settimeout(PASS_S)
                self._socket.sendall(ESTABLISHED)
                _pump(self._socket, end)
        return True


def _pump(one: socket.socket, other: socket.socket) -> None:
    """Copy both ways until both sides have ended."""
    back = threading.Thread(target=_copy, args=(other, one), daemon=True)
    try:
        back.start()
    except RuntimeError:  # the system has no thread left
        return
    _copy(one, other)
    back.join()


def _copy(source: socket.socket, to: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(CHUNK):
            to.sendall(data)
    with suppress(OSError):
        to.shutdown(socket.SHUT_WR)
