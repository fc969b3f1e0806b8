"""The team's store."""

from __future__ import annotations

from typing import Any

from simulator.domain.team.orders.store import name, shelf
from simulator.domain.team.space import Space
from simulator.interfaces.team.views.catalogue import item
from simulator.kernel.state import State


def store(state: State, space: Space) -> dict[str, Any]:
    """What the store is called, and what it sells."""
    return {"name": name(state, space), "items": [item(product) for product in shelf(state)]}
