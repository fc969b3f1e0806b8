"""The threads of the server, by the Leader/Followers pattern: the leader waits for events and answers what it reads.

A call therefore costs no hand-over between threads, each of which waits for the interpreter lock and, on a busy
machine, for the system's scheduler. Only a call that waits (`lend`), or takes longer than TAKEOVER_S, costs one: a
follower becomes the leader, and the thread that answers the call becomes a follower when it is done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import get_ident

from giftsim.server.system import System

TAKEOVER_S = 0.005
QUIET_ROUNDS = 20  # of TAKEOVER_S without a call, after which the first follower sleeps until the next one
SPARE = 4  # followers that are kept
STOP_S = 2.0


class ServerThreads:
    """Threads of which one at a time, the leader, runs `lead`. It returns when its thread has lost the lead.

    `on_takeover` is called when a follower takes over in the middle of a call of the leader.
    """

    def __init__(self, lead: Callable[[], None], on_takeover: Callable[[], None], system: System) -> None:
        self._lead, self._on_takeover = lead, on_takeover
        self._monotonic, self._start_thread = system.monotonic, system.start_thread
        self._lock = threading.Lock()
        self._leader: int | None = None
        self._call_since = 0.0  # when the leader began to answer its call; 0 between calls
        self._calls = 0
        self._followers = 0
        self._members: set[int] = set()
        self.held = 0  # threads that wait in the middle of a call, but not for a lock
        self._first_follower = threading.Lock()  # whoever holds it watches the leader
        self._watch_sleeps = False
        self._signals: SimpleQueue[None] = SimpleQueue()
        self._has_stopped = threading.Event()
        self.is_stopping = False

    def start(self) -> None:
        """Start the first thread, which becomes the leader."""
        self._start_thread(self._work)

    def stop(self, wake_leader: Callable[[], None]) -> None:
        """Have all threads end once they have answered their calls. When this returns, none is the leader."""
        self.is_stopping = True
        self._signals.put(None)
        wake_leader()
        with self._lock:
            if self._call_since:
                self._take_lead_away()
            is_waiting = self._leader is not None
        if is_waiting:
            self._has_stopped.wait(STOP_S)

    def begin_call(self) -> None:
        """Note that the leader begins to answer a call."""
        self._calls += 1
        self._call_since = self._monotonic()
        if self._watch_sleeps:
            self._watch_sleeps = False
            self._signals.put(None)

    def end_call(self) -> bool:
        """Note that this thread has answered its call; whether it is still the leader."""
        with self._lock:
            if self._leader != get_ident():
                return False
            self._call_since = 0.0
            return True

    @contextmanager
    def lend(self, *, for_lock: bool = False) -> Iterator[None]:
        """Have a follower take over while this thread waits, if it is the leader.

        A wait `for_lock` ends when another call does. Any other may last as long as somebody outside likes.
        """
        me = get_ident()
        is_held = me in self._members and not for_lock
        with self._lock:
            self.held += is_held
            if self._leader == me:
                self._take_lead_away()
                self._signals.put(None)
        try:
            yield
        finally:
            with self._lock:
                self.held -= is_held

    def _take_lead_away(self) -> None:
        self._leader, self._call_since = None, 0.0
        self._on_takeover()

    def _work(self) -> None:
        me = get_ident()
        self._members.add(me)
        while self._follow():
            self._lead()
        self._members.discard(me)
        with self._lock:
            if self._leader == me:
                self._leader = None
                self._has_stopped.set()

    def _follow(self) -> bool:
        """Wait until this thread is the leader; False if it is not needed."""
        with self._lock:
            if self._followers > SPARE:
                return False
            self._followers += 1
        with self._first_follower:
            while not (self.is_stopping or self._take_over()):
                self._watch()
        with self._lock:
            self._followers -= 1
            is_last = self._followers == 0
        if is_last and not self.is_stopping:
            self._start_thread(self._work)
        return not self.is_stopping

    def _take_over(self) -> bool:
        """Become the leader if there is none, or if its call takes long."""
        with self._lock:
            since = self._call_since
            if self._leader is not None and since and self._monotonic() - since > TAKEOVER_S:
                self._take_lead_away()
            if self._leader is None:
                self._leader = get_ident()
                return True
            return False

    def _watch(self) -> None:
        """Wait until it is worth another look at the leader. While no calls arrive, sleep until the next one."""
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
