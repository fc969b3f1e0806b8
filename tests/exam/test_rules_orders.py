"""The rules about orders pass the example shop, and fail each shop with a mistake."""

from __future__ import annotations

import re
from typing import Any

import pytest

from giftsim.workbench.exam.exam_rule import Outcome
from tests.exam import order_shops as shops
from tests.exam.examined import examine
from tests.exam.sample_shop import TIMEOUT_S, Shop

RULES = (
    "pays_once",
    "orders_once",
    "corrects_refused_orders",
    "takes_letters_from_everywhere",
    "retries_server_errors",
)
MISTAKES: list[tuple[str, Any, str]] = [
    ("pays_once", shops.NewKeyAfterLoss, "was ordered 2 times|the app ordered it anew: 2 times"),
    ("waits_out_unknown_outcomes", shops.NewKeyForUnknown, "was ordered 2 times|the app ordered it anew: 2 times"),
    (
        "waits_out_unknown_outcomes",
        shops.ConflictIsNo,
        "nobody kn.* whether the order was paid, and the app answers 'refused'",
    ),
    ("waits_out_unknown_outcomes", shops.GivesUpForGood, "still does not know what became of"),
    ("orders_once", shops.OrdersAnew, r"was ordered \d+ times|are two orders, and the service has"),
    ("orders_once", shops.NoTwoAlike, "are two orders, and the service has 1"),
    ("corrects_refused_orders", shops.KeepsRefused, "the order was corrected, and nothing is wrong with it any more"),
    ("corrects_refused_orders", shops.RefusedIsPlaced, "the service refused the order, and nothing was created"),
    ("retries_server_errors", shops.ErrorIsNo, "the service failed"),
    ("retries_server_errors", shops.OutageIsNo, "which says nothing about the order, and the app answers 'refused'"),
    ("honours_retry_after", shops.Impatient, "the app was to wait for 1 s, and called"),
    ("takes_letters_from_everywhere", shops.PlainLetters, "the name of a recipient of"),
]


@pytest.mark.parametrize("seed", range(4))
def test_the_example_shop_obeys(seed: int) -> None:
    for name, result in examine(shops.QuickShop(), *RULES, seed=seed).items():
        assert result.outcome is Outcome.PASSED, (name, result.reason)


def test_the_example_shop_waits_for_what_nobody_knows() -> None:
    result = examine(shops.QuickShop(), "waits_out_unknown_outcomes", seed=5)["waits_out_unknown_outcomes"]
    assert result.outcome is Outcome.PASSED, result.reason


def test_the_example_shop_waits_as_long_as_it_is_told() -> None:
    result = examine(Shop((), TIMEOUT_S), "honours_retry_after", seed=6)["honours_retry_after"]
    assert result.outcome is Outcome.PASSED, result.reason


@pytest.mark.parametrize(("name", "mistake", "reason"), MISTAKES)
def test_a_mistake_fails_the_rule_that_is_about_it(name: str, mistake: Any, reason: str) -> None:
    result = examine(mistake(), name, seed=len(reason))[name]
    assert result.outcome is Outcome.FAILED
    assert re.search(reason, result.reason or "")
