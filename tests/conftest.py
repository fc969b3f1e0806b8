"""What every test has: the mark by which it answers for claims."""

from __future__ import annotations

import pytest
from hypothesis import settings

# A shared machine may pause for longer than Hypothesis allows one example; slowness is the benchmarks' business.
settings.register_profile("giftsim", deadline=None)
settings.load_profile("giftsim")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "claims(*ids): the claims about the service that this test would see broken")
