"""The team's store: every item of the catalogue, by its product id (A7.16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.domain.fulfilment.products import PRODUCTS, Product
from giftsim.domain.team.catalogue.item import item_slots
from giftsim.domain.team.orders import order_items
from giftsim.domain.team.orders.order_items import Contents
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.state import State


def store_name(state: State, tenant: Tenant) -> str:
    """The store's name."""
    return f"{state[TEAMS].get(tenant.team).name} store"


def store_products(state: State) -> list[Product]:
    """The products of the store, in order of creation."""
    return [state[PRODUCTS].get(n) for n in item_slots(state)]


def store_contents(state: State, lines: Sequence[Mapping[str, Any]]) -> Contents:
    """The contents of `{merchant_product_id, quantity}` lines. ValidationFailed for an unknown product."""
    return order_items.from_lines(state, lines, "items")
