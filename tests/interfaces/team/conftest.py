"""Teams of fresh worlds."""

from __future__ import annotations

import pytest

from tests.support.team.clients import TeamClients
from tests.support.worlds import World


@pytest.fixture
def team(world: World) -> TeamClients:
    """The team of a fresh world's credentials."""
    return TeamClients(world)
