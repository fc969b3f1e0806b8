"""The lock of a world: fair, since a plain lock starves callers beside a long advance (kernel design, section 5)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType

Lend = Callable[[], AbstractContextManager[object]]


class WorldLock:
    """A lock behind a turnstile. Whoever waits for it lends its thread to the server meanwhile (G17)."""

    def __init__(self, lend: Lend = nullcontext) -> None:
        self._turn = threading.Lock()
        self._lock = threading.Lock()
        self.lend = lend

    def acquire(self) -> None:
        """Wait for one's turn, then for the world."""
        if self._turn.acquire(blocking=False):
            if self._lock.acquire(blocking=False):
                self._turn.release()
                return
            self._turn.release()
        with self.lend(), self._turn:
            self._lock.acquire()

    def release(self) -> None:
        """Let the next caller in."""
        self._lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
