"""Prices: items by the bundle, shipping by country, fees for the party, and each recipient's share (B14, B15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from giftsim.engine.kernel.setting import Setting, number
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.address import COUNTRIES
from giftsim.services.gifting.domain.fulfilment.fulfilment import Item, Party
from giftsim.services.gifting.domain.money.allocation import split

_DEFAULT_CENTS = {"US": 800, "CA": 1500, "GB": 1800, "AU": 2200}

SHIPPING: dict[str, Setting[int]] = {
    code: number(
        f"partner.prices.shipping.{code}", _DEFAULT_CENTS.get(code, 1600), f"cents per parcel to {country.name}"
    )
    for code, country in COUNTRIES.items()
}
DUTIES: dict[str, Setting[int]] = {
    code: number(
        f"partner.prices.duties_percent.{code}",
        0,
        f"customs and duties to {country.name}, in percent of the recipient's goods; told in the manifest, not charged",
        most=1000,
    )
    for code, country in COUNTRIES.items()
}
RUSH = number("partner.prices.rush", 2500, "cents per order with event.rush")
KIT_ASSEMBLY = number("partner.prices.kit_assembly", 300, "cents per recipient with event.kit_assembly")

SETTINGS = (*SHIPPING.values(), *DUTIES.values(), RUSH, KIT_ASSEMBLY)


class Price(msgspec.Struct, frozen=True, gc=False):
    """The price of one row. The rows of an order add up to its total."""

    subtotal_cents: int
    shipping_cents: int
    event_fees_cents: int


def bundle_cents(items: Sequence[Item]) -> int:
    """The price of the items of one bundle."""
    total_cents = 0
    for item in items:
        total_cents += item.price_cents * item.quantity
    return total_cents


def link_shipping_cents(state: State, countries: Sequence[str]) -> int:
    """Shipping while the recipient's country is unknown: the highest price among the possible countries (B14)."""
    highest_cents = 0
    for code in countries:
        cents = state.setting(SHIPPING[code])
        if cents > highest_cents:
            highest_cents = cents
    return highest_cents


def duties_cents(state: State, goods_cents: int, country: str | None) -> int:
    """Duties on goods to a country, rounded half up to whole cents; 0 while the country is unknown (B53)."""
    return 0 if country is None else (goods_cents * state.setting(DUTIES[country]) + 50) // 100


def event_fees_cents(state: State, party: Party | None, rows: int) -> int:
    """The fees of an order for an event: rush once per order, kit assembly once per recipient (P-2.14)."""
    if party is None:
        return 0
    rush_cents = state.setting(RUSH) if party.rush else 0
    return rush_cents + (state.setting(KIT_ASSEMBLY) * rows if party.kit_assembly else 0)


class Quantified(Protocol):
    """A row of a request."""

    @property
    def quantity(self) -> int: ...


def price_rows(
    state: State, items: Sequence[Item], rows: Sequence[Quantified], shipping_cents: Sequence[int], party: Party | None
) -> list[Price]:
    """One price per row: bundle times quantity (P-2.20), shipping, and an equal part of the fees of the event (B15)."""
    unit_cents, count = bundle_cents(items), len(rows)
    fees = split(event_fees_cents(state, party, count), (1,) * count) if party else (0,) * count
    prices = []
    for i, row in enumerate(rows):
        prices.append(Price(unit_cents * row.quantity, shipping_cents[i], fees[i]))
    return prices
