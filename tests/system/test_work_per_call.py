"""The work of a call and of a timer has bounds: it is counted, not timed, so a busy machine changes nothing.

A bound that is exceeded names where to look. Raise it only with a reason, in the commit that needs more.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.work import WITHOUT_GARBAGE

ROOT = Path(__file__).parent.parent.parent

# For each operation: Python calls, writes to tables, encodings of JSON, bytes at the peak, bytes that are left. For a
# timer that fires, of all that its advance does. A little above what is.
BOUNDS: dict[str, dict[str, float]] = {
    "create": {"calls": 259, "writes": 12, "encodings": 3, "peak_bytes": 9_900, "left_bytes": 8_700},
    "read": {"calls": 104, "writes": 0, "encodings": 1, "peak_bytes": 5_400, "left_bytes": 3_150},
    "list_page": {"calls": 160, "writes": 0, "encodings": 1, "peak_bytes": 27_500, "left_bytes": 14_000},
    "world": {"calls": 293, "writes": 0, "encodings": 5},
    "advance": {"calls": 61, "writes": 2.5, "encodings": 0.03},
    "wait": {"calls": 184, "writes": 0, "encodings": 4},
}
HOW_TO_LOOK = (
    "Look at `PYTHONPATH=simulator:. python -m tests.support.work {name}`, which lists the functions that are called, "
    "and at the same for the commit before. If the product needs the work, raise the bound and say why in the commit."
)


def run_work(*arguments: str) -> str:
    """What the measurement prints; it runs in a process of its own, without the plugins of this suite."""
    command = [sys.executable, "-m", "tests.support.work", *arguments]
    environment = {"PYTHONPATH": f"{ROOT / 'simulator'}:{ROOT}", "PYTHONHASHSEED": "0"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def figures() -> Any:
    """The work of every operation."""
    return json.loads(run_work())


@pytest.mark.parametrize("name", BOUNDS)
def test_an_operation_makes_no_more_work_than_its_bound(figures: Any, name: str) -> None:
    more = {what: (figures[name][what], most) for what, most in BOUNDS[name].items() if figures[name][what] > most}
    assert not more, f"{name} has more than its bound: {more}. {HOW_TO_LOOK.format(name=name)}"


@pytest.mark.parametrize("name", BOUNDS)
def test_a_bound_is_close_to_what_is(figures: Any, name: str) -> None:
    loose = {
        what: (figures[name][what], most) for what, most in BOUNDS[name].items() if figures[name][what] < most * 0.5
    }
    assert not loose, f"{name} does less than it did: lower these bounds to keep it so: {loose}"


def test_no_operation_leaves_garbage_for_the_collector(figures: Any) -> None:
    assert figures["garbage"] == dict.fromkeys(WITHOUT_GARBAGE, 0)


def test_people_who_are_not_due_make_no_work_for_a_daily_rule(figures: Any) -> None:
    few, many = figures["rules"]["calls with 10 people"], figures["rules"]["calls with 400 people"]
    assert many - few < 100, f"a daily run makes {few} calls with 10 people who are not due, {many} with 400"


def test_a_fork_makes_no_more_work_after_many_calls(figures: Any) -> None:
    few, many = figures["forks"]["calls after 10 orders"], figures["forks"]["calls after 500 orders"]
    assert few == many, f"a fork makes {few} calls after 10 orders, {many} after 500"


def test_the_measurement_lists_the_functions_of_an_operation() -> None:
    listed = run_work("read")
    assert "gateway/middleware.py:lock_world" in listed
    assert "0.00 writes in all" in listed
