"""A state seeded with the team sections of a fixture, without HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.kernel.state import State
from giftsim.services.fixture_loader import read_fixture
from giftsim.services.gifting.domain import seed
from giftsim.services.gifting.domain.team import team_definitions
from giftsim.services.known import make_definitions


def seed_team_state(fixture: str | Mapping[str, Any], now: str = "2027-01-04T09:00:00Z") -> State:
    """A state with everything in a fixture: the name of one, or sections that extend `empty`."""
    data = read_fixture(fixture if isinstance(fixture, str) else {"extends": "empty", **fixture})
    state = State(make_definitions(), 1, parse_instant(now))
    seed.seed_world(state, data)
    team_definitions.seed_team_sections(state, data)
    return state
