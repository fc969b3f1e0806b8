"""The rules about money and cancellations pass the example shop, and fail each shop with a mistake."""

from __future__ import annotations

import re
from typing import Any

import pytest

from giftsim.workbench.exam.exam_rule import Outcome
from tests.exam import order_shops as shops
from tests.exam.examined import examine

RULES = (
    "pays_declined_orders_later", "settles_what_is_owed", "books_what_was_charged", "cancels_what_it_means",
    "cancels_too_late", "books_refunds", "cancels_once", "pages_to_the_end", "reads_moving_lists",
)  # fmt: skip
MISTAKES: list[tuple[str, Any, str]] = [
    ("pays_declined_orders_later", shops.NewKeyAfterDecline, r"was ordered \d times"),
    ("pays_declined_orders_later", shops.RefusedIsPlaced, "and the app answers 'placed'"),
    ("pays_declined_orders_later", shops.PaysTheFirst, "and it is paid, and the app answers 'unpaid'"),
    ("pays_declined_orders_later", shops.DeclineIsNo, "can be paid later, and the app answers 'refused'"),
    ("settles_what_is_owed", shops.SettlesByItsBooks, "cents, and the app says"),
    ("settles_what_is_owed", shops.NeverSettles, "are owed, and the app settled nothing"),
    ("books_what_was_charged", shops.OwnPrices, "were charged, and the app says"),
    ("books_what_was_charged", shops.SmallNumbers, "were charged, and the app says"),
    ("books_what_was_charged", shops.CutsDollars, "were charged, and the app says"),
    ("books_what_was_charged", shops.RaisesDollars, "were charged, and the app says"),
    ("books_what_was_charged", shops.TotalIsCharged, "0 cents of .* were charged, and the app says"),
    ("cancels_what_it_means", shops.CancelsWhole, "was not to be canceled, and the app canceled it"),
    ("cancels_what_it_means", shops.CancelsByName, "was not to be canceled, and the app canceled it"),
    ("cancels_too_late", shops.AskedIsCanceled, "and the app says canceled"),
    ("books_refunds", shops.EqualShares, "were refunded, and the app says"),
    ("books_refunds", shops.DividesTheCharge, "were refunded, and the app says"),
    ("cancels_once", shops.RefundsNothingLost, "were refunded, and the app says"),
    ("cancels_once", shops.CanceledWhileUnknown, "since its payment is unknown, and the app says that it was"),
    ("pages_to_the_end", shops.FirstPage, "and left out"),
    ("pages_to_the_end", shops.AnyStatus, "has another status"),
    ("reads_moving_lists", shops.OnePass, "and left out"),
    ("reads_moving_lists", shops.AppendsPages, r"and left out|the app read .* twice"),
]


@pytest.mark.parametrize("seed", range(4))
def test_the_example_shop_obeys(seed: int) -> None:
    for name, result in examine(shops.QuickShop(), *RULES, seed=seed).items():
        assert result.outcome is Outcome.PASSED, (name, result.reason)


@pytest.mark.parametrize("seed", range(4))
def test_a_settlement_counts_apart_from_orders_that_the_app_pays_with_it(seed: int) -> None:
    result = examine(shops.PaysAfterSettling(), "settles_what_is_owed", seed=seed)["settles_what_is_owed"]
    assert result.outcome is Outcome.PASSED, result.reason


def test_what_mends_the_reading_of_lists_is_said() -> None:
    for name, mistake, mend in (
        ("pages_to_the_end", shops.FirstPage, "until a page is empty"),
        ("reads_moving_lists", shops.OnePass, "until a reading finds no order that you do not have"),
        ("reads_moving_lists", shops.AppendsPages, "until a reading finds no order that you do not have"),
    ):
        assert mend in (examine(mistake(), name, seed=len(name))[name].mend or ""), name


@pytest.mark.parametrize(("name", "mistake", "reason"), MISTAKES)
def test_a_mistake_fails_the_rule_that_is_about_it(name: str, mistake: Any, reason: str) -> None:
    result = examine(mistake(), name, seed=len(name))[name]
    assert result.outcome is Outcome.FAILED
    assert re.search(reason, result.reason or "")
