"""Each planted mistake is failed by the rule that names it, and the right shop passes that rule on the same seed."""

from __future__ import annotations

import pytest

from giftsim.workbench.exam.exam_rule import Outcome
from tests.exam.examined import RULES, examine
from tests.exam.planted.table import FIRST, FURTHER, KNOWN, MISTAKES
from tests.exam.sample_shop import Shop
from tools.explored_apps import BUGS, UNSEEN

SEED = 11


@pytest.mark.parametrize("name", [*FIRST, *FURTHER])
def test_a_planted_mistake_is_failed_by_the_rule_that_names_it(name: str) -> None:
    mistake = MISTAKES[name]
    result = examine(mistake.shop(), mistake.rule, seed=SEED)[mistake.rule]
    assert result.outcome is Outcome.FAILED
    assert result.reason


def test_the_shop_without_a_mistake_passes_these_rules() -> None:
    rules = {MISTAKES[name].rule: "" for name in (*FIRST, *FURTHER)}
    found = examine(Shop(), *rules, seed=SEED, budget_s=300)
    assert {name: result.reason for name, result in found.items() if result.outcome is not Outcome.PASSED} == {}


def test_there_are_four_of_a_first_integration_twelve_further_ones_and_all_that_explore_knows() -> None:
    assert len(FIRST) == 4
    assert len(FURTHER) >= 12
    assert KNOWN.keys() == {bug for bug, app in BUGS.items() if app != UNSEEN}
    assert {mistake.rule for mistake in MISTAKES.values()} <= RULES.keys()
