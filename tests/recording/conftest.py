"""A second simulator, for recordings that are replayed elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator


@pytest.fixture(scope="module")
def other() -> Iterator[Simulator]:
    """Another simulator, in which recordings are replayed."""
    simulator = Simulator(fixture="bare")
    yield simulator
    simulator.close()
