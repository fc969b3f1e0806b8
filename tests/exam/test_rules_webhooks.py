"""A right app obeys the rules about webhooks, and each mistake is found by the rule that names it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import pytest

from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.exam.exam import Exam, RuleResult
from giftsim.workbench.exam.examined_app import ExaminedApp
from giftsim.workbench.exam.rules import all_rules, delivery_troubles, events, late_events, signatures
from tests.exam import signature_shops, webhook_shops
from tests.exam.sample_shop import Shop, serving

RULES = [rule.id for module in (signatures, events, late_events, delivery_troubles) for rule in module.RULES]
MISTAKES = {**signature_shops.MISTAKES, **webhook_shops.MISTAKES}


def results(shop: Any, seed: int, names: Sequence[str]) -> dict[str, RuleResult]:
    """What the exam of a shop says of these rules."""
    rules = [rule for rule in all_rules() if rule.id in names]
    with (
        serving(shop) as url,
        closing(ExaminedApp(AppProtocol(app=url))) as app,
        closing(Exam(app, rules, seed=seed, budget_s=300)) as exam,
    ):
        for _ in exam.hold():
            pass
        return dict(exam.results)


@pytest.mark.parametrize("seed", [3, 1_000_003])
def test_a_right_shop_obeys_every_rule_about_webhooks(seed: int) -> None:
    found = results(Shop(), seed, RULES)
    outcomes = {name: (result.outcome, result.reason) for name, result in found.items()}
    assert outcomes == dict.fromkeys(RULES, ("passed", None))


@pytest.mark.parametrize(("shop", "rule"), MISTAKES.items(), ids=lambda each: getattr(each, "__name__", each))
def test_a_mistake_is_found_by_the_rule_that_names_it(shop: type[Any], rule: str) -> None:
    result = results(shop(), 5, [rule])[rule]
    assert result.outcome == "failed"
    assert result.reason
    assert result.rule.sources
