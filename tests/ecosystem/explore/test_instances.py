"""Apps that keep their data through restarts and second instances, and one that saves a key late."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.explore.test_instances import AGAIN, AT_ONCE, ON_BOTH, RESTARTED, TWICE, exploring, reasons


@pytest.mark.parametrize("app", ["", "none-but-locks"])
def test_an_app_that_keeps_its_data_survives_both(app: str, tmp_path: Path) -> None:
    with exploring(tmp_path, app) as explorer:
        for actions in (AGAIN, RESTARTED, ON_BOTH, (*RESTARTED, *ON_BOTH), AT_ONCE, (*AT_ONCE, *ON_BOTH, *AT_ONCE)):
            assert reasons(explorer, *actions) == []


def test_a_key_that_is_saved_late_is_found_by_two_calls_at_once_and_not_by_one_after_the_other(tmp_path: Path) -> None:
    with exploring(tmp_path, "saved-late") as explorer:
        assert reasons(explorer, *RESTARTED, *ON_BOTH) == []
        for _ in range(3):
            assert reasons(explorer, *AT_ONCE) == [TWICE]
