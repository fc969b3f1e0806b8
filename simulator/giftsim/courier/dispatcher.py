"""Runs jobs on threads that start when a job may run, and end when there is nothing to do for a moment."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Hashable, Iterable

from giftsim.courier.fair_queue import FairQueue, Job, Lane

LINGER_S = 1.0

Started = tuple[Lane, Job]


class Dispatcher:
    """A fair queue with its threads; a job must not raise."""

    def __init__(self, linger_s: float = LINGER_S) -> None:
        self._linger_s = linger_s
        self._queue = FairQueue()
        self._changed = threading.Condition()
        self._handed: deque[Started] = deque()
        self._idle, self._names, self._closed = 0, 0, False

    def submit(self, jobs: Iterable[tuple[Hashable, Hashable, int, Job]]) -> None:
        """Run jobs as soon as it is their turn; each has its group, its lane, and the most that run in that lane."""
        with self._changed:
            for group, lane, limit, job in jobs:
                self._queue.put(group, lane, limit, job)
            while started := self._queue.take():
                self._hand_out(started)

    def close(self) -> None:
        """Let idle threads end. Jobs that are queued run on."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _hand_out(self, started: Started) -> None:
        if self._idle > len(self._handed):
            self._handed.append(started)
            self._changed.notify()
            return
        self._names += 1
        threading.Thread(target=self._run, args=(started,), name=f"courier-{self._names}", daemon=True).start()

    def _run(self, started: Started | None) -> None:
        while started is not None:
            lane, job = started
            job()
            started = self._next(lane)

    def _next(self, ended: Lane) -> Started | None:
        """The job that may run now that one has ended, or another one that comes soon; None ends the thread."""
        with self._changed:
            self._queue.done(ended)
            if started := self._queue.take():
                return started
            self._idle += 1
            self._changed.wait_for(lambda: self._handed or self._closed, self._linger_s)
            self._idle -= 1
            return self._handed.popleft() if self._handed else None
