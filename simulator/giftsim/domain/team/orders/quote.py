"""Quotes: what an order would cost, without making one (A5.1, T-4.46, T-4.175)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.domain.fulfilment.placement import DESTINATIONS
from giftsim.domain.fulfilment.pricing import Price
from giftsim.domain.team.orders import order_items
from giftsim.domain.team.orders.order_fulfilment import recipient_price
from giftsim.domain.team.orders.order_items import Contents
from giftsim.domain.team.orders.store import store_contents
from giftsim.kernel.state import State


class Quote(msgspec.Struct, frozen=True, gc=False):
    """`each` is what one head costs."""

    collection: str | None
    headcount: int
    countries: tuple[str, ...]
    goods: Contents
    each: Price


def quote_order(state: State, body: Mapping[str, Any]) -> Quote:
    """The price of a collection for a headcount; ValidationFailed for an unknown collection."""
    held = order_items.from_collection(state, body["collection"])
    countries = tuple(body.get("destination_countries") or state.setting(DESTINATIONS))
    return Quote(body["collection"], body["headcount"], countries, held, recipient_price(state, held, countries))


def quote_store(state: State, body: Mapping[str, Any]) -> Quote:
    """The price of store items for every recipient named, or for one."""
    held, countries = store_contents(state, body["items"]), state.setting(DESTINATIONS)
    heads = max(1, len(body.get("recipients", ())))
    return Quote(None, heads, countries, held, recipient_price(state, held, countries))
