"""Fixtures of the tests of teams."""

from __future__ import annotations

import pytest

from tests.support.domain.paying_team import PayingTeam


@pytest.fixture
def team() -> PayingTeam:
    """A live team with money and two keys."""
    return PayingTeam()
