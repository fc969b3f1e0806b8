"""The team's store: every item of the catalogue, by its product id (A7.16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.domain.orders.catalogue import PRODUCTS, Product
from simulator.domain.team.catalogue.item import items
from simulator.domain.team.orders import goods
from simulator.domain.team.orders.goods import Goods
from simulator.domain.team.space import Space
from simulator.domain.team.team import TEAMS
from simulator.kernel.state import State


def name(state: State, space: Space) -> str:
    """What the store is called."""
    return f"{state[TEAMS].get(space.team).name} store"


def shelf(state: State) -> list[Product]:
    """What the store sells, in order of creation."""
    return [state[PRODUCTS].get(n) for n in items(state)]


def of_store(state: State, asked: Sequence[Mapping[str, Any]]) -> Goods:
    """The goods of `{merchant_product_id, quantity}` lines; ValidationFailed for what is not in the store."""
    return goods.of_items(state, asked, "items")
