"""Museums of fresh worlds: one wherever the run's worlds begin, and one on a Monday whose calendar the tests know."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.harness import World
from tests.interfaces.museum.scene import Museum

MONDAY = "2027-01-04T09:00:00Z"


@pytest.fixture
def open_museum(new_world: Callable[..., World]) -> Callable[..., Museum]:
    """Opens the museum of a fresh world, described as worlds are."""
    return lambda **config: Museum(new_world(**config))


@pytest.fixture
def museum(open_museum: Callable[..., Museum]) -> Museum:
    """A museum that is open on weekdays and has no events yet."""
    return open_museum()


@pytest.fixture
def monday(open_museum: Callable[..., Museum]) -> Museum:
    """The same on Monday the 4th of January 2027 at nine."""
    return open_museum(now=MONDAY)
