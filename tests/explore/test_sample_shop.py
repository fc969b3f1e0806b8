"""The sample shop: exploring finds each of its three bugs; tests/ecosystem/explore has whole explorations."""

from __future__ import annotations

import pytest

from tests.explore.sample_apps import BUGS, exploring, shop

SEEDS = 30
REASONS = {"duplicates": "earned 200 points", "order": "our records are behind", "new-key": "was placed"}


@pytest.mark.parametrize("bug", BUGS)
def test_one_bug_alone_is_the_only_failure(bug: str) -> None:
    with shop(bug) as app, exploring(app) as explorer:
        for seed in explorer.run_seeds(range(1, SEEDS + 1)):
            assert seed == explorer.seeds_run[-1]
            if explorer.failures:
                break
        [(reason, _)] = explorer.failures
    assert REASONS[bug] in reason
