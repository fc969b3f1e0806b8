"""Files that move, what a team makes of them, and their model do not differ."""

from __future__ import annotations

from tests.models.files_machine import FilesMachine
from tests.models.world import run_model


def test_files_that_move_do_what_the_model_says() -> None:
    run_model(FilesMachine, sequences=100, steps=20)
