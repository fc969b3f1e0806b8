"""The queue of the courier hands out jobs in turns, within the bounds of lanes, groups and the whole (G80)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from threading import Event

from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.courier.fair_queue import MOST, PER_GROUP, SHARED, Dispatcher, FairQueue, Lane
from giftsim.engine.system import SYSTEM

WAIT_S = 10.0


class Queue:
    """A fair queue whose jobs note that they ran."""

    def __init__(self) -> None:
        self.queue = FairQueue()
        self.started: list[tuple[str, str, int]] = []
        self.running: list[tuple[Lane, tuple[str, str, int]]] = []
        self._numbers: Counter[tuple[str, str]] = Counter()

    def put(self, group: str, lane: str = "a", limit: int = 4, times: int = 1) -> None:
        for _ in range(times):
            number = self._numbers[group, lane]
            self._numbers[group, lane] += 1
            self.queue.put(group, lane, limit, lambda number=number: self.started.append((group, lane, number)))  # type: ignore[misc]

    def start_all(self) -> list[tuple[str, str, int]]:
        """Start every job that may run; those started now."""
        before = len(self.started)
        while taken := self.queue.take():
            lane, job = taken
            job()
            self.running.append((lane, self.started[-1]))
        return self.started[before:]

    def end(self, at: int = 0) -> None:
        """End a job that runs."""
        lane, _ = self.running.pop(at)
        self.queue.done(lane)


def test_groups_take_turns() -> None:
    queue = Queue()
    queue.put("one", times=3)
    queue.put("two", times=3)
    assert [group for group, _, _ in queue.start_all()] == ["one", "two"] * 3


def test_the_lanes_of_a_group_take_turns_and_keep_their_order() -> None:
    queue = Queue()
    queue.put("one", "a", times=2)
    queue.put("one", "b", times=2)
    assert queue.start_all() == [("one", "a", 0), ("one", "b", 0), ("one", "a", 1), ("one", "b", 1)]


def test_a_lane_runs_as_many_jobs_as_its_limit_and_goes_on_when_one_ends() -> None:
    queue = Queue()
    queue.put("one", limit=2, times=5)
    assert len(queue.start_all()) == 2
    queue.end()
    assert queue.start_all() == [("one", "a", 2)]
    queue.put("one", limit=4)
    assert len(queue.start_all()) == 2, "the limit of the last job counts"


def test_a_group_runs_its_share_at_most() -> None:
    queue = Queue()
    for lane in range(2 * PER_GROUP):
        queue.put("one", str(lane))
    assert len(queue.start_all()) == PER_GROUP


def test_a_group_without_a_running_job_gets_one_when_the_shared_ones_are_taken() -> None:
    queue = Queue()
    for group in range(SHARED):
        queue.put(str(group), times=4)
    assert len(queue.start_all()) == SHARED
    queue.put("late", times=4)
    assert queue.start_all() == [("late", "a", 0)]
    queue.end(SHARED)
    assert queue.start_all() == [("late", "a", 1)], "its own one goes on"


def test_there_is_a_bound_for_all() -> None:
    queue = Queue()
    for group in range(MOST + 10):
        queue.put(str(group))
    assert len(queue.start_all()) == MOST
    queue.end()
    assert len(queue.start_all()) == 1


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.integers(1, 4), st.booleans()), max_size=90)
)
def test_every_job_runs_once_and_in_the_order_of_its_lane(actions: list[tuple[str, str, int, bool]]) -> None:
    queue = Queue()
    for group, lane, limit, ends in actions:
        queue.put(group, lane, limit)
        queue.start_all()
        if ends and queue.running:
            queue.end(len(queue.running) // 2)
    while queue.start_all() or queue.running:
        queue.end()
    assert len(queue.started) == len(actions)
    for group, lane in {(group, lane) for group, lane, _, _ in actions}:
        numbers = [number for of, at, number in queue.started if (of, at) == (group, lane)]
        assert numbers == sorted(numbers)


class FewThreads:
    """A system that starts threads while it `has_some`."""

    def __init__(self) -> None:
        self.has_some = False

    def start(self, run: Callable[[], None], name: str) -> None:
        if not self.has_some:
            raise RuntimeError("can't start new thread")
        SYSTEM.start_thread(run, name)


def test_jobs_without_a_thread_wait_for_one() -> None:
    threads, ended = FewThreads(), [Event(), Event(), Event()]
    dispatcher = Dispatcher(system=SYSTEM._replace(start_thread=threads.start))
    dispatcher.submit(("group", n, 1, event.set) for n, event in enumerate(ended))
    assert dispatcher.lacks_threads
    dispatcher.start_again()
    assert not any(event.is_set() for event in ended)
    threads.has_some = True
    dispatcher.start_again()
    assert all(event.wait(WAIT_S) for event in ended)
    assert not dispatcher.lacks_threads


def test_jobs_without_a_thread_are_done_by_a_thread_that_waits_for_them() -> None:
    done: list[int] = []
    dispatcher = Dispatcher(system=SYSTEM._replace(start_thread=FewThreads().start))
    dispatcher.submit(("group", "lane", 1, partial(done.append, n)) for n in range(3))
    dispatcher.help()
    assert done == [0, 1, 2]
    assert not dispatcher.lacks_threads
