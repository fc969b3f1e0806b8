"""Runs the plan of every seed, groups the failures by kind, and shrinks one plan of each kind."""

from __future__ import annotations

import multiprocessing
import queue
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from giftsim.coverage.met import Met
from giftsim.explore.app import ACTIONS, AppProtocol
from giftsim.explore.failures import Failure, RunResult, make_failure
from giftsim.explore.generator import Shrinker, generate_plan
from giftsim.explore.guided import Search, Shortener
from giftsim.explore.plan import Plan, describe_action, scenario_comments
from giftsim.explore.runner import AppUnreachable, PlanRunner
from giftsim.explore.scenario_writer import Document, document_text, plan_scenario, supported_plan, write_file
from giftsim.worlds import system_clock

MAX_TIMED_OUT_S = 20.0  # of real time, in all runs with a time-out together
APP_STOPPED = "the app stopped answering"
EMPTY_PLAN = Plan("address", False, ())


class ProtocolMismatch(Exception):
    """The app does not implement the protocol; the message says what it did instead."""


class Finding(msgspec.Struct, frozen=True):
    """One kind of failure: its seeds, its shortest plan, scenario file and trace, and whether the file fails again.

    `trace` is None if the app stopped answering. `wrong_after` is the first action, in English, after which something
    was wrong, or None if that was seen at the end.
    """

    reason: str
    seeds: tuple[int, ...]
    plan: Plan
    steps: int
    path: Path
    repeats: bool
    trace: Path | None = None
    wrong_after: str | None = None


class SeedResult(msgspec.Struct, frozen=True):
    """The result of one seed, the real seconds that it took, and why nothing is run after it, if so.

    `plan` is the plan of a search, which does not follow from its number.
    """

    seed: int
    result: RunResult
    took_s: float
    stop_reason: str | None = None
    plan: Plan | None = None


# Is called before each run of the shrinking: finding `number` of `of` is shrunk, and `runs` runs are done.
ShrinkProgress = Callable[[int, int, int], None]


class Budget:
    """How long a search may go on: so many real seconds, or so many steps, which are actions of plans."""

    def __init__(self, *, seconds: float | None = None, steps: int | None = None) -> None:
        self._until = None if seconds is None else system_clock.monotonic() + seconds
        self._steps, self.steps_run = steps, 0

    def is_used_up(self) -> bool:
        """Whether no further plan is run."""
        if self._until is not None:
            return system_clock.monotonic() >= self._until
        return self._steps is not None and self.steps_run >= self._steps


class _FailureKind(msgspec.Struct):
    """One kind of failure: the shortest plan so far with its failure and seed, and all seeds."""

    failure: Failure
    plan: Plan
    seed: int
    seeds: list[int]


class Explorer:
    """One exploration of an app; `stop_reason` is None unless it ended before the last seed.

    With `force` its files replace others of the same name.
    """

    def __init__(self, runner: PlanRunner, *, force: bool = False) -> None:
        self.runner, self.protocol, self.force = runner, runner.protocol, force
        self.seeds_run: list[int] = []
        self.stop_reason: str | None = None
        self._kinds: dict[str, _FailureKind] = {}
        self._paths: list[Path] = []
        self._timed_out_s = 0.0
        self.search: Search | None = None
        self.met = Met()  # in the runs of the seeds, if the runner keeps coverage

    @property
    def failures(self) -> list[tuple[str, list[int]]]:
        """Each kind of failure so far: one of its reasons, and its seeds."""
        return [(kind.failure.reason, kind.seeds) for kind in self._kinds.values()]

    def check_app(self) -> None:
        """Run an empty plan; AppUnreachable or ProtocolMismatch if the app cannot be explored."""
        self._use(msgspec.structs.replace(self.protocol, actions=ACTIONS))  # so that it is told everything
        result = self.runner.run(EMPTY_PLAN, 0)
        for path in (self.protocol.start, self.protocol.check):
            for failure in result.failures:
                if path and f" {path} " in failure.reason:
                    raise ProtocolMismatch(failure.reason)
        try:
            self._use(self.protocol.telling(self.runner.answer_to_start))
        except ValueError as error:
            raise ProtocolMismatch(f"POST {self.protocol.start}: {error}") from None

    def _use(self, protocol: AppProtocol) -> None:
        self.protocol = self.runner.protocol = protocol

    def _plan(self, seed: int) -> Plan:
        return generate_plan(seed, self.protocol.actions)

    def run_seeds(self, seeds: Iterable[int]) -> Generator[int, None, None]:
        """Run the plan of each seed; yield the seed when it is done."""
        for seed in seeds:
            self.add(self.run_seed(seed))
            yield seed
            if self.stop_reason:
                return

    def run_seed(self, seed: int) -> SeedResult:
        """Run the plan of a seed; nothing of its result is kept yet."""
        started = system_clock.monotonic()
        result = self._run(self._plan(seed), seed)
        return SeedResult(seed, result, system_clock.monotonic() - started, self.stop_reason)

    def run_search(self, search: Search, budget: Budget) -> Generator[int, None, None]:
        """Run the plans of a search until its budget is used up; yield the number of each when it is done."""
        self.search = search
        while not self.stop_reason and not budget.is_used_up():
            number, plan, started = len(self.seeds_run) + 1, search.next_plan(), system_clock.monotonic()
            result = self._run(plan, number)
            budget.steps_run += len(plan.actions)
            if result.met is not None:
                search.learn(plan, result.met)
            self.add(SeedResult(number, result, system_clock.monotonic() - started, self.stop_reason, plan))
            yield number

    def _shrinker(self, kind: _FailureKind) -> Shrinker | Shortener:
        if self.search is not None:
            return Shortener(kind.seed, kind.plan, kind.failure)
        return Shrinker(kind.seed, kind.plan, kind.failure, self.protocol.actions)

    def add(self, done: SeedResult) -> None:
        """Add the result of a seed. Seeds are added in ascending order, whoever ran them."""
        self.seeds_run.append(done.seed)
        if done.result.met is not None:
            self.met.add(done.result.met)
        self._add_failures(done)
        if done.result.timed_out:
            self._timed_out_s += done.took_s
        self.stop_reason = done.stop_reason
        if self.stop_reason is None and self._timed_out_s > MAX_TIMED_OUT_S:
            self.stop_reason = f"stopped at seed {done.seed}: too many calls to the app timed out"

    def shrink_failures(self, folder: Path, progress: ShrinkProgress) -> Iterator[Finding]:
        """Shrink one plan of each kind of failure and write its scenario to a folder, in the order of discovery."""
        for number, kind in enumerate(self._kinds.values(), 1):
            shrinker = self._shrinker(kind)

            def run_plan(plan: Plan, shrinker: Shrinker | Shortener = shrinker, number: int = number) -> RunResult:
                progress(number, len(self._kinds), shrinker.runs)
                return self._run(plan, shrinker.seed)

            if self.stop_reason is None or APP_STOPPED not in self.stop_reason:
                shrinker.search(run_plan)
            yield self._finding(kind, shrinker, folder)

    def _run(self, plan: Plan, seed: int, document: Document | None = None, trace: Path | None = None) -> RunResult:
        """Run a plan. If the app stopped answering, that is the failure, and the exploration ends."""
        try:
            return self.runner.run_document(document or plan_scenario(plan, self.protocol, seed=seed), plan, trace)
        except AppUnreachable:
            self.stop_reason = self.stop_reason or f"stopped at seed {seed}: {APP_STOPPED}"
            return RunResult((make_failure(APP_STOPPED),))

    def _add_failures(self, done: SeedResult) -> None:
        result, seed = done.result, done.seed
        plan = (done.plan or self._plan(seed)) if result.failures else EMPTY_PLAN
        for failure in result.failures:
            kind = self._kinds.setdefault(failure.kind, _FailureKind(failure, plan, seed, []))
            kind.seeds.append(seed)
            if len(plan.actions) < len(kind.plan.actions):
                kind.failure, kind.plan, kind.seed = failure, plan, seed

    def _finding(self, kind: _FailureKind, shrinker: Shrinker | Shortener, folder: Path) -> Finding:
        plan, failure = supported_plan(shrinker.best, self.protocol), shrinker.failure
        document = plan_scenario(
            plan,
            self.protocol,
            seed=kind.seed,
            title=failure.reason,
            delivered=failure.undelivered,
            wrong=failure.wrong,
            checked=False,
        )
        content = document_text(
            document, scenario_comments(plan, failure.reason, kind.seed, self.search.seed if self.search else None)
        )
        path = write_file(folder, failure.reason, content, self._paths, force=self.force)
        self._paths.append(path)
        trace = path.with_suffix(".html")
        trace.unlink(missing_ok=True)
        repeats = self._run(plan, kind.seed, document, trace).find(failure.kind) is not None
        written = trace if trace.is_file() else None
        after = describe_action(plan.actions[failure.wrong.step - 1]) if failure.wrong else None
        return Finding(failure.reason, tuple(kind.seeds), plan, len(document["steps"]), path, repeats, written, after)


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
    many, keeps, told = len(protocols), explorer.runner.coverage, explorer.protocol
    protocols = [msgspec.structs.replace(told, app=protocol.app) for protocol in protocols]
    jobs = [
        context.Process(target=_run_job, args=(protocol, command, seeds[number::many], results, keeps), daemon=True)
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


def _run_job(
    protocol: AppProtocol, command: str | None, seeds: Sequence[int], results: Results, coverage: bool
) -> None:
    """Run seeds until one of them stops the exploration. Ctrl-C is for the process that has the jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    runner = PlanRunner(protocol, command, coverage=coverage)
    try:
        explorer = Explorer(runner)
        for seed in seeds:
            done = explorer.run_seed(seed)
            results.put(done)
            if done.stop_reason:
                return
    finally:
        runner.close()
