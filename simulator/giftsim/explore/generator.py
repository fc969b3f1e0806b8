"""Generates the plan of a seed with Hypothesis, which can then shrink it.

Another version of Hypothesis may generate another plan for a seed; scenarios that are already written do not change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st

from giftsim.explore.failures import Failure, RunResult
from giftsim.explore.plan import (
    Action,
    DeclinedPayment,
    FailedAttempt,
    LostConnection,
    OrderRequest,
    Outage,
    Plan,
    TemporaryError,
    Wait,
    WebhookFault,
)
from giftsim.worlds import system_clock

# The first example of every Hypothesis run is the simplest one, the second comes from the seed. The second always
# differs from the first in its first draw, so that draw has no meaning.
EXAMPLES = 2
IGNORED_DRAW = st.sampled_from(range(8))

TIMES = st.sampled_from((1, 2, 3))
ORDERS = st.builds(OrderRequest, st.sampled_from((1, 2, 3)))
WAITS = st.builds(Wait, st.sampled_from((1, 6, 30, 100)))

# Problems that apps seldom handle wrongly: all of these together are as likely as one of the others.
RARE_PROBLEMS: tuple[Action, ...] = (
    LostConnection("before", 1),
    TemporaryError(503, "idempotency_unavailable", 1),
    TemporaryError(429, "rate_limited", 2),
    WebhookFault("bad_signature", 1),
    DeclinedPayment("card_charge_failed", 1),
    DeclinedPayment("insufficient_funds", 1),
    DeclinedPayment("daily_spend_limit_exceeded", 2),
)
PROBLEMS: st.SearchStrategy[Action] = st.one_of(
    st.builds(LostConnection, st.just("after"), TIMES),
    st.builds(WebhookFault, st.just("duplicate"), TIMES),
    st.builds(WebhookFault, st.just("reorder"), TIMES),
    st.builds(Outage, st.sampled_from((1, 6, 24, 60))),
    st.builds(FailedAttempt, st.sampled_from(("503", "timeout", "reset")), TIMES),
    st.sampled_from(RARE_PROBLEMS),
)
ACTIONS: st.SearchStrategy[Action] = st.one_of(PROBLEMS, ORDERS, WAITS)


def _plan(
    _ignored: int, destination: str, fast: bool, before: list[Action], order: Action, after: list[Action]
) -> Plan:
    return Plan(destination, fast, (*before, order, *after))


PLANS = st.builds(
    _plan,
    IGNORED_DRAW,
    st.sampled_from(("address", "link")),
    st.booleans(),
    st.lists(PROBLEMS, max_size=3),
    ORDERS,
    st.lists(ACTIONS, max_size=6),
)


def generate_plan(number: int) -> Plan:
    """The plan of a seed: the same one in every process."""
    plans: list[Plan] = []
    visit_plans(number, plans.append, Phase.generate)
    return plans[-1]


def visit_plans(number: int, visit: Callable[[Plan], Any], *phases: Phase) -> None:
    """Pass the plans of a seed to `visit`; if it raises, Hypothesis shrinks to a plan that raises the same."""

    @seed(number)
    @settings(
        max_examples=EXAMPLES,
        phases=phases,
        database=None,
        deadline=None,
        derandomize=False,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(PLANS)
    def run(plan: Plan) -> None:
        visit(plan)

    run()


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
