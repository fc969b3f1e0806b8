"""Fixtures of the team interface's tests."""

from __future__ import annotations

import pytest

from tests.support.team.clients import TeamClients
from tests.support.worlds import World


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients with the credentials of a new world's team."""
    return TeamClients(world)


@pytest.fixture
def small_batches(world: World) -> None:
    """Set the batch size of large campaigns to two recipients."""
    world.change_settings(large_campaign__batch_size=2)
