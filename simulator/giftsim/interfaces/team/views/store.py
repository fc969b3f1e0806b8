"""The team's store."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.orders.store import name, shelf
from giftsim.domain.team.tenant import Tenant
from giftsim.interfaces.team.views.catalogue import item
from giftsim.kernel.state import State


def store(state: State, tenant: Tenant) -> dict[str, Any]:
    """What the store is called, and what it sells."""
    return {"name": name(state, tenant), "items": [item(product) for product in shelf(state)]}
