"""Rules about the team API and the museum: a right shop obeys, and each mistake is named by its rule."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.workbench.exam.exam_rule import Outcome
from tests.exam import team_shop as shops
from tests.exam.examined import examine

NAMES = (
    "sends_gifts_once", "waits_for_approval", "runs_campaigns_once", "keeps_birthdays", "keeps_monthly_budgets",
    "buys_tickets_once", "leans_on_no_guess",
)  # fmt: skip
MISTAKES: list[tuple[str, Any, str]] = [
    ("sends_gifts_once", shops.NewKeyForEachTry, "times"),
    ("sends_gifts_once", shops.ForgetsGifts, "times"),
    ("sends_gifts_once", shops.CountsTwice, "and booked 2: an event that comes again"),
    ("sends_gifts_once", shops.OnePerPerson, "for one person, and there are 1"),
    ("waits_for_approval", shops.SentAtOnce, "is waiting, and the app says sent"),
    ("waits_for_approval", shops.YesIsSent, "is waiting, and the app says sent"),
    ("waits_for_approval", shops.AsksAnew, "was made 2 times"),
    ("runs_campaigns_once", shops.NewKeyForEachTry, "times, each with a key of its own"),
    ("keeps_birthdays", shops.RulesAgain, "2 gifts were made"),
    ("keeps_birthdays", shops.NoLeapDay, "0 gifts were made for the birthday 02-29"),
    ("keeps_birthdays", shops.NextDay, "0 gifts were made"),
    ("keeps_monthly_budgets", shops.MonthsInUtc, "the app says: our budgets are"),
    ("keeps_monthly_budgets", shops.BooksTwice, "the app says: our budgets are"),
    ("buys_tickets_once", shops.BuysAgain, "and bought 3"),
    ("buys_tickets_once", shops.DaysAsInstants, "and bought 0"),
]


@pytest.mark.parametrize("seed", range(3))
def test_a_right_shop_obeys(seed: int) -> None:
    for name, result in examine(shops.TeamShop(), *NAMES, seed=seed, handler=shops.TeamHandler).items():
        assert result.outcome is Outcome.PASSED, (name, result.reason)
        assert result.sources.keys() == set(result.rule.sources)


@pytest.mark.parametrize(("name", "mistake", "reason"), MISTAKES)
def test_a_mistake_fails_the_rule_that_is_about_it(name: str, mistake: Any, reason: str) -> None:
    result = examine(mistake(), name, seed=len(reason), handler=shops.TeamHandler)[name]
    assert result.outcome is Outcome.FAILED
    assert reason in (result.reason or "")


def test_rules_about_what_an_app_does_not_do_are_not_offered() -> None:
    found = examine(shops.TeamShop(), *NAMES, seed=1)
    outcomes = {name: result.outcome for name, result in found.items()}
    assert outcomes == {**dict.fromkeys(NAMES, Outcome.NOT_OFFERED), "leans_on_no_guess": Outcome.PASSED}
