"""Fixtures of the team interface's tests."""

from __future__ import annotations

import pytest

from tests.support.team.clients import TeamClients
from tests.support.worlds import World


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients with the credentials of a new world's team."""
    return TeamClients(world)
