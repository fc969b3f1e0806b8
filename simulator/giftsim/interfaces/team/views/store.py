"""The JSON of the team's store."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.orders.store import store_name, store_products
from giftsim.domain.team.tenant import Tenant
from giftsim.interfaces.team.views.catalogue import item
from giftsim.kernel.state import State


def store(state: State, tenant: Tenant) -> dict[str, Any]:
    """The store: its name and its items."""
    return {"name": store_name(state, tenant), "items": [item(product) for product in store_products(state)]}
