"""Runs plans on an executor of `concurrent.futures`: in this process, in several, or on the machines of a cluster.

The plans and what becomes of them do not depend on the executor: results are added in the order of the plans, and how
many plans are made before the result of an earlier one is known follows from their number alone.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import islice

import msgspec

from giftsim.workbench.app.process import AppNotStarted
from giftsim.workbench.explore.failures import SeedResult
from giftsim.workbench.explore.plan import Plan
from giftsim.workbench.explore.plan_runner import PlanRunner
from giftsim.workbench.explore.workplace import Equipment, RunSeed, run_at_a_workplace, run_seed

MAX_LOST = 3  # processes that one plan may take with it
FEW, MANY = 4, 64

Ahead = Callable[[int], int]


class EngineFailed(Exception):
    """The plans cannot be run; the message says why."""


class Engine(msgspec.Struct, frozen=True):
    """An executor, made by `start` and again if its processes end, and what runs a plan there.

    `slots` is how many plans it can run at once.
    """

    start: Callable[[], Executor]
    run: RunSeed
    slots: int = 1

    def ahead_of_seeds(self, _done: int) -> int:
        """How many seeds are run before the result of the first of them is needed."""
        return self.slots * 3 if self.slots > 1 else 1


def ahead_of_search(done: int) -> int:
    """How many plans of a search are made ahead, given how many are done: few at first, when each teaches much."""
    return min(MANY, FEW + done // 8)


def here(runner: PlanRunner) -> Engine:
    """The engine that runs one plan after the other with a runner of this process."""
    return Engine(partial(ThreadPoolExecutor, 1), partial(run_seed, runner))


def processes(equipment: Equipment, many: int) -> Engine:
    """The engine that uses this number of processes of this machine. Ctrl-C is for the process that has them."""
    context = multiprocessing.get_context("spawn")
    start = partial(ProcessPoolExecutor, many, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
    return Engine(start, partial(run_at_a_workplace, equipment), many)


def run_all(
    engine: Engine, plans: Iterable[tuple[int, Plan]], ahead: Ahead, *, is_over: Callable[[], bool] = lambda: False
) -> Generator[SeedResult, None, None]:
    """The result of each plan with its number, in order; none is run any more once the caller closes this.

    `ahead` says, for a number of results, how many plans are taken before the result of the first of them is yielded.
    EngineFailed.
    """
    remaining, done = iter(plans), 0
    with _Running(engine) as running:
        while not is_over():
            for number, plan in islice(remaining, ahead(done) - len(running)):
                running.add(number, plan)
            if not running:
                return
            yield running.next()
            done += 1


class _Running:
    """The plans that are being run, in order."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._executor = engine, engine.start()
        self._waiting: deque[tuple[int, Plan, Future[SeedResult]]] = deque()

    def __enter__(self) -> _Running:
        return self

    def __exit__(self, *_: object) -> None:
        for _number, _plan, future in self._waiting:
            future.cancel()
        self._executor.shutdown()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, number: int, plan: Plan) -> None:
        """Run a plan as soon as there is a place for it."""
        self._waiting.append((number, plan, self._submit(number, plan)))

    def next(self) -> SeedResult:
        """The result of the first plan; if its process ends, it is run again."""
        number, plan, future = self._waiting.popleft()
        lost = 0
        while True:
            try:
                return future.result()
            except BrokenExecutor:
                lost += 1
                if lost == MAX_LOST:
                    raise EngineFailed(f"seed {number} ended {lost} processes that ran its plan") from None
                future = self._start_again(number, plan)
            except AppNotStarted as error:
                raise EngineFailed(f"--app-command: {error}") from None

    def _submit(self, number: int, plan: Plan) -> Future[SeedResult]:
        try:
            return self._executor.submit(self._engine.run, number, plan)
        except BrokenExecutor as error:
            lost: Future[SeedResult] = Future()
            lost.set_exception(error)
            return lost

    def _start_again(self, number: int, plan: Plan) -> Future[SeedResult]:
        """Run a plan alone in new processes, to see whether it is what ends them; then those of the others again."""
        self._executor.shutdown()
        self._executor = self._engine.start()
        alone = self._submit(number, plan)
        if not _is_lost(alone):
            again = [
                (its, which, self._submit(its, which) if _is_lost(old) else old) for its, which, old in self._waiting
            ]
            self._waiting = deque(again)
        return alone


def _is_lost(future: Future[SeedResult]) -> bool:
    """Whether the process ended that ran a plan; wait until that is known."""
    return isinstance(future.exception(), BrokenExecutor)
