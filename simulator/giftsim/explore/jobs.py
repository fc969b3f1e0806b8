"""Several processes that run the seeds of one exploration, each with a simulator and an app of its own.

Only the runs are shared out: the results are added in the order of the seeds, and shrunk, as if one process had done it
all. So the number of jobs changes nothing in what is found.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from giftsim.explore.app_protocol import AppProtocol
from giftsim.explore.explorer import Explorer, SeedResult
from giftsim.explore.runner import PlanRunner

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    Results = multiprocessing.Queue[SeedResult]

POLL_S = 1.0


class JobEnded(Exception):
    """A job ended before its seeds were run."""


def run_seeds_in_jobs(
    explorer: Explorer, protocols: Sequence[AppProtocol], command: str | None, seeds: Sequence[int]
) -> Generator[int, None, None]:
    """Run the plan of each seed in one of several processes, and add the results; yield the seed when it is added.

    There is a process for each of `protocols`, which are the same but for the app. JobEnded.
    """
    context = multiprocessing.get_context("spawn")
    results: Results = context.Queue()
    many = len(protocols)
    jobs = [
        context.Process(target=_run_job, args=(protocol, command, seeds[number::many], results), daemon=True)
        for number, protocol in enumerate(protocols)
    ]
    for job in jobs:
        job.start()
    try:
        yield from _add_in_order(explorer, seeds, jobs, results)
    finally:
        for job in jobs:
            job.terminate()
            job.join()


def _add_in_order(
    explorer: Explorer, seeds: Sequence[int], jobs: Sequence[SpawnProcess], results: Results
) -> Generator[int, None, None]:
    early: dict[int, SeedResult] = {}
    for seed in seeds:
        while seed not in early:
            done = _next_result(jobs, results)
            early[done.seed] = done
            explorer.runner.runs += 1
        explorer.add(early.pop(seed))
        yield seed
        if explorer.stop_reason:
            return


def _next_result(jobs: Sequence[SpawnProcess], results: Results) -> SeedResult:
    while True:
        failed = [number for number, job in enumerate(jobs, 1) if job.exitcode]
        try:
            return results.get(timeout=POLL_S)
        except queue.Empty:
            if failed:
                raise JobEnded(f"job {failed[0]} ended before its seeds were run; its error is above") from None


def _run_job(protocol: AppProtocol, command: str | None, seeds: Sequence[int], results: Results) -> None:
    """Run seeds until one of them stops the exploration. Ctrl-C is for the process that has the jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    runner = PlanRunner(protocol, command)
    try:
        explorer = Explorer(runner)
        for seed in seeds:
            done = explorer.run_seed(seed)
            results.put(done)
            if done.stop_reason:
                return
    finally:
        runner.close()
