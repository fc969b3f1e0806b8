"""Holds an exam of a shop in this process for some rules: every probe of each, on one seed."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.exam.exam import Exam, RuleResult
from giftsim.workbench.exam.examined_app import ExaminedApp
from giftsim.workbench.exam.rules import all_rules
from tests.exam.sample_shop import EXAMPLE, serving

RULES = {rule.id: rule for rule in all_rules()}


def examine(
    shop: Any, *names: str, seed: int, budget_s: float = 60, handler: Any = EXAMPLE.Handler, rounds: int = 0
) -> dict[str, RuleResult]:
    """The results of these rules by their ids. Each of their probes ran once, unless one before it was failed.

    `rounds` is another number of probes of each.
    """
    rules = [RULES[name] for name in names]
    with serving(shop, handler) as url, closing(ExaminedApp(AppProtocol(app=url))) as app:
        rounds = rounds or max(len(rule.probes) for rule in rules)
        with closing(Exam(app, rules, seed=seed, budget_s=budget_s, rounds=rounds)) as exam:
            for _ in exam.hold():
                pass
            return dict(exam.results)
