"""The event loop: it waits until connections can be read or written, and the leading thread serves their requests."""

from __future__ import annotations

import logging
import selectors
import socket
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress

from giftsim.engine.server.connection import Connection
from giftsim.engine.server.threads import ServerThreads
from giftsim.engine.system import System

GRACE_S = 0.2
LAST_ROUNDS = 3  # in which requests that have arrived are still taken
LOGGER = logging.getLogger("giftsim")


class EventLoop:
    """The connections, and the events to handle. `between_rounds` is called whenever all events are handled.

    Only the leading thread runs it. While another thread serves a connection, the loop does not wait for it.
    """

    def __init__(self, listening: socket.socket, between_rounds: Callable[[], None], system: System) -> None:
        self.connections: dict[Connection, None] = {}  # in the order in which they were opened
        self.threads = ServerThreads(self._lead, self._release_served, system)
        self.has_arrivals = False
        self.longest_wait_s = 1.0
        self._listening, self._between_rounds, self._monotonic = listening, between_rounds, system.monotonic
        self._listens = False
        self._selector = system.selector()
        self._wakes, self._wake_end = system.socketpair()
        for end in (self._wakes, self._wake_end):
            end.setblocking(False)
        self._selector.register(self._wakes, selectors.EVENT_READ)
        self._ready: deque[tuple[Connection, int]] = deque()
        # Each has a request that arrived with an earlier one. None is in it twice: two threads would serve it at once.
        self._pipelined: OrderedDict[Connection, None] = OrderedDict()
        self._returned: deque[Connection] = deque()  # served by a thread that has lost the lead
        self._has_returned = system.event()
        self._served: Connection | None = None
        self._is_polling = self._is_closed = False
        self._last_rounds: int | None = None  # left before no new calls are taken

    def listen(self, *, listens: bool) -> None:
        """Begin or cease to wait for new connections."""
        if listens and not self._listens:
            self._selector.register(self._listening, selectors.EVENT_READ)
        elif self._listens and not listens:
            self._selector.unregister(self._listening)
        self._listens = listens

    def add(self, connection: Connection) -> None:
        """Wait for requests on a new connection."""
        self.connections[connection] = None
        self._settle_safely(connection)

    def end(self, connection: Connection, reason: str) -> None:
        """Close a connection at once, or have the thread that serves it close it."""
        connection.end(reason)
        if not connection.is_served:
            self._close(connection)

    def take_no_new_calls(self) -> None:
        """Answer the calls that have arrived, and no others. Each connection closes after its response."""
        self._last_rounds = LAST_ROUNDS
        self.wake()

    @property
    def is_answering(self) -> bool:
        """Whether there are calls to answer, except those that wait for something outside."""
        if self._last_rounds != 0:
            return True
        return sum(connection.is_answering for connection in list(self.connections)) > self.threads.held

    def wait_for_answer(self, limit_s: float) -> None:
        """Wait until a call is answered, at most for `limit_s`."""
        self._has_returned.wait(limit_s)
        self._has_returned.clear()

    def wake(self) -> None:
        """Have the leading thread look for work at once."""
        if self._is_polling:
            with suppress(OSError):  # it is woken already, or the server has stopped
                self._wake_end.send(b"\0")

    def close(self) -> None:
        """Stop listening and close every connection. Calls in progress have GRACE_S to be answered."""
        self._close_returned()
        deadline_s = self._monotonic() + GRACE_S
        while self.connections and self._monotonic() < deadline_s:
            self.wait_for_answer(GRACE_S)
            self._close_returned()
        self._is_closed = True
        self._close_returned()
        for connection in self.connections:
            connection.end("the simulator has stopped")
        for own in (self._listening, self._selector, self._wakes, self._wake_end):
            own.close()

    def _lead(self) -> None:
        """Handle events. Between two rounds, one of the pipelined requests is served."""
        while not self.threads.is_stopping:
            if not self._ready:
                self._poll()
                if self._pipelined:
                    self._ready.append((self._pipelined.popitem(last=False)[0], 0))
            elif not self._handle_safely(*self._ready.popleft()):
                return

    def _poll(self) -> None:
        self._is_polling = True
        while self._returned:
            connection = self._returned.popleft()
            connection.is_served = False
            self._settle_safely(connection)
        if self._last_rounds:
            self._last_round()
        elif self._last_rounds is None:
            self._between_rounds()
        has_work = self._ready or self._pipelined or self._returned or self.has_arrivals
        waits = not (has_work or self._last_rounds or self.threads.is_stopping)
        for key, mask in self._selector.select(self.longest_wait_s if waits else 0):
            if key.data is not None:
                self._ready.append((key.data, mask))
            elif key.fileobj is self._listening:
                self.has_arrivals = True
            else:
                self._wakes.recv(1024)
        self._is_polling = False

    def _last_round(self) -> None:
        """Take calls once more. After the last time, listen no more and close the connections without a call."""
        self._between_rounds()
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
        """Handle one event; whether the thread is still the leader. An unexpected failure ends this connection only."""
        try:
            return self._handle(connection, mask)
        except BaseException:
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
        """Handle one event; whether the thread is still the leader."""
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
        """Give a connection back to the thread that is the leader now."""
        if self._is_closed:
            connection.socket.close()
        self._returned.append(connection)
        self._has_returned.set()
        self.wake()

    def _close_returned(self) -> None:
        while self._returned:
            self._returned.popleft().is_served = False
        for connection in list(self.connections):
            if not connection.is_served:
                self._close(connection)

    def _release_served(self) -> None:
        """Wait no more for the connection that is being served, because another thread takes over."""
        if self._served is not None and self._served.is_served:
            self._wait_for(self._served, 0)

    def _settle(self, connection: Connection) -> None:
        """Serve the next request of a connection in its turn, wait for it, or close it."""
        if connection.can_serve:
            self._wait_for(connection, 0)  # what it sends on is read when these requests are answered
            self._pipelined[connection] = None
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
        self.connections.pop(connection, None)
        connection.socket.close()
