"""The threads of the server. One leads: it waits for events, and answers the calls that arrive itself.

So a call costs no hand-over from thread to thread, each of which waits for the interpreter lock and, on a busy machine,
for the system's scheduler. Only a call that waits (`lend`), or takes longer than TAKEOVER_S, costs one: another thread
leads from then on, and the one that answers waits for its turn when it is done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import get_ident

from giftsim.worlds import system_clock

TAKEOVER_S = 0.005
QUIET_ROUNDS = 20
SPARE = 4
STOP_S = 2.0


class ServerThreads:
    """Threads, of which one at a time runs `lead`, until it returns because it leads no more.

    `let_go` is called when another thread takes over, in the middle of a call of the old one.
    """

    def __init__(self, lead: Callable[[], None], let_go: Callable[[], None]) -> None:
        self._lead, self._let_go = lead, let_go
        self._lock = threading.Lock()
        self._leader: int | None = None
        self._call_since = 0.0  # since when the leader is answering a call, or 0
        self._calls = 0
        self._waiting = 0  # threads that wait to lead
        self._members: set[int] = set()
        self.lent = 0  # threads that wait in the middle of a call
        self._turn = threading.Lock()  # the first of them: it watches the leader
        self._watch_sleeps = False
        self._signals: SimpleQueue[None] = SimpleQueue()
        self._has_stopped = threading.Event()
        self.is_stopping = False

    def start(self) -> None:
        """Start the first thread, which leads."""
        self._add_thread()

    def stop(self, wake_leader: Callable[[], None]) -> None:
        """Have all threads end once they have answered their calls. At the return none leads."""
        self.is_stopping = True
        self._signals.put(None)
        wake_leader()
        with self._lock:
            if self._call_since:
                self._depose()
            is_waiting = self._leader is not None
        if is_waiting:
            self._has_stopped.wait(STOP_S)

    def begin_call(self) -> None:
        """The leader is about to answer a call."""
        self._calls += 1
        self._call_since = system_clock.monotonic()
        if self._watch_sleeps:
            self._watch_sleeps = False
            self._signals.put(None)

    def end_call(self) -> bool:
        """The call is answered; whether the thread still leads."""
        with self._lock:
            if self._leader != get_ident():
                return False
            self._call_since = 0.0
            return True

    @contextmanager
    def lend(self) -> Iterator[None]:
        """Have another thread lead while this one waits, if it leads."""
        me = get_ident()
        is_member = me in self._members
        with self._lock:
            self.lent += is_member
            if self._leader == me:
                self._depose()
                self._signals.put(None)
        try:
            yield
        finally:
            with self._lock:
                self.lent -= is_member

    def _depose(self) -> None:
        self._leader, self._call_since = None, 0.0
        self._let_go()

    def _add_thread(self) -> None:
        threading.Thread(target=self._work, name="server", daemon=True).start()

    def _work(self) -> None:
        me = get_ident()
        self._members.add(me)
        while self._await_turn():
            self._lead()
        self._members.discard(me)
        with self._lock:
            if self._leader == me:
                self._leader = None
                self._has_stopped.set()

    def _await_turn(self) -> bool:
        """Wait until this thread leads; False for one that is not needed."""
        with self._lock:
            if self._waiting > SPARE:
                return False
            self._waiting += 1
        with self._turn:
            while not (self.is_stopping or self._take_over()):
                self._watch()
        with self._lock:
            self._waiting -= 1
            needs_watch = self._waiting == 0
        if needs_watch and not self.is_stopping:
            self._add_thread()
        return not self.is_stopping

    def _take_over(self) -> bool:
        """Lead, if there is no leader or it is busy for long."""
        with self._lock:
            since = self._call_since
            if self._leader is not None and since and system_clock.monotonic() - since > TAKEOVER_S:
                self._depose()
            if self._leader is None:
                self._leader = get_ident()
                return True
            return False

    def _watch(self) -> None:
        """Let some time pass. While no calls arrive the thread sleeps until there is one."""
        for _ in range(QUIET_ROUNDS):
            seen = self._calls
            try:
                return self._signals.get(timeout=TAKEOVER_S)
            except Empty:
                if self._call_since or self._calls != seen:
                    return None
        self._watch_sleeps = True
        if not (self._call_since or self.is_stopping):
            self._signals.get()
        self._watch_sleeps = False
        return None
