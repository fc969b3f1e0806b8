"""Quotes: what an order would cost, without making one (A5.1, T-4.46, T-4.175)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from simulator.domain.orders.place import DESTINATIONS
from simulator.domain.orders.pricing import Price
from simulator.domain.team.orders import goods
from simulator.domain.team.orders.fulfilment import price
from simulator.domain.team.orders.goods import Goods
from simulator.domain.team.orders.store import of_store
from simulator.kernel.state import State


class Quote(msgspec.Struct, frozen=True, gc=False):
    """`each` is what one head costs."""

    collection: str | None
    headcount: int
    countries: tuple[str, ...]
    goods: Goods
    each: Price


def quote_order(state: State, body: Mapping[str, Any]) -> Quote:
    """The price of a collection for a headcount; ValidationFailed for an unknown collection."""
    held = goods.of_collection(state, body["collection"])
    countries = tuple(body.get("destination_countries") or state.setting(DESTINATIONS))
    return Quote(body["collection"], body["headcount"], countries, held, price(state, held, countries))


def quote_store(state: State, body: Mapping[str, Any]) -> Quote:
    """The price of store items for every recipient named, or for one."""
    held, countries = of_store(state, body["items"]), state.setting(DESTINATIONS)
    heads = max(1, len(body.get("recipients", ())))
    return Quote(None, heads, countries, held, price(state, held, countries))
