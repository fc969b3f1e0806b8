"""What threads wait with: locks, conditions, events and queues, with the members that the product uses."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from queue import Empty
from typing import TypeVar

from tests.simulation.scheduler import Scheduler, Task

T = TypeVar("T")


class Lock:
    """A lock, which any waiting thread may get next."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._is_held = False
        self._waiting: list[Task] = []

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock; False if that takes too long."""
        scheduler = self._scheduler
        scheduler.point()
        until_s = scheduler.now_s + timeout
        while self._is_held:
            if not blocking or (timeout >= 0 and scheduler.now_s >= until_s):
                return False
            task = scheduler.check_alive()
            self._waiting.append(task)
            if not scheduler.wait(None if timeout < 0 else until_s - scheduler.now_s):
                self._waiting.remove(task)
        self._is_held = True
        return True

    def release(self) -> None:
        """Give the lock back."""
        if not self._is_held:
            raise RuntimeError("release unlocked lock")
        self._is_held = False
        waiting = self._waiting
        if waiting:
            self._scheduler.wake(waiting.pop(int(self._scheduler.random.random() * len(waiting))))
        self._scheduler.point()

    def locked(self) -> bool:
        """Whether a thread holds it."""
        return self._is_held

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class Condition:
    """A condition with a lock of its own, which its thread may take several times."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler, self._lock = scheduler, Lock(scheduler)
        self._owner: Task | None = None
        self._depth = 0
        self._waiting: deque[Task] = deque()

    def __enter__(self) -> bool:
        if self._owner is not self._scheduler.current or self._owner is None:
            self._lock.acquire()
            self._owner = self._scheduler.current
        self._depth += 1
        return True

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._owner = None
            self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait to be notified; whether it was."""
        task, depth = self._scheduler.check_alive(), self._depth
        self._waiting.append(task)
        self._owner, self._depth = None, 0
        self._lock.release()
        try:
            was_woken = task not in self._waiting or self._scheduler.wait(timeout)
        finally:
            if task in self._waiting:
                self._waiting.remove(task)
        self._lock.acquire()
        self._owner, self._depth = task, depth
        return was_woken

    def wait_for(self, holds: Callable[[], T], timeout: float | None = None) -> T:
        """Wait until something holds, or for a time."""
        until_s = None if timeout is None else self._scheduler.now_s + timeout
        result = holds()
        while not result:
            left_s = None if until_s is None else until_s - self._scheduler.now_s
            if left_s is not None and left_s <= 0:
                break
            self.wait(left_s)
            result = holds()
        return result

    def notify(self, n: int = 1) -> None:
        """Wake so many of those that wait."""
        for _ in range(min(n, len(self._waiting))):
            self._scheduler.wake(self._waiting.popleft())

    def notify_all(self) -> None:
        """Wake all."""
        self.notify(len(self._waiting))


class Event:
    """A flag to wait for."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._changed = Condition(scheduler)
        self._is_set = False

    def is_set(self) -> bool:
        """Whether it is set."""
        return self._is_set

    def set(self) -> None:
        """Set it."""
        with self._changed:
            self._is_set = True
            self._changed.notify_all()

    def clear(self) -> None:
        """Take it back."""
        with self._changed:
            self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is set, or for a time; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_set, timeout)


class Queue:
    """A queue without a bound. Its `put` never waits, so that a signal handler may call it."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._items: deque[None] = deque()
        self._waiting: list[Task] = []

    def put(self, item: None) -> None:
        """Add an item."""
        self._items.append(item)
        if self._waiting:
            self._scheduler.wake(self._waiting.pop(0))
        self._scheduler.point()

    def get(self, *, timeout: float | None = None) -> None:
        """Take the oldest item. Empty after a time."""
        scheduler = self._scheduler
        scheduler.point()
        until_s = None if timeout is None else scheduler.now_s + timeout
        while not self._items:
            left_s = None if until_s is None else until_s - scheduler.now_s
            if left_s is not None and left_s <= 0:
                raise Empty
            task = scheduler.check_alive()
            self._waiting.append(task)
            if not scheduler.wait(left_s) and task in self._waiting:
                self._waiting.remove(task)
        self._items.popleft()
