"""A seed becomes a plan: Hypothesis draws it, so that Hypothesis can also shorten it.

Another version of Hypothesis may draw another plan for a seed; a scenario that was written stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st

from giftsim.explore.plan import Action, Declined, Lost, Order, Outage, Plan, Refused, Stumbled, Tangled, Wait

# The first example of every Hypothesis run is the simplest there is, the second is the seed's own. That one differs
# from the first in the first thing drawn, whatever else it has: so that is something without a meaning.
EXAMPLES = 2
DIFFERENCE = st.sampled_from(range(8))

TIMES = st.sampled_from((1, 2, 3))
ORDERS = st.builds(Order, st.sampled_from((1, 2, 3)))
WAITS = st.builds(Wait, st.sampled_from((1, 6, 30, 100)))

# What an app seldom gets wrong, together as likely as one of the others.
PLAIN: tuple[Action, ...] = (
    Lost("before", 1),
    Refused(503, "idempotency_unavailable", 1),
    Refused(429, "rate_limited", 2),
    Tangled("bad_signature", 1),
    Declined("card_charge_failed", 1),
    Declined("insufficient_funds", 1),
    Declined("daily_spend_limit_exceeded", 2),
)
TROUBLES: st.SearchStrategy[Action] = st.one_of(
    st.builds(Lost, st.just("after"), TIMES),
    st.builds(Tangled, st.just("duplicate"), TIMES),
    st.builds(Tangled, st.just("reorder"), TIMES),
    st.builds(Outage, st.sampled_from((1, 6, 24, 60))),
    st.builds(Stumbled, st.sampled_from(("503", "timeout", "reset")), TIMES),
    st.sampled_from(PLAIN),
)
ACTIONS: st.SearchStrategy[Action] = st.one_of(TROUBLES, ORDERS, WAITS)


def _plan(_difference: int, claims: str, hasty: bool, before: list[Action], order: Action, after: list[Action]) -> Plan:
    return Plan(claims, hasty, (*before, order, *after))


PLANS = st.builds(
    _plan,
    DIFFERENCE,
    st.sampled_from(("address", "link")),
    st.booleans(),
    st.lists(TROUBLES, max_size=3),
    ORDERS,
    st.lists(ACTIONS, max_size=6),
)


def drawn(number: int) -> Plan:
    """The plan of a seed: the same one in every process."""
    plans: list[Plan] = []
    walk(number, plans.append, Phase.generate)
    return plans[-1]


def walk(number: int, visit: Callable[[Plan], Any], *phases: Phase) -> None:
    """Show `visit` the plans of a seed; when it raises, Hypothesis looks for a shorter plan that raises the same."""

    @seed(number)
    @settings(
        max_examples=EXAMPLES, phases=phases, database=None, deadline=None, derandomize=False, print_blob=False,
        report_multiple_bugs=False, suppress_health_check=list(HealthCheck), verbosity=Verbosity.quiet,
    )  # fmt: skip
    @given(PLANS)
    def run(plan: Plan) -> None:
        visit(plan)

    run()
