"""Teams of fresh worlds."""

from __future__ import annotations

import pytest

from tests.harness import World
from tests.interfaces.team.scene import Team


@pytest.fixture
def team(world: World) -> Team:
    """The team of a fresh world's credentials."""
    return Team(world)
