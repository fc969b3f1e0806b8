"""Runs the plan of every seed, groups the failures by kind, and shrinks one plan of each kind."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from giftsim.engine.worlds import system_clock
from giftsim.workbench.app.protocol import ACTIONS, OF_COMMAND, OF_EXAM, AppProtocol
from giftsim.workbench.app.reasons import kind_of
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.exam.page.finding import Row
from giftsim.workbench.explore.circumstances import of_the_app, only_if
from giftsim.workbench.explore.drawing import rows
from giftsim.workbench.explore.engine import Engine, ahead_of_search, here, run_all
from giftsim.workbench.explore.failures import (
    UNKNOWN,
    Failure,
    RunResult,
    SeedResult,
    Verdict,
    cause_of,
    make_failure,
)
from giftsim.workbench.explore.generator import Shrinker, generate_plan
from giftsim.workbench.explore.guided import Search, Shortener
from giftsim.workbench.explore.plan import Plan, describe_action, scenario_comments
from giftsim.workbench.explore.plan_runner import AppUnreachable, PlanRunner
from giftsim.workbench.explore.scenario_writer import (
    Document,
    action_begins,
    document_text,
    plan_scenario,
    supported_plan,
    write_file,
)
from giftsim.workbench.explore.workplace import APP_STOPPED
from giftsim.workbench.trace.file import pack_page, read_trace_file

MAX_TIMED_OUT_S = 20.0  # of real time, in all runs with a time-out together
EMPTY_PLAN = Plan("address", False, ())


class ProtocolMismatch(Exception):
    """The app does not implement the protocol; the message says what it did instead."""


class Finding(msgspec.Struct, frozen=True):
    """One kind of failure: its seeds, its shortest plan, scenario file and trace, and whether the file fails again.

    `repeats` is None if the file was not played again, because the exploration was cut off. `trace` is None then, and
    if the app stopped answering, and then there is no `drawing` and there are no `verdicts`, which say
    why it fails. `wrong_after` is the first action, in English, after which something was wrong, or None if that was
    seen at the end.
    """

    reason: str
    seeds: tuple[int, ...]
    plan: Plan
    steps: int
    path: Path
    repeats: bool | None
    trace: Path | None = None
    wrong_after: str | None = None
    drawing: tuple[Row, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    @property
    def cause(self) -> str:
        """The key of findings with one cause: their first verdict, or the reason if none was found."""
        return cause_of(self.verdicts) or kind_of(self.reason)


def one_for_each_cause(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, those with one cause as one: that with the shortest plan, whose files are kept."""
    by_cause: dict[str, list[Finding]] = {}
    for finding in findings:
        by_cause.setdefault(finding.cause, []).append(finding)
    return [_joined(alike) for alike in by_cause.values()]


def _joined(alike: list[Finding]) -> Finding:
    kept = min(alike, key=lambda finding: len(finding.plan.actions))
    for other in alike:
        for path in (other.path, other.trace) if other is not kept else ():
            if path is not None:
                path.unlink(missing_ok=True)
    return msgspec.structs.replace(kept, seeds=tuple(sorted({seed for each in alike for seed in each.seeds})))


# Is called before each run of the shrinking: finding `number` of `of` is shrunk, and `runs` runs are done.
ShrinkProgress = Callable[[int, int, int], None]


class Budget:
    """How long a search may go on: a number of real seconds, or of steps, which are actions of plans."""

    def __init__(self, *, seconds: float | None = None, steps: int | None = None) -> None:
        self._until = None if seconds is None else system_clock.monotonic() + seconds
        self._steps, self.steps_run = steps, 0

    def is_over(self) -> bool:
        """Whether the time of the budget has run out."""
        return self._until is not None and system_clock.monotonic() >= self._until

    def is_used_up(self) -> bool:
        """Whether no further plan is run."""
        return self.is_over() or (self._steps is not None and self.steps_run >= self._steps)


class _FailureKind(msgspec.Struct):
    """One kind of failure: the shortest plan so far with its failure and seed, and all seeds."""

    failure: Failure
    plan: Plan
    seed: int
    seeds: list[int]


def _plans_of(search: Search, budget: Budget) -> Iterator[tuple[int, Plan]]:
    """The plans of a search with their numbers, from 1, until its budget is used up."""
    for number in count(1):
        if budget.is_used_up():
            return
        plan = search.next_plan()
        budget.steps_run += len(plan.actions)
        yield number, plan


class Explorer:
    """One exploration of an app; `stop_reason` is None unless it ended before the last seed.

    With `force` its files replace others of the same name.
    """

    def __init__(self, runner: PlanRunner, *, force: bool = False) -> None:
        self.runner, self.protocol, self.force = runner, runner.protocol, force
        self.seeds_run: list[int] = []
        self.plays = 0
        self.stop_reason: str | None = None
        self._kinds: dict[str, _FailureKind] = {}
        self._paths: list[Path] = []
        self._timed_out_s = 0.0
        self.waited_s = 0.0  # for the app, in steps of a second or longer
        self._is_shrinking = self._is_cut = False
        self.is_used_up = False  # the budget, before the last seed
        self.search: Search | None = None
        self.met = Met()  # in the runs of the seeds, if the runner keeps coverage

    @property
    def failures(self) -> list[tuple[str, list[int]]]:
        """Each kind of failure so far: one of its reasons, and its seeds."""
        return [(kind.failure.reason, kind.seeds) for kind in self._kinds.values()]

    def check_app(self) -> None:
        """Run an empty plan; AppUnreachable or ProtocolMismatch if the app cannot be explored."""
        self._use(msgspec.structs.replace(self.protocol, actions=ACTIONS))  # so that it is told everything
        self.plays += 1
        result = self.runner.run(EMPTY_PLAN, 0)
        for path in (self.protocol.start, self.protocol.check):
            for failure in result.failures:
                if path and f" {path} " in failure.reason:
                    raise ProtocolMismatch(failure.reason)
        try:
            told = self.protocol.telling(self.runner.answer_to_start)
        except ValueError as error:
            raise ProtocolMismatch(f"POST {self.protocol.start}: {error}") from None
        without = OF_EXAM if self.runner.instances else OF_EXAM | OF_COMMAND
        self._use(msgspec.structs.replace(told, actions=tuple(each for each in told.actions if each not in without)))

    def interrupt(self, by: str, *, at_once: bool) -> None:
        """Run no further plan; a signal handler may call it. `at_once`, or called again, it ends the shrinking too."""
        self._is_cut = at_once or self._is_shrinking or self.stop_reason is not None
        self.stop_reason = self.stop_reason or f"stopped by {by}"

    def _use(self, protocol: AppProtocol) -> None:
        self.protocol = self.runner.protocol = protocol

    def run_seeds(
        self, seeds: Iterable[int], engine: Engine | None = None, budget: Budget | None = None
    ) -> Generator[int, None, None]:
        """Run the plan of each seed, in this process or by an engine, until a budget is used up.

        Yield the seed when it is done. EngineFailed.
        """
        engine = engine or here(self.runner)
        plans = self._plans_of(seeds, budget or Budget())
        yield from self._add_all(run_all(engine, plans, engine.ahead_of_seeds))
        if self.is_used_up and self.stop_reason is None:
            self.stop_reason = f"stopped after seed {self.seeds_run[-1]}: the budget is used up"

    def _plans_of(self, seeds: Iterable[int], budget: Budget) -> Iterator[tuple[int, Plan]]:
        for seed in seeds:
            self.is_used_up = budget.is_used_up() and bool(budget.steps_run)  # at least one is run
            if self.is_used_up:
                return
            plan = generate_plan(seed, self.protocol.actions)
            budget.steps_run += len(plan.actions)
            yield seed, plan

    def run_search(self, search: Search, budget: Budget, engine: Engine | None = None) -> Generator[int, None, None]:
        """Run the plans of a search until its budget is used up; yield the number of each when it is done.

        EngineFailed.
        """
        self.search = search
        plans = _plans_of(search, budget)
        yield from self._add_all(run_all(engine or here(self.runner), plans, ahead_of_search, is_over=budget.is_over))

    def _add_all(self, results: Generator[SeedResult, None, None]) -> Generator[int, None, None]:
        with closing(results):
            for done in results:
                self.add(done)
                yield done.seed
                if self.stop_reason:
                    return

    def _shrinker(self, kind: _FailureKind) -> Shrinker | Shortener:
        if self.search is not None:
            return Shortener(kind.seed, kind.plan, kind.failure)
        return Shrinker(kind.seed, kind.plan, kind.failure, self.protocol.actions)

    def add(self, done: SeedResult) -> None:
        """Add the result of a seed, or of a plan of the search. They are added in order, whoever ran them."""
        self.plays += 1
        self.seeds_run.append(done.seed)
        if done.result.met is not None:
            self.met.add(done.result.met)
            if self.search is not None:
                self.search.learn(done.plan, done.result.met)
        self._add_failures(done)
        self.waited_s += done.result.waited_s
        if done.result.timed_out:
            self._timed_out_s += done.took_s
        self.stop_reason = self.stop_reason or done.stop_reason
        if self.stop_reason is None and self._timed_out_s > MAX_TIMED_OUT_S:
            self.stop_reason = f"stopped at seed {done.seed}: too many calls to the app timed out"

    def shrink_failures(self, folder: Path, progress: ShrinkProgress) -> list[Finding]:
        """Shrink one plan of each kind of failure and write its scenario to a folder, in the order of discovery.

        Kinds with one cause are one finding.
        """
        self._is_shrinking = True
        return one_for_each_cause(self._shrunk(folder, progress))

    def _shrunk(self, folder: Path, progress: ShrinkProgress) -> Iterator[Finding]:
        for number, kind in enumerate(self._kinds.values(), 1):
            shrinker = self._shrinker(kind)

            def run_plan(plan: Plan, shrinker: Shrinker | Shortener = shrinker, number: int = number) -> RunResult:
                progress(number, len(self._kinds), shrinker.runs)
                return self._run(plan, shrinker.seed)

            if self.stop_reason is None or APP_STOPPED not in self.stop_reason:
                shrinker.search(run_plan)
            yield self._finding(kind, shrinker, folder)

    def _run(self, plan: Plan, seed: int, document: Document | None = None, trace: Path | None = None) -> RunResult:
        """Run a plan. If the app stopped answering, that is the failure, and the exploration ends.

        None is run any more once the exploration was cut off.
        """
        if self._is_cut:
            return RunResult()
        self.plays += 1
        try:
            result = self.runner.run_document(document or plan_scenario(plan, self.protocol, seed=seed), plan, trace)
            self.waited_s += result.waited_s
            return result
        except AppUnreachable:
            self.stop_reason = self.stop_reason or f"stopped at seed {seed}: {APP_STOPPED}"
            return RunResult((make_failure(APP_STOPPED),))

    def _add_failures(self, done: SeedResult) -> None:
        result, seed, plan = done.result, done.seed, done.plan
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
        result = self._run(plan, kind.seed, document, trace)
        repeats = None if self._is_cut else result.find(failure.kind) is not None
        written = trace if trace.is_file() else None
        data = read_trace_file(trace.read_bytes()) if written else {}
        drawing = self._drawing(plan, result, data) if written else ()
        verdicts = self._explained(plan, kind.seed, result, trace) if written and result.failures else ()
        after = describe_action(plan.actions[failure.wrong.step - 1]) if failure.wrong else None
        return Finding(
            failure.reason,
            tuple(kind.seeds),
            plan,
            len(document["steps"]),
            path,
            repeats,
            written,
            after,
            drawing,
            verdicts,
        )

    def _drawing(self, plan: Plan, result: RunResult, trace: Mapping[str, Any]) -> tuple[Row, ...]:
        return rows(trace, plan, self._begun(plan, result))

    def _begun(self, plan: Plan, result: RunResult) -> list[int]:
        """How many entries of the trace were made before each action of a plan, and before the end."""
        steps = [step for step in action_begins(plan, self.protocol) if step < len(result.begun)]
        return [result.begun[step] for step in steps]

    def _explained(self, plan: Plan, seed: int, result: RunResult, trace: Path) -> tuple[Verdict, ...]:
        """Why a plan fails: what its trace proves, and what it fails without. The trace is written again with it."""
        data = read_trace_file(trace.read_bytes())
        needed = only_if(plan, lambda other: self._run(other, seed), data, self._begun(plan, result))
        known = [of_the_app(each) for each in data["verdicts"] if needed is None or each["kind"] != UNKNOWN]
        data["verdicts"] = known if needed is None else [*known, needed]
        trace.write_bytes(pack_page(msgspec.json.encode(data), data["test"]["id"]))
        return tuple(read_trace_file(trace.read_bytes())["verdicts"])
