"""Quotes: what an order would cost, without creating one (A5.1, T-4.46, T-4.175)."""

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
    """A quote; `each` is the price for one recipient."""

    collection: str | None
    headcount: int
    countries: tuple[str, ...]
    contents: Contents
    each: Price


def quote_order(state: State, body: Mapping[str, Any]) -> Quote:
    """Quote a collection for a headcount. ValidationFailed for an unknown collection."""
    contents = order_items.from_collection(state, body["collection"])
    countries = tuple(body.get("destination_countries") or state.setting(DESTINATIONS))
    return Quote(
        body["collection"], body["headcount"], countries, contents, recipient_price(state, contents, countries)
    )


def quote_store(state: State, body: Mapping[str, Any]) -> Quote:
    """Quote store items for every recipient in the body, or for one if there is none."""
    contents, countries = store_contents(state, body["items"]), state.setting(DESTINATIONS)
    heads = max(1, len(body.get("recipients", ())))
    return Quote(None, heads, countries, contents, recipient_price(state, contents, countries))
