"""The threads of the server, by the Leader/Followers pattern: the leader waits for events and answers what it reads.

A call therefore costs no hand-over between threads, each of which waits for the interpreter lock and, on a busy
machine, for the system's scheduler. Only a call that waits (`lend`), or takes longer than TAKEOVER_S, costs one: a
follower becomes the leader, and the thread that answers the call becomes a follower when it is done.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty

from giftsim.engine.system import System

TAKEOVER_S = 0.005
QUIET_ROUNDS = 20  # of TAKEOVER_S without a call, after which the first follower sleeps until the next one
SPARE = 4  # followers that are kept
STOP_S = 2.0
AFTER_FAILURE_S = 0.1
NO_THREAD = "the system has no thread left (%s): calls that wait are refused until it has; raise the limit (ulimit -u)"
LOGGER = logging.getLogger("giftsim")


class ServerThreads:
    """Threads that take turns at leading. The leader runs `lead`, which returns once another thread leads.

    `on_takeover` is called when a follower takes over in the middle of a call of the leader.
    """

    def __init__(self, lead: Callable[[], None], on_takeover: Callable[[], None], system: System) -> None:
        self._lead, self._on_takeover = lead, on_takeover
        self._monotonic, self._start_thread = system.monotonic, system.start_thread
        self._thread_id = system.thread_id
        self._lock = system.lock()
        self._leader: int | None = None
        self._call_since = 0.0  # when the leader began to answer its call; 0 between calls
        self._calls = 0
        self._followers = 0
        self._members: set[int] = set()
        self.held = 0  # threads that wait in the middle of a call, but not for a lock
        self._first_follower = system.lock()  # whoever holds it watches the leader
        self._watch_sleeps = False
        self._signals = system.queue()
        self._has_stopped = system.event()
        self._lacks_threads = False
        self.is_stopping = False

    def start(self) -> None:
        """Start the first thread, which becomes the leader. RuntimeError if the system has none."""
        self._followers += 1
        self._start_thread(self._work, "server")

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
            if self._leader != self._thread_id():
                return False
            self._call_since = 0.0
            return True

    @contextmanager
    def lend(self, *, for_lock: bool = False) -> Iterator[None]:
        """Have a follower take over while this thread waits, if it is the leader and there is one.

        A wait `for_lock` ends when another call does. Any other may last as long as somebody outside likes.
        """
        me = self._thread_id()
        is_held = me in self._members and not for_lock
        self.can_lend()
        with self._lock:
            self.held += is_held
            if self._leader == me and self._followers:
                self._take_lead_away()
                self._signals.put(None)
        try:
            yield
        finally:
            with self._lock:
                self.held -= is_held

    def can_lend(self) -> bool:
        """Whether others are served while this thread waits. Starts a follower if there is none."""
        with self._lock:
            if self._followers or self._leader != self._thread_id():
                return True
        return self._add_follower()

    def _add_follower(self) -> bool:
        """Start a follower; False if the system has no thread left."""
        with self._lock:
            self._followers += 1
        try:
            self._start_thread(self._work, "server")
        except (RuntimeError, OSError, MemoryError) as error:
            with self._lock:
                self._followers -= 1
            if not self._lacks_threads:
                LOGGER.warning(NO_THREAD, error)
            self._lacks_threads = True
            return False
        self._lacks_threads = False
        return True

    def _take_lead_away(self) -> None:
        self._leader, self._call_since = None, 0.0
        self._on_takeover()

    def _work(self) -> None:
        me = self._thread_id()
        self._members.add(me)
        while self._follow():
            self._lead_or_hand_over()
            if not self._rejoin():
                break
        self._members.discard(me)
        with self._lock:
            if self._leader == me:
                self._leader = None
                self._has_stopped.set()

    def _lead_or_hand_over(self) -> None:
        """Lead until another thread takes over. After an unexpected failure, let another thread lead."""
        try:
            self._lead()
        except BaseException:
            LOGGER.exception("a thread of the server failed; another one goes on")
            self._has_stopped.wait(AFTER_FAILURE_S)
            with self._lock:
                if self._leader == self._thread_id():
                    self._take_lead_away()
            self._signals.put(None)  # the first follower may sleep until the next call

    def _rejoin(self) -> bool:
        """Become a follower again; False if there are enough."""
        with self._lock:
            if self._followers > SPARE:
                return False
            self._followers += 1
            return True

    def _follow(self) -> bool:
        """Wait until this thread is the leader; False if the server stops."""
        with self._first_follower:
            while not (self.is_stopping or self._take_over()):
                self._watch()
        with self._lock:
            self._followers -= 1
            is_last = self._followers == 0
        if is_last and not self.is_stopping:
            self._add_follower()
        return not self.is_stopping

    def _take_over(self) -> bool:
        """Become the leader if there is none, or if its call takes long."""
        with self._lock:
            since = self._call_since
            if self._leader is not None and since and self._monotonic() - since > TAKEOVER_S:
                self._take_lead_away()
            if self._leader is None:
                self._leader = self._thread_id()
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
