"""What `${...}` is resolved to."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.kernel.instants import parse_instant
from giftsim.scenario.variables import resolve

START_MS = parse_instant("2027-01-04T09:00:00Z")
VARIABLES = {
    "world": "w1",
    "start": START_MS,
    "start_date": START_MS,
    "order": 7,
    "list": [1, {"a": None}],
    "none": None,
}

RESOLVED = [
    ("${order}", 7),
    ("order ${order}", "order 7"),
    ("${order}${order}", "77"),
    ("/worlds/${world}/orders/${order}?x=${order}", "/worlds/w1/orders/7?x=7"),
    ("${list}", [1, {"a": None}]),
    ("${none}", None),
    ("${start}", "2027-01-04T09:00:00Z"),
    ("${start+36h}", "2027-01-05T21:00:00Z"),
    ("${start-1w}", "2026-12-28T09:00:00Z"),
    ("${start_date}", "2027-01-04"),
    ("${start_date+3d}", "2027-01-07"),
    ("from ${start_date-1d} on", "from 2027-01-03 on"),
    ("$${order}", "${order}"),
    ("a $${order} ${order}", "a ${order} 7"),
    ("$order {order} $ {order}", "$order {order} $ {order}"),
    ({"${order}": ["${order}", {"a": "x${order}"}, 1, True, None]}, {"${order}": [7, {"a": "x7"}, 1, True, None]}),
]


@pytest.mark.parametrize(("value", "resolved"), RESOLVED)
def test_expressions_are_resolved_and_one_that_is_the_whole_text_keeps_its_type(value: Any, resolved: Any) -> None:
    assert resolve(value, VARIABLES) == resolved


def test_resolving_does_not_change_the_original() -> None:
    value = {"a": ["${order}"]}
    resolve(value, VARIABLES)
    assert value == {"a": ["${order}"]}
