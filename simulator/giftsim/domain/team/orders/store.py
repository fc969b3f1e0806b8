"""The team's store: every item of the catalogue, by its product id (A7.16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.domain.fulfilment.catalogue import PRODUCTS, Product
from giftsim.domain.team.catalogue.item import items
from giftsim.domain.team.orders import order_items
from giftsim.domain.team.orders.order_items import Goods
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.state import State


def name(state: State, tenant: Tenant) -> str:
    """What the store is called."""
    return f"{state[TEAMS].get(tenant.team).name} store"


def shelf(state: State) -> list[Product]:
    """What the store sells, in order of creation."""
    return [state[PRODUCTS].get(n) for n in items(state)]


def of_store(state: State, asked: Sequence[Mapping[str, Any]]) -> Goods:
    """The goods of `{merchant_product_id, quantity}` lines; ValidationFailed for what is not in the store."""
    return order_items.of_items(state, asked, "items")
