"""The command of `play --check`."""

from __future__ import annotations

import pytest

from giftsim.scenario.downstream_app import run_check_command


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("true", None),
        ("echo first; echo last; exit 1", "last"),
        ("echo output; echo problem >&2; exit 2", "problem"),
        ("exit 3", "the command ended with exit status 3"),
        (
            'echo "$GIFTSIM_ORIGIN $GIFTSIM_WORLD $GIFTSIM_KEY $GIFTSIM_APP"; exit 1',
            "http://s w1 pk_live_w1_prepaid http://a",
        ),
    ],
)
def test_a_check_fails_with_the_last_line_that_the_command_printed(command: str, reason: str | None) -> None:
    assert run_check_command(command, origin="http://s", world="w1", app="http://a") == reason
