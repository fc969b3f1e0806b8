"""A run of mutants tells those that are noticed from those that are not."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tools.test_mutants import SHOP, mutant, shop, trials_of
from tools.mutants.__main__ import describe, text
from tools.mutants.mutant import PRODUCT

__all__ = ["shop"]  # a fixture of theirs


def test_a_run_says_which_test_noticed_a_mutant_and_leaves_the_checkout_alone(shop: Path) -> None:
    trials = trials_of(
        shop,
        mutant("A total is one too high", "total", "sum(prices)", "sum(prices) + 1"),
        mutant("A total is doubled", "total", "sum(prices)", "sum(prices) * 2", test="test_total"),
    )
    trials |= trials_of(shop, mutant("Waiting never ends", "wait", "stock += 1", "pass"), timeout_s=2.0)
    assert {name: (trial.verdict, trial.by) for name, trial in trials.items()} == {
        "A total is one too high": ("noticed", "tests/test_shop.py::test_total"),
        "A total is doubled": ("survived", ""),
        "Waiting never ends": ("noticed", "time-out"),
    }
    assert (shop / PRODUCT / "shop.py").read_text(encoding="utf-8") == SHOP
    assert describe(trials["A total is doubled"]).splitlines() == [
        "SURVIVED: A total is doubled",
        "  simulator/giftsim/shop.py:3",
        "  -    return sum(prices)",
        "  +    return sum(prices) * 2",
        "  ran tests/test_shop.py::test_total",
    ]


def test_the_report_counts_survivors_with_a_reason_apart(shop: Path) -> None:
    trials = trials_of(
        shop,
        mutant("A total is doubled", "total", "sum(prices)", "sum(prices) * 2", reason="prices are zero"),
        mutant("A total is one too high", "total", "sum(prices)", "sum(prices) + 1", reason="it is not"),
    )
    assert not any(trial.fails for trial in trials.values())
    lines = list(text(trials.values()))
    assert lines[-1] == "2 mutants: 1 noticed, 1 survive for a named reason, 0 survive."
    assert re.search("because prices are zero", lines[0])
    assert lines[1].startswith("A total is one too high: tests/test_shop.py::test_total notices it now")
