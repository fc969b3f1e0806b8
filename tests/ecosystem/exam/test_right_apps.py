"""The right example apps pass the exam. More seeds than here: `python -m tools.exams --seeds 50`."""

from __future__ import annotations

import pytest

from tools.exams import APPS, examine, failures, running

SEEDS = (1, 2)


@pytest.mark.parametrize("app", APPS)
def test_a_right_app_passes_the_exam(app: str) -> None:
    with running(app) as url:
        assert [failures(examine(url, seed)) for seed in SEEDS] == [[] for _ in SEEDS]
