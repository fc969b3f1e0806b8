"""Fixtures for the tests of the console's pages."""

from __future__ import annotations

import pytest

from tests.support.console import Console
from tests.support.worlds import World


@pytest.fixture
def console(world: World) -> Console:
    """A browser at the console, in a fresh world."""
    return Console(world.simulator, world.id)
