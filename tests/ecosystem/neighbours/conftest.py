"""Runs the suite of a user beside the neighbour that a test file is named after."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.neighbours import Run, run_beside


@pytest.fixture
def beside(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """`run_beside` for the neighbour of this file."""
    name = request.path.stem.removeprefix("test_")
    return lambda suite, *options: run_beside(name, tmp_path, suite, *options)
