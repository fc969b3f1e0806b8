"""Fixtures: what a world can start with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from giftsim.control.pagination import numbered, page
from giftsim.gateway.call import Call, Handler, Response

DescribeFixtures = Callable[[], Sequence[dict[str, Any]]]


def make_list_fixtures(describe: DescribeFixtures) -> Handler:
    """The handler that lists fixtures with a sentence each."""

    def list_fixtures(call: Call) -> Response:
        return page(call, "fixtures", numbered(describe()), dict)

    return list_fixtures
