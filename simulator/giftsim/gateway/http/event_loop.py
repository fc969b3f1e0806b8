"""Waits for what happens on the connections, and has the thread that leads handle it."""

from __future__ import annotations

import logging
import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import cast

from giftsim.gateway.http.connection import Connection
from giftsim.gateway.http.threads import ServerThreads
from giftsim.worlds import system_clock

GRACE_S = 0.2
LAST_ROUNDS = 3
LOGGER = logging.getLogger("giftsim")


class EventLoop:
    """The connections, and which of them are ready. `tend` is called between two rounds, with no event left.

    Only the thread that leads runs it. A connection that another thread serves is not waited for until it is back.
    """

    def __init__(self, listening: socket.socket, tend: Callable[[], None]) -> None:
        self.connections: set[Connection] = set()
        self.threads = ServerThreads(self._lead, self._let_go)
        self.has_arrivals = False
        self.longest_wait_s = 1.0
        self._listening, self._tend = listening, tend
        self._listens = False
        self._selector = selectors.DefaultSelector()
        self._wakes, self._wake_end = socket.socketpair()
        for end in (self._wakes, self._wake_end):
            end.setblocking(False)
        self._selector.register(self._wakes, selectors.EVENT_READ)
        self._ready: deque[tuple[Connection, int]] = deque()
        self._returned: deque[Connection] = deque()  # served by a thread that led no more at the end
        self._has_returned = threading.Event()
        self._served: Connection | None = None
        self._is_polling = self._is_closed = False
        self._last_rounds: int | None = None  # until no new calls are taken

    def listen(self, *, listens: bool) -> None:
        """Wait for new connections, or do not."""
        if listens and not self._listens:
            self._selector.register(self._listening, selectors.EVENT_READ)
        elif self._listens and not listens:
            self._selector.unregister(self._listening)
        self._listens = listens

    def add(self, connection: Connection) -> None:
        """Wait for requests on a new connection."""
        self.connections.add(connection)
        self._settle_safely(connection)

    def end(self, connection: Connection, reason: str) -> None:
        """Close a connection at once, or have the thread that serves it close it."""
        connection.end(reason)
        if not connection.is_served:
            self._close(connection)

    def take_no_more(self) -> None:
        """Answer what has arrived, and then take no new calls. Each connection closes after its response."""
        self._last_rounds = LAST_ROUNDS
        self.wake()

    @property
    def is_answering(self) -> bool:
        """Whether there are calls to answer, beside those that wait themselves."""
        if self._last_rounds != 0:
            return True
        return sum(connection.is_answering for connection in list(self.connections)) > self.threads.lent

    def wait_for_answer(self, limit_s: float) -> None:
        """Wait until a call is answered, or so long."""
        self._has_returned.wait(limit_s)
        self._has_returned.clear()

    def wake(self) -> None:
        """Have the thread that leads look around."""
        if self._is_polling:
            with suppress(OSError):  # enough bytes are there, or the server has stopped
                self._wake_end.send(b"\0")

    def close(self) -> None:
        """Stop listening, and close every connection: one that is served a moment later, so that it can be answered."""
        self._close_returned()
        deadline_s = system_clock.monotonic() + GRACE_S
        while self.connections and system_clock.monotonic() < deadline_s:
            self.wait_for_answer(GRACE_S)
            self._close_returned()
        self._is_closed = True
        self._close_returned()
        for connection in self.connections:
            connection.end("the simulator has stopped")
        for own in (self._listening, self._selector, self._wakes, self._wake_end):
            own.close()

    def _lead(self) -> None:
        while not self.threads.is_stopping:
            if not self._ready:
                self._poll()
            elif not self._handle_safely(*self._ready.popleft()):
                return

    def _poll(self) -> None:
        self._is_polling = True
        while self._returned:
            self._settle_safely(self._returned.popleft())
        if self._last_rounds:
            self._end_soon()
        elif self._last_rounds is None:
            self._tend()
        waits = not (
            self._ready or self._returned or self.has_arrivals or self._last_rounds or self.threads.is_stopping
        )
        for key, mask in self._selector.select(self.longest_wait_s if waits else 0):
            if key.data is not None:
                self._ready.append((cast("Connection", key.data), mask))
            elif key.fileobj is self._listening:
                self.has_arrivals = True
            else:
                self._wakes.recv(1024)
        self._is_polling = False

    def _end_soon(self) -> None:
        self._tend()
        assert self._last_rounds
        self._last_rounds -= 1
        if self._last_rounds:
            return
        for connection in self.connections:
            connection.is_ending = True
        self.listen(listens=False)
        self._listening.close()
        for connection in list(self.connections):
            if not connection.is_served:
                self._settle(connection)

    def _handle_safely(self, connection: Connection, mask: int) -> bool:
        """Handle one event; whether the thread still leads. What fails unexpectedly ends its own connection alone."""
        try:
            return self._handle(connection, mask)
        except Exception:
            LOGGER.exception("a connection failed, and is closed")
            connection.abort()
            if connection.is_served and not self.threads.end_call():
                self._return(connection)
                return False
            connection.is_served = False
            self._close(connection)
            return True

    def _settle_safely(self, connection: Connection) -> None:
        try:
            self._settle(connection)
        except Exception:
            LOGGER.exception("a connection failed, and is closed")
            connection.abort()
            self._close(connection)

    def _handle(self, connection: Connection, mask: int) -> bool:
        """Handle one event; whether the thread still leads."""
        if mask & selectors.EVENT_WRITE:
            connection.flush()
        elif mask:
            connection.receive()
        if connection.can_serve:
            self._served = connection
            connection.is_served = True
            self.threads.begin_call()
            connection.serve()
            if not self.threads.end_call():
                self._return(connection)
                return False
            connection.is_served = False
        self._settle(connection)
        return True

    def _return(self, connection: Connection) -> None:
        """Give a connection back to the thread that leads now."""
        connection.is_served = False  # first: once it is in the list, another thread may serve it again
        if self._is_closed:
            connection.socket.close()
        self._returned.append(connection)
        self._has_returned.set()
        self.wake()

    def _close_returned(self) -> None:
        for connection in list(self.connections):
            if not connection.is_served:
                self._close(connection)

    def _let_go(self) -> None:
        """Wait no more for the connection that is being served: another thread takes over."""
        if self._served is not None:
            self._wait_for(self._served, 0)

    def _settle(self, connection: Connection) -> None:
        """Go on with a connection as its state has it."""
        if connection.can_serve:
            self._ready.append((connection, 0))
        elif not connection.is_over or connection.drain():
            self._wait_for(connection, connection.wanted)
        else:
            self._close(connection)

    def _wait_for(self, connection: Connection, interest: int) -> None:
        if interest == connection.interest:
            return
        if not connection.interest:
            self._selector.register(connection.socket, interest, connection)
        elif interest:
            self._selector.modify(connection.socket, interest, connection)
        else:
            self._selector.unregister(connection.socket)
        connection.interest = interest

    def _close(self, connection: Connection) -> None:
        self._wait_for(connection, 0)
        self.connections.discard(connection)
        connection.socket.close()
