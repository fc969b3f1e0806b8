"""Shrinking: cut events from the plan of a failing run while it fails in the same way."""

from __future__ import annotations

from collections.abc import Callable

from tests.simulation.plan import Plan
from tests.simulation.run import Outcome, run

MOST_RUNS = 200


def shrink(outcome: Outcome, tell: Callable[[str], None] = lambda _: None) -> Outcome:
    """The failing run with the fewest events that was found."""
    best, left = outcome, MOST_RUNS
    size = max(1, len(best.plan.events) // 2)
    while left > 0:
        smaller = None
        for plan in _with_less(best.plan, size):
            left -= 1
            tried = run(plan)
            if tried.kind == outcome.kind:
                smaller = tried
                break
            if left <= 0:
                break
        if smaller is not None:
            best = smaller
            tell(f"{len(best.plan.events)} events")
        elif size == 1:
            break
        size = max(1, min(size // (1 if smaller else 2), len(best.plan.events)))
    return best


def _with_less(plan: Plan, size: int) -> list[Plan]:
    """The plan without each stretch of so many events."""
    numbers = [event.n for event in plan.events]
    return [plan.only({*numbers} - {*numbers[at : at + size]}) for at in range(0, len(numbers), size)]
