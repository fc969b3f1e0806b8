"""One connection: what has arrived on it, the requests in that, and what is still to be sent.

The leading thread reads and writes it, except while a request is served: then the thread that serves it does.
"""

from __future__ import annotations

import logging
import selectors
import socket
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from enum import Enum
from typing import Any, NamedTuple

from giftsim.engine.server.request_parser import Refusal, Request, RequestParser
from giftsim.engine.server.response import DateHeader, Response, refusal_bytes
from giftsim.engine.system import System

RECEIVE = 64 * 1024
MOST_UNREAD = 1024 * 1024
MOST_EARLY = 256 * 1024
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
TOO_SLOW = (
    "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Content-Length: {length}\r\nX-Request-Id: {request_id}\r\n\r\n{reason}"
)
RESERVED = Refusal("too many connections are busy; try again, or release held calls", 503)
LOGGER = logging.getLogger("giftsim")


class Application(NamedTuple):
    """A WSGI application, and what the server has to know about it.

    Its environment has `giftsim.is_client_gone`, a function that says whether the client has closed the connection.
    It raises `dropped` to have the connection closed without an answer. It refuses bodies of more than
    `max_body_bytes`. `separator` gives the text between the values of a header that is sent more than once, by its
    name. Calls whose paths start with `reserved` are served even if all other connections are busy. `new_request_id`
    makes the id of a request that the server itself answers.
    """

    wsgi: Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
    dropped: type[Exception]
    max_body_bytes: int
    separator: Callable[[str], str]
    reserved: str
    new_request_id: Callable[[], str]


class Service(NamedTuple):
    """What all connections of a server share. `environ` is the WSGI environment with which every request starts."""

    application: Application
    environ: dict[str, Any]
    lend: Callable[[], AbstractContextManager[None]]
    can_lend: Callable[[], bool]
    system: System
    date: DateHeader
    send_s: float
    parser: Callable[..., RequestParser] = RequestParser


class Phase(Enum):
    """What a connection is doing, in the order in which connections give way."""

    ARRIVING = 0  # the header of a request has arrived in part
    ARRIVING_BODY = 1
    DRAINING = 2  # the rest of a refused request is read and dropped
    IDLE = 3  # nothing of the next request has arrived
    SENDING = 4  # the client has not read the response yet
    PIPELINING = 5  # several requests wait to be served
    BUSY = 6  # a request is being served


class Activity(NamedTuple):
    """The phase of a connection, when it began, and how many bytes of a body have arrived."""

    phase: Phase
    since_s: float
    body_bytes: int = 0


class ClientGone(Exception):
    """The client has closed the connection, or does not read on."""


class Connection:
    """A connection. If it `is_reserved`, it serves only the paths that the application reserves."""

    def __init__(self, sock: socket.socket, service: Service, *, is_reserved: bool) -> None:
        self.socket, self._service, self._is_reserved = sock, service, is_reserved
        self.date, self._monotonic = service.date, service.system.monotonic
        self.requests: deque[Request] = deque()
        application = service.application
        self._parser = service.parser(
            service.environ, self.requests.append, application.max_body_bytes, application.separator
        )
        self.interest = 0  # what the event loop waits for, of selectors.EVENT_READ and EVENT_WRITE
        self._unsent: deque[memoryview] = deque()
        self._early: list[bytes] = []  # arrived while a request was served
        self._unsent_bytes = 0
        self._is_lost = self._has_ended = self._closes = self._drains_then = self._drains = False
        self.is_served = self.is_ending = self._is_blocked = False
        self._idle_s = self._began_s = self._sent_s = self._drained_s = self._monotonic()

    # Called by the leading thread.

    @property
    def is_over(self) -> bool:
        """Whether it can be closed."""
        if self._is_lost or (self.is_ending and not self.is_answering):
            return True
        return not self._unsent and (self._closes or (self._has_ended and not self.requests))

    @property
    def can_serve(self) -> bool:
        """Whether a request has arrived, and the responses before it are sent."""
        return bool(self.requests) and not (self._unsent or self._is_lost or self._closes)

    @property
    def is_answering(self) -> bool:
        """Whether a request has arrived whose response is not sent."""
        return bool(self.is_served or self.requests or self._unsent)

    @property
    def wanted(self) -> int:
        """The selector event to wait for: the client reads on, or it sends."""
        return selectors.EVENT_WRITE if self._unsent else selectors.EVENT_READ

    @property
    def activity(self) -> Activity:
        """What the connection is doing."""
        if self._drains:
            return Activity(Phase.DRAINING, self._drained_s)
        if self._is_blocked or (self._unsent and not self.is_served):
            return Activity(Phase.SENDING, max(self._sent_s, self._began_s, self._idle_s))
        if self.is_served or self.requests:
            is_pipelining = not self.is_served and len(self.requests) > 1
            return Activity(Phase.PIPELINING if is_pipelining else Phase.BUSY, self._began_s)
        if not self._parser.has_begun or self._parser.is_over:
            return Activity(Phase.IDLE, self._idle_s)
        phase = Phase.ARRIVING_BODY if self._parser.has_header else Phase.ARRIVING
        return Activity(phase, self._began_s, self._parser.body_bytes)

    def receive(self) -> None:
        """Parse what has arrived."""
        try:
            data = self._received()
        except (BlockingIOError, InterruptedError):
            return
        if data:
            self._parse(data)

    def _received(self) -> bytes:
        """The next bytes; none at the end of what the client sends, or if the connection is lost."""
        data = b""
        try:
            data = self.socket.recv(RECEIVE)
        except (BlockingIOError, InterruptedError):
            raise
        except OSError:
            self._is_lost = True
        self._has_ended = not data
        return data

    def _parse(self, data: bytes) -> None:
        parser = self._parser
        if parser.is_over:
            return
        if not parser.has_begun:
            self._began_s = self._monotonic()
        parser.feed(data)
        if parser.expects_continue:
            self._continue()

    def _continue(self) -> None:
        """Have the client send its body, for which it waits to be told, once the requests before it are answered."""
        if not self.requests:
            self._parser.expects_continue = False
            self.send(CONTINUE)

    def flush(self) -> None:
        """Send what was kept."""
        with suppress(BlockingIOError, InterruptedError):
            while self._unsent and not self._is_lost:
                self._send_piece(self._unsent[0])

    def _send_piece(self, piece: memoryview) -> None:
        try:
            sent = self.socket.send(piece)
        except (BlockingIOError, InterruptedError):
            raise
        except OSError:
            self._is_lost = True
            return
        self._sent_s = self._monotonic()
        self._unsent_bytes -= sent
        if sent < len(piece):
            self._unsent[0] = piece[sent:]
        else:
            self._unsent.popleft()

    def drain(self) -> bool:
        """Whether to read on after the last response. A client that is still sending could not read it otherwise."""
        if not self._drains_then or self._is_lost or self._has_ended or self._unsent:
            return False
        if not self._drains:
            self._drains = True
            self._drained_s = self._monotonic()
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
        return True

    def end(self, reason: str) -> None:
        """Close the connection at once. A client whose request is arriving gets a 408 with the reason."""
        if self.activity.phase in (Phase.ARRIVING, Phase.ARRIVING_BODY):
            with suppress(OSError):
                request_id = self._service.application.new_request_id()
                self.socket.send(TOO_SLOW.format(length=len(reason), request_id=request_id, reason=reason).encode())
        self.abort()

    def abort(self) -> None:
        """Send and receive nothing more."""
        self._is_lost = True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    # Called by the thread that serves a request.

    @property
    def is_last(self) -> bool:
        """Whether the connection ends with this request. Requests that have arrived are answered before the end."""
        return self._is_reserved or (self.is_ending and not self.requests)

    def serve(self) -> None:
        """Answer the next request."""
        request = self.requests.popleft()
        refusal = request.refusal
        if self._is_reserved and refusal is None and not self._is_allowed(request):
            refusal = RESERVED
        if refusal is not None:
            self._refuse(refusal, with_body=request.environ["REQUEST_METHOD"] != "HEAD")
            self._closes = True
        else:
            self._closes = not self._respond(request)
        self._drains_then = request.drains
        self._idle_s = self._monotonic()
        if not self._closes:
            self._read_on()

    def _refuse(self, refusal: Refusal, *, with_body: bool = True) -> None:
        request_id = self._service.application.new_request_id()
        self.send(refusal_bytes(refusal, self.date(), request_id, with_body=with_body))

    def _read_on(self) -> None:
        if self._early:
            early, self._early = b"".join(self._early), []
            self._parse(early)
        if self._parser.expects_continue:
            self._continue()

    def _is_allowed(self, request: Request) -> bool:
        return bool(request.environ["PATH_INFO"].startswith(self._service.application.reserved))

    def _respond(self, request: Request) -> bool:
        """Have the application answer; whether the connection stays open."""
        application, response = self._service.application, Response(request, self)
        try:
            response.run(application.wsgi)
        except (application.dropped, ClientGone):
            self._is_lost = True
        except BaseException:  # also SystemExit: this thread serves other connections
            LOGGER.exception("%s %s failed", request.environ["REQUEST_METHOD"], request.environ["PATH_INFO"])
            if not response.has_begun:
                self._refuse(Refusal("the simulator failed; its log says how", 500))
            return False
        return response.keeps_open

    def send(self, data: bytes) -> None:
        """Send bytes, or keep them until the client reads on. A client that is gone gets nothing."""
        if self._unsent:
            self.flush()  # a stream has no end at which the event loop would send what was kept
        sent = 0
        if not (self._unsent or self._is_lost):
            try:
                sent = self.socket.send(data)
            except (BlockingIOError, InterruptedError):
                sent = 0
            except OSError:
                self._is_lost = True
        if self._is_lost or sent == len(data):
            return
        self._unsent.append(memoryview(data)[sent:])
        self._unsent_bytes += len(data) - sent

    def wait_for_client(self) -> None:
        """Wait while the client has too much to read. ClientGone if it is gone or does not read on."""
        if self._unsent_bytes > MOST_UNREAD:
            self._wait_until_sent()
        if self._is_lost:
            raise ClientGone

    def look_for_client(self) -> None:
        """Send what was kept. ClientGone if the client is gone: a response that sends nothing would not notice."""
        self.flush()
        if self.is_client_gone():
            raise ClientGone

    def is_client_gone(self) -> bool:
        """Whether the client has closed the connection.

        What it sent after this request is kept for later, up to MOST_EARLY bytes: a bound for those who never stop.
        """
        with suppress(BlockingIOError, InterruptedError):
            while not (self._is_lost or self._has_ended) and sum(map(len, self._early)) < MOST_EARLY:
                self._early.append(self._received())
        return self._is_lost or self._has_ended

    def _wait_until_sent(self) -> None:
        service = self._service
        self._is_blocked = True
        with service.lend(), service.system.selector() as selector:
            selector.register(self.socket, selectors.EVENT_WRITE)
            while self._unsent and not self._is_lost:
                if not selector.select(service.send_s if service.can_lend() else 0):
                    self._is_lost = True
                self.flush()
        self._is_blocked = False
