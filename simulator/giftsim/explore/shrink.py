"""The shortest plan that still goes wrong in the same way, found by Hypothesis from the seed that first did."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import Phase

from giftsim.explore.failures import Verdict, Wrong
from giftsim.explore.generator import walk
from giftsim.explore.plan import Plan
from giftsim.worlds import system_clock

MOST_PLAYS = 500
LONGEST_S = 60.0  # of real time, for an app that answers slowly or not at all

Try = Callable[[Plan], Verdict]


class Still(Exception):
    """The plan goes wrong in the way that is looked for."""


class Shortest:
    """The search for the shortest plan of a seed with a wrong of one kind; `best` and `wrong` are what it came to."""

    def __init__(self, seed: int, plan: Plan, wrong: Wrong) -> None:
        self.seed, self.kind = seed, wrong.kind
        self.best, self.wrong = plan, wrong
        self.plays = 0
        self._known: dict[Plan, Wrong | None] = {plan: wrong}
        self._until = system_clock.monotonic() + LONGEST_S

    def search(self, attempt: Try) -> None:
        """Try ever shorter plans, until none goes wrong like this or patience ends."""

        def visit(plan: Plan) -> None:
            if plan not in self._known:
                self._known[plan] = self._tried(plan, attempt)
            found = self._known[plan]
            if found is not None:
                self.best, self.wrong = plan, found  # the last one that Hypothesis looks at is the shortest
                raise Still

        try:
            walk(self.seed, visit, Phase.generate, Phase.shrink)
        except Still:
            return

    def _tried(self, plan: Plan, attempt: Try) -> Wrong | None:
        if self.plays >= MOST_PLAYS or system_clock.monotonic() > self._until:
            return None
        self.plays += 1
        return attempt(plan).find(self.kind)
