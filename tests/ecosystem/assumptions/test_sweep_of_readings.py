"""Calls of all operations under each reading alone; tests/gateway has all readings at once."""

from __future__ import annotations

import pytest

from giftsim.workbench.assumptions.variants import load_variants, settings_of
from tests.gateway.test_sweep_of_readings import failures_with


@pytest.mark.parametrize("variant", load_variants())
def test_no_reading_alone_makes_giftsim_fail(variant: str) -> None:
    assert failures_with(settings_of([variant])) == (0, None, [])
