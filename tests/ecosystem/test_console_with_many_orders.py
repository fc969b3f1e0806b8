"""The console in a world with 50,000 orders: what its pages and actions take is counted in two small worlds.

What grows with the world grows evenly, from order to order: a search looks at each. So the work with 50,000 orders
follows from that with a few hundred. 300,000 calls of such small functions took 42 ms. The call log keeps 10,000 calls,
so a list of calls looks at no more.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from giftsim.engine.worlds.call_log import MAX_ENTRIES

FEW, MORE, MANY = 60, 200, 50_000
MOST_CALLS = 850_000  # in 120 ms of processor: an act on an order shows its page anew, which tries each rehearsal
MOST_BYTES = 165_000  # with the entries of the time strip as data: up to 22,000, compressed 3,000
BOUNDED = ("time/preview", "time/happened")  # by a thousand timers or changes, which tests of their own show
REPLAYED = ("/why?",)  # a question looks at all that happened, as a trace does
WHOLE = ("moments/file",)  # the file of a moment is a trace: a copy of the world, and all that happened in it


@pytest.fixture(scope="module")
def figures() -> tuple[dict[str, Any], dict[str, Any]]:
    """The figures of a world with few orders, and of one with more."""
    few, more = (_figures(orders) for orders in (FEW, MORE))
    return few, more


def _figures(orders: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.support.console_work", str(orders)]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return found


def test_a_page_and_an_action_take_little_work_with_50000_orders(
    figures: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    few, more = figures
    both = [
        name for name in few.keys() & more.keys() if not any(each in name for each in (*BOUNDED, *REPLAYED, *WHOLE))
    ]
    assert len(both) > 100
    slopes = {name: (more[name]["calls"] - few[name]["calls"]) / (MORE - FEW) for name in both}
    looked_at = {name: MAX_ENTRIES if "/calls" in name else MANY for name in both}
    large = {name: round(more[name]["calls"] + slopes[name] * (looked_at[name] - MORE)) for name in both}
    assert {name: calls for name, calls in large.items() if calls > MOST_CALLS} == {}


def test_a_page_is_small_before_it_is_compressed(figures: tuple[dict[str, Any], dict[str, Any]]) -> None:
    assert {name: row["bytes"] for each in figures for name, row in each.items() if row["bytes"] > MOST_BYTES} == {}
