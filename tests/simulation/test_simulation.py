"""Runs of the simulation: a hundred seeds find nothing, and a seed is the same run each time."""

from __future__ import annotations

import pytest

from tests.simulation.plan import FEATURES, draw
from tests.simulation.run import run

SEEDS = range(100)
PER_TEST = 25


@pytest.mark.parametrize("first", SEEDS[::PER_TEST])
def test_nothing_that_can_happen_to_the_process_breaks_what_must_hold(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        outcome = run(draw(seed))
        assert not outcome.violation, f"{outcome.violation}\nrepeat it: python -m tools simulate --seed {seed}"


def test_a_seed_is_the_same_run_each_time() -> None:
    for seed in (3, 7, 11):
        first, second = run(draw(seed)), run(draw(seed))
        assert (first.log, first.digest) == (second.log, second.digest)


def test_the_seeds_have_all_that_can_happen() -> None:
    plans = [draw(seed) for seed in SEEDS]
    kinds = {event.kind for plan in plans for event in plan.events}
    assert kinds.issuperset(kind for weights in FEATURES.values() for kind in weights)
