"""The page about services names every extension point of the engine."""

from __future__ import annotations

from giftsim.engine.gateway.extension_points import EXTENSION_POINTS
from giftsim.engine.gateway.simulated_service import Service
from tools.docgen.service_page import extension_points


def test_every_member_of_a_service_is_on_the_page() -> None:
    assert tuple(EXTENSION_POINTS) == Service.__struct_fields__
    assert all(f"| `{name}` | " in extension_points() for name in EXTENSION_POINTS)
