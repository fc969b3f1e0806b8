"""Shrinks a failing plan: Hypothesis searches for the shortest one that fails in the same way."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import Phase

from giftsim.explore.failures import Failure, RunResult
from giftsim.explore.generator import visit_plans
from giftsim.explore.plan import Plan
from giftsim.worlds import system_clock

MAX_RUNS = 500
MAX_REAL_S = 60.0  # for an app that answers slowly or not at all

RunPlan = Callable[[Plan], RunResult]


class StillFails(Exception):
    """The plan fails in the way that is searched for."""


class Shrinker:
    """The search for the shortest plan of a seed with one kind of failure; `best` and `failure` are its result."""

    def __init__(self, seed: int, plan: Plan, failure: Failure) -> None:
        self.seed, self.kind = seed, failure.kind
        self.best, self.failure = plan, failure
        self.runs = 0
        self._results: dict[Plan, Failure | None] = {plan: failure}
        self._deadline = system_clock.monotonic() + MAX_REAL_S

    def search(self, run_plan: RunPlan) -> None:
        """Run ever shorter plans until none fails, or until a limit is reached."""

        def visit(plan: Plan) -> None:
            if plan not in self._results:
                self._results[plan] = self._run(plan, run_plan)
            failure = self._results[plan]
            if failure is not None:
                self.best, self.failure = plan, failure  # Hypothesis visits the shortest one last
                raise StillFails

        try:
            visit_plans(self.seed, visit, Phase.generate, Phase.shrink)
        except StillFails:
            return

    def _run(self, plan: Plan, run_plan: RunPlan) -> Failure | None:
        if self.runs >= MAX_RUNS or system_clock.monotonic() > self._deadline:
            return None
        self.runs += 1
        return run_plan(plan).find(self.kind)
