"""The search for the variants that break a test."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from giftsim.workbench.assumptions.search import find_culprits

ALL = range(64)


class Subject:
    """A test that fails with each of some sets of variants."""

    def __init__(self, *sets: Sequence[int]) -> None:
        self.sets, self.runs = sets, 0

    def run(self, variants: tuple[int, ...]) -> str | None:
        """How it fails: by the first set that is there."""
        self.runs += 1
        return next((f"fails with {each}" for each in self.sets if set(each) <= set(variants)), None)


@pytest.mark.parametrize("sets", [[], [[5]], [[0]], [[63]], [[5], [40]], [[5, 40]], [[1, 2, 3]], [[1, 9], [20]]])
def test_every_smallest_set_is_found_with_its_failure(sets: list[list[int]]) -> None:
    found = find_culprits(Subject(*sets).run, ALL)
    assert sorted((list(each.culprits), each.failure) for each in found) == sorted(
        (each, f"fails with {each}") for each in sets
    )


def test_a_test_that_passes_with_all_runs_once() -> None:
    subject = Subject()
    assert not find_culprits(subject.run, ALL)
    assert subject.runs == 1


def test_one_of_64_is_found_in_nine_runs() -> None:
    subject = Subject([37])
    find_culprits(subject.run, ALL)
    assert subject.runs <= 9
