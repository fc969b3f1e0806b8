"""A queue of jobs in which no group waits for the slow jobs of another one (G80), and the threads that run them."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable
from functools import partial

from giftsim.engine.system import SYSTEM, System

Job = Callable[[], None]

SHARED = 64  # jobs that all groups together may have running
PER_GROUP = 16  # jobs of one group among them
MOST = 1_024  # jobs that run in all: beyond the shared ones, each group that has none gets one


class Lane:
    """The jobs of one receiver of a group, in order; at most `limit` of them run at a time."""

    def __init__(self, group: Group, key: Hashable) -> None:
        self.group, self.key = group, key
        self.jobs: deque[Job] = deque()
        self.running, self.limit = 0, 1

    @property
    def is_ready(self) -> bool:
        """Whether one of its jobs may start."""
        return bool(self.jobs) and self.running < self.limit


class Group:
    """The lanes of one group. Those that are ready take turns."""

    def __init__(self, key: Hashable) -> None:
        self.key = key
        self.lanes: dict[Hashable, Lane] = {}
        self.turns: OrderedDict[Hashable, Lane] = OrderedDict()
        self.running = 0

    @property
    def is_ready(self) -> bool:
        """Whether one of its jobs may start."""
        return bool(self.turns) and self.running < PER_GROUP


class FairQueue:
    """Hands out jobs: first those of groups with none running, then those of all groups in turn up to `SHARED`.

    Call `done` with each lane that `take` returned once its job has ended. Every operation takes constant time.
    """

    def __init__(self) -> None:
        self._groups: dict[Hashable, Group] = {}
        self._first: OrderedDict[Hashable, Group] = OrderedDict()
        self._others: OrderedDict[Hashable, Group] = OrderedDict()
        self._running = 0

    def put(self, group: Hashable, lane: Hashable, limit: int, job: Job) -> None:
        """Add a job at the end of a lane. From now on at most `limit` jobs of the lane run at a time."""
        of = self._groups.setdefault(group, Group(group))
        into = of.lanes.setdefault(lane, Lane(of, lane))
        into.jobs.append(job)
        into.limit = limit
        self._update(into)

    def take(self) -> tuple[Lane, Job] | None:
        """The next job that may start, with its lane; None if there is none."""
        if self._first and self._running < MOST:
            _, group = self._first.popitem(last=False)
        elif self._others and self._running < SHARED:
            _, group = self._others.popitem(last=False)
        else:
            return None
        _, lane = group.turns.popitem(last=False)
        job = lane.jobs.popleft()
        self._count(lane, +1)
        return lane, job

    def done(self, lane: Lane) -> None:
        """Note that a job of a lane has ended."""
        self._count(lane, -1)
        if not lane.jobs and not lane.running:
            del lane.group.lanes[lane.key]
            if not lane.group.lanes:
                del self._groups[lane.group.key]

    def _count(self, lane: Lane, by: int) -> None:
        lane.running += by
        lane.group.running += by
        self._running += by
        self._update(lane)

    def _update(self, lane: Lane) -> None:
        """Put a lane and its group where they belong, at the end of those that are ready."""
        group = lane.group
        if not lane.is_ready:
            group.turns.pop(lane.key, None)
        else:
            group.turns.setdefault(lane.key, lane)
        into = self._others if group.running else self._first
        for turns in (self._first, self._others):
            if turns is not into or not group.is_ready:
                turns.pop(group.key, None)
        if group.is_ready:
            into.setdefault(group.key, group)


LINGER_S = 1.0

Started = tuple[Lane, Job]


class Dispatcher:
    """A fair queue with its threads; a job must not raise.

    If the system has no thread left, jobs that could start wait for one: `lacks_threads`.
    """

    def __init__(self, linger_s: float = LINGER_S, system: System = SYSTEM) -> None:
        self._linger_s, self._start_thread = linger_s, system.start_thread
        self._queue = FairQueue()
        self._changed = system.condition()
        self._handed: deque[Started] = deque()
        self._idle, self._names, self._closed = 0, 0, False

    def submit(self, jobs: Iterable[tuple[Hashable, Hashable, int, Job]]) -> None:
        """Run jobs as soon as it is their turn; each has its group, its lane, and the most that run in that lane."""
        with self._changed:
            for group, lane, limit, job in jobs:
                self._queue.put(group, lane, limit, job)
            while started := self._queue.take():
                self._handed.append(started)
            self._start_threads()

    @property
    def lacks_threads(self) -> bool:
        """Whether jobs wait for a thread."""
        return len(self._handed) > self._idle

    def start_again(self) -> None:
        """Start the threads that jobs wait for, if the system has some again."""
        with self._changed:
            self._start_threads()

    def help(self) -> None:
        """Run the jobs that wait for a thread in this one."""
        while (started := self._take_waiting()) is not None:
            lane, job = started
            job()
            with self._changed:
                self._done(lane)
                self._changed.notify()

    def close(self) -> None:
        """Let idle threads end. Jobs that are queued run on."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _start_threads(self) -> None:
        """Wake idle threads for the jobs handed out, and start threads for the rest while the system has any."""
        self._changed.notify(len(self._handed))
        while self.lacks_threads:
            started = self._handed.pop()
            try:
                self._names += 1
                self._start_thread(partial(self._run, started), f"courier-{self._names}")
            except (RuntimeError, OSError, MemoryError):
                self._handed.append(started)
                return

    def _take_waiting(self) -> Started | None:
        with self._changed:
            return self._handed.popleft() if self.lacks_threads else None

    def _done(self, lane: Lane) -> None:
        self._queue.done(lane)
        if started := self._queue.take():
            self._handed.append(started)

    def _run(self, started: Started | None) -> None:
        while started is not None:
            lane, job = started
            job()
            started = self._next(lane)

    def _next(self, ended: Lane) -> Started | None:
        """The job that may run now that one has ended, or another one that comes soon; None ends the thread."""
        with self._changed:
            self._done(ended)
            if self.lacks_threads:
                return self._handed.popleft()
            self._idle += 1
            self._changed.wait_for(lambda: self._handed or self._closed, self._linger_s)
            self._idle -= 1
            return self._handed.popleft() if self._handed else None
