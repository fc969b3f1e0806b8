"""Museums of fresh worlds: one wherever the run's worlds begin, and one on a Monday whose calendar the tests know."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.museum import MuseumClient
from tests.support.worlds import World

MONDAY = "2027-01-04T09:00:00Z"


@pytest.fixture
def open_museum(new_world: Callable[..., World]) -> Callable[..., MuseumClient]:
    """Opens the museum of a fresh world, described as worlds are."""
    return lambda **config: MuseumClient(new_world(**config))


@pytest.fixture
def museum(open_museum: Callable[..., MuseumClient]) -> MuseumClient:
    """A museum that is open on weekdays and has no events yet."""
    return open_museum()


@pytest.fixture
def monday(open_museum: Callable[..., MuseumClient]) -> MuseumClient:
    """The same on Monday the 4th of January 2027 at nine."""
    return open_museum(now=MONDAY)
