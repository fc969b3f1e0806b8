"""The team interface and its model do not differ."""

from __future__ import annotations

from tests.models.team_machine import TeamMachine
from tests.models.world import run_model
from tests.shows import shows


@shows("T-1.4", "T-1.5", "T-1.9", "T-1.14", "T-1.15", "T-1.17", "T-3.1", "T-3.3", "T-3.4", "T-3.5", "T-3.6", "T-3.7",
        "T-4.184", "T-4.185", "T-5.16", "T-5.18", "T-5.19", "T-5.22", "T-5.23", "T-5.24", "T-5.25", "T-5.29", "T-6.13",
        "T-6.14", "T-6.21")  # fmt: skip
def test_the_team_interface_does_what_its_model_says() -> None:
    run_model(TeamMachine, sequences=100, steps=20)
