"""Generates the plan of a seed with Hypothesis, which can then shrink it.

Another version of Hypothesis may generate another plan for a seed; scenarios that are already written do not change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st

from giftsim.engine.worlds import system_clock
from giftsim.workbench.app.protocol import OPERATIONS
from giftsim.workbench.explore.failures import Failure, RunResult
from giftsim.workbench.explore.plan import (
    REHEARSALS,
    Action,
    AppAct,
    CallFault,
    DeclinedPayment,
    FailedAttempt,
    FurtherAction,
    LostConnection,
    NewSecret,
    OrderRequest,
    OtherEvents,
    OtherInstance,
    Outage,
    Plan,
    PriceChange,
    Rehearsed,
    Restart,
    TemporaryError,
    Wait,
    WebhookFault,
)

# The first example of every Hypothesis run is the simplest one, the second comes from the seed. The second always
# differs from the first in its first draw, so that draw has no meaning.
EXAMPLES = 2
IGNORED_DRAW = st.sampled_from(range(8))

DECLINED = ("card_charge_failed", "insufficient_funds")
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


def plans_for(actions: Sequence[str]) -> st.SearchStrategy[Plan]:
    """The plans for an app that can do these actions; of orders only, if it does not say what it can do."""
    if not actions:
        return PLANS
    asked = _asked(actions)
    problems = _problems(actions)
    waits = st.one_of(WAITS, LONG_WAITS)
    mixed: st.SearchStrategy[Action | FurtherAction] = st.one_of(asked, problems, asked, waits)

    def plan(
        _: int, to: str, fast: bool, start: str, says: str,
        before: list[Action | FurtherAction], first: Action | FurtherAction, after: list[Action | FurtherAction],
    ) -> Plan:  # fmt: skip
        return Plan(to, fast, (*before, first, *after), start, says)

    return st.builds(
        plan,
        IGNORED_DRAW,
        st.sampled_from(("address", "link", "late", "apart")),
        st.booleans(),
        st.sampled_from(("", "", "month end", "clocks back", "leap day")),
        st.sampled_from(("approve", "approve", "late", "reject")),
        st.lists(problems, max_size=3),
        _first(actions, asked),
        st.lists(mixed, max_size=10),
    )


LONG_WAITS = st.builds(Wait, st.sampled_from((2, 24, 700, 720)))
NUMBERS = st.sampled_from((1, 1, 2))
MAKING = ("gift", "campaign", "rule", "ticket")


def _first(
    actions: Sequence[str], asked: st.SearchStrategy[Action | FurtherAction]
) -> st.SearchStrategy[Action | FurtherAction]:
    """What the app is asked for first: an order, if it can place one, as cancellations and payments need one."""
    return _orders(actions) if "order" in actions else asked


def _orders(actions: Sequence[str]) -> st.SearchStrategy[Action | FurtherAction]:
    return st.builds(OrderRequest, NUMBERS, st.sampled_from((1, 2)), _both(actions))


def _both(actions: Sequence[str]) -> st.SearchStrategy[bool]:
    return st.booleans() if "instance" in actions else st.just(False)


def _asked(actions: Sequence[str]) -> st.SearchStrategy[Action | FurtherAction]:
    """What the app is asked for. What is about an order comes only for one that was asked for before."""
    kinds: list[st.SearchStrategy[Action | FurtherAction]] = []
    if "order" in actions:
        kinds.append(_orders(actions))
    both, one = _both(actions), st.just(False)
    kinds += [st.builds(AppAct, st.just(name), NUMBERS, one, both) for name in MAKING if name in actions]
    if "cancel" in actions:
        kinds.append(st.builds(AppAct, st.just("cancel"), NUMBERS, st.booleans(), both))
    if "pay" in actions:
        kinds.append(st.builds(AppAct, st.just("pay"), NUMBERS, one, both))
    return st.one_of(kinds)


def _problems(actions: Sequence[str]) -> st.SearchStrategy[Action | FurtherAction]:
    """What goes wrong for an app that can do these actions."""
    operations = [operation for name in actions for operation in OPERATIONS[name]]
    kinds: list[st.SearchStrategy[Action | FurtherAction]] = [
        st.builds(WebhookFault, st.just("duplicate"), TIMES),
        st.builds(WebhookFault, st.just("reorder"), TIMES),
        st.builds(Outage, st.sampled_from((1, 6, 24, 60))),
        st.builds(FailedAttempt, st.sampled_from(("503", "timeout", "reset")), TIMES),
        st.builds(PriceChange, st.sampled_from((1099, 2100))),
        st.just(OtherEvents()),
    ]
    if "order" in actions:
        kinds += [st.builds(LostConnection, st.just("after"), TIMES), st.sampled_from(RARE_PROBLEMS)]
        kinds.append(st.builds(Rehearsed, st.sampled_from(list(REHEARSALS)), NUMBERS))
    if "pay" in actions:
        kinds.append(st.builds(DeclinedPayment, st.sampled_from(DECLINED), TIMES))
    if operations:
        kinds.append(
            st.builds(CallFault, st.sampled_from(operations), st.sampled_from(("after", "before", "429")), TIMES)
        )
    if "restart" in actions:
        kinds.append(st.just(Restart()))
    if "instance" in actions:
        kinds.append(st.just(OtherInstance()))
    if "secrets" in actions:
        kinds.append(st.just(NewSecret()))
    return st.one_of(kinds)


def generate_plan(number: int, actions: Sequence[str] = ()) -> Plan:
    """The plan of a seed for an app that can do these actions: the same one in every process."""
    plans: list[Plan] = []
    visit_plans(number, plans.append, Phase.generate, actions=actions)
    return plans[-1]


def visit_plans(number: int, visit: Callable[[Plan], Any], *phases: Phase, actions: Sequence[str] = ()) -> None:
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
    @given(plans_for(actions))
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

    def __init__(self, seed: int, plan: Plan, failure: Failure, actions: Sequence[str] = ()) -> None:
        self.seed, self.kind, self.actions = seed, failure.kind, actions
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
            visit_plans(self.seed, visit, Phase.generate, Phase.shrink, actions=self.actions)
        except StillFails:
            return

    def _run(self, plan: Plan, run_plan: RunPlan) -> Failure | None:
        if self.runs >= MAX_RUNS or system_clock.monotonic() > self._deadline:
            return None
        self.runs += 1
        return run_plan(plan).find(self.kind)
