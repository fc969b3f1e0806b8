"""The lock of a world. It is fair: a plain lock starves callers beside a long advance."""

from __future__ import annotations

import threading
from types import TracebackType

from giftsim.worlds.runtime import Runtime


class WorldLock:
    """A lock with a queue of one. A thread that waits for it is lent to the server meanwhile (G17)."""

    def __init__(self, runtime: Runtime) -> None:
        self._queue = threading.Lock()
        self._lock = threading.Lock()
        self._runtime = runtime
        self.release = self._lock.release  # let the next thread in

    def acquire(self) -> None:
        """Wait in the queue, then for the lock."""
        if self._queue.acquire(False):
            if self._lock.acquire(False):
                self._queue.release()
                return
            self._queue.release()
        with self._runtime.lend_thread(), self._queue:
            self._lock.acquire()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
