"""The team interface does what its model says, whatever keys, people, banks and the clock do."""

from __future__ import annotations

from tests.models.team_machine import TeamMachine
from tests.models.world import run_model


def test_the_team_interface_does_what_its_model_says() -> None:
    run_model(TeamMachine, sequences=150, steps=20)
