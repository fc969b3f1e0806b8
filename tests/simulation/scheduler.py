"""The scheduler: simulated threads on one real thread, in an order that a seed decides, and a clock that it moves.

Each simulated thread is a greenlet. It runs until it waits, or until one of the points at which another may go on:
every use of a lock, a socket, a file or a queue. Time passes only between steps.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from random import Random  # noqa: TID251 - the seed decides
from typing import Final

from greenlet import GreenletExit, getcurrent, greenlet

STEP_S = 0.00002
SWITCHES = 0.35  # how often another thread may go on at such a point
STALLS = 0.002  # how often the thread is left aside there for LONGEST_STALL_S
LONGEST_STALL_S = 0.03
BASE_S = 1_000.0


class Killed(GreenletExit):  # type: ignore[misc]
    """The process of this thread was killed: it does nothing more."""


class Stuck(Exception):
    """The simulation does not come to its end."""


class Owner:
    """What threads belong to: a process that can be killed, or the world outside of it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_alive = True
        self.tasks: dict[int, Task] = {}


class Task:
    """One simulated thread. `waits` counts its waits, so that a late timer does not end another one."""

    __slots__ = ("greenlet", "is_waiting", "name", "number", "owner", "waits", "was_woken")

    def __init__(self, number: int, name: str, owner: Owner, run: greenlet) -> None:
        self.number, self.name, self.owner, self.greenlet = number, name, owner, run
        self.waits = 0
        self.is_waiting = self.was_woken = False


class Scheduler:
    """Runs the tasks, one step after the other. `now_s` is the simulated time in seconds."""

    def __init__(self, seed: str) -> None:
        self.random: Final = Random(seed)
        self.now_s = BASE_S
        self.steps = 0
        self.current: Task | None = None
        self._hub = getcurrent()
        self._ready: list[Task] = []
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._timer_count = self._task_count = 0
        self.failures: list[BaseException] = []

    def spawn(self, run: Callable[[], None], name: str, owner: Owner) -> Task:
        """Start a thread of an owner."""
        self._task_count += 1
        number = self._task_count

        def body() -> None:
            try:
                run()
            except BaseException as error:  # noqa: BLE001 - reported with the seed
                if owner.is_alive:
                    self.failures.append(error)
            finally:
                owner.tasks.pop(number, None)

        task = Task(number, name, owner, greenlet(body, self._hub))
        owner.tasks[number] = task
        self._ready.append(task)
        return task

    def call_at(self, at_s: float, action: Callable[[], None]) -> None:
        """Do something between two steps, at an instant."""
        self._timer_count += 1
        heappush(self._timers, (at_s, self._timer_count, action))

    def run(self, until: Callable[[], bool], most_steps: int, latest_s: float) -> None:
        """Run until something holds. Stuck after so many steps, or at an instant."""
        last = self.steps + most_steps
        while not until():
            if self.steps > last or self.now_s > latest_s:
                raise Stuck(f"no end after {self.steps} steps and {self.now_s - BASE_S:.3f} s")
            self._step()

    def _step(self) -> None:
        self.now_s += STEP_S
        while self._timers and (self._timers[0][0] <= self.now_s or not self._ready):
            at_s, _, action = heappop(self._timers)
            self.now_s = max(self.now_s, at_s)
            action()
        if not self._ready:
            if not self._timers:
                raise Stuck(f"every thread waits for ever, after {self.steps} steps")
            return
        ready = self._ready
        at = int(self.random.random() * len(ready))
        task, ready[at] = ready[at], ready[-1]
        ready.pop()
        self.steps += 1
        self._switch_to(task)

    def _switch_to(self, task: Task) -> None:
        self.current = task
        task.greenlet.switch()
        self.current = None

    # Called by tasks.

    def check_alive(self) -> Task:
        """The current task. Killed if its process is gone."""
        task = self.current
        assert task is not None
        if not task.owner.is_alive:
            raise Killed
        return task

    def point(self) -> None:
        """Let another thread go on here, or not."""
        task = self.current
        if task is None:
            return
        if not task.owner.is_alive:
            raise Killed
        chance = self.random.random()
        if chance < STALLS:
            self.wait(self.random.random() * LONGEST_STALL_S)
        elif chance < SWITCHES:
            self._ready.append(task)
            self._to_hub(task)

    def wait(self, span_s: float | None) -> bool:
        """Wait until another task wakes this one, or for a span; whether it was woken."""
        task = self.check_alive()
        task.waits += 1
        task.is_waiting, task.was_woken = True, False
        if span_s is not None:
            n = task.waits
            self.call_at(self.now_s + max(span_s, 0.0), lambda: self._end_wait(task, n))
        self._to_hub(task)
        return task.was_woken

    def sleep(self, span_s: float) -> None:
        """Let time pass for this thread."""
        until_s = self.now_s + span_s
        while self.now_s < until_s:
            self.wait(until_s - self.now_s)

    def wake(self, task: Task) -> None:
        """End the wait of a task."""
        if task.is_waiting and task.owner.is_alive:
            task.is_waiting, task.was_woken = False, True
            self._ready.append(task)

    def kill(self, owner: Owner) -> None:
        """End all threads of an owner at once: they do nothing more, not even what they would do at their end."""
        owner.is_alive = False
        self._ready = [task for task in self._ready if task.owner is not owner]
        for task in list(owner.tasks.values()):
            task.is_waiting = False
            before, self.current = self.current, task
            task.greenlet.parent = getcurrent()
            task.greenlet.throw(Killed)
            assert task.greenlet.dead, task.name
            self.current = before
        owner.tasks.clear()

    def _end_wait(self, task: Task, n: int) -> None:
        if task.is_waiting and task.waits == n:
            task.is_waiting = False
            self._ready.append(task)

    def _to_hub(self, task: Task) -> None:
        self._hub.switch()
        if not task.owner.is_alive:
            raise Killed
