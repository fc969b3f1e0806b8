"""The contents of an order or gift: what a request names in the catalogue, at current prices (A7.5, A7.6, G36)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import Item, Offer
from giftsim.services.gifting.domain.fulfilment.offer import bundle_cents
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, Product
from giftsim.services.gifting.domain.fulfilment.stock import OFF_SALE, options_on_sale
from giftsim.services.gifting.domain.team.items import (
    collection_products,
    find_collection,
    find_item,
    find_item_by_id,
)
from giftsim.services.gifting.domain.team.team_errors import validation_error


class Contents(msgspec.Struct, frozen=True, gc=False):
    """What every recipient gets: all items, and one entry of the menu if there is one."""

    items: tuple[Item, ...]
    menu: tuple[Offer, ...] = ()

    @property
    def cents(self) -> int:
        """The price for one recipient, with the most expensive entry of the menu."""
        return bundle_cents(self.items) + max([bundle_cents(offer.items) for offer in self.menu], default=0)


def from_collection(state: State, slug: str, field: str = "collection") -> Contents:
    """One of each item of a collection. ValidationFailed for an unknown slug."""
    collection = find_collection(state, slug)
    if collection is None:
        raise validation_error(field, "must be a collection of the catalog")
    return Contents(tuple([_with_free_choices(product, 1) for product in collection_products(state, collection)]))


def from_item(state: State, slug: str, field: str) -> Contents:
    """One single item. ValidationFailed for an unknown slug."""
    return Contents((_with_free_choices(_product(state, {"item_slug": slug}, field), 1),))


def from_lines(state: State, lines: Sequence[Mapping[str, Any]], field: str) -> Contents:
    """The items of `{item_slug | merchant_product_id, quantity}` lines. ValidationFailed for an unknown product."""
    products = [_product(state, line, f"{field}[{i}]") for i, line in enumerate(lines)]
    items = [
        _with_free_choices(product, line.get("quantity", 1)) for product, line in zip(products, lines, strict=True)
    ]
    return Contents(tuple(items))


def with_menu(state: State, contents: Contents, lines: Sequence[Mapping[str, Any]] | None, field: str) -> Contents:
    """The contents with a gift-choice menu of `{label, items}` entries; their items get the first options (A7.6)."""
    offers = [_menu_entry(state, entry, f"{field}[{i}].items") for i, entry in enumerate(lines or ())]
    return Contents(contents.items, tuple(offers))


def at_current_prices(state: State, contents: Contents) -> Contents:
    """The same contents at current prices."""
    menu = [Offer(offer.label, _repriced(state, offer.items)) for offer in contents.menu]
    return Contents(_repriced(state, contents.items), tuple(menu))


def _menu_entry(state: State, entry: Mapping[str, Any], field: str) -> Offer:
    items = [
        _with_first_options(state, _product(state, line, f"{field}[{i}]"), line.get("quantity", 1))
        for i, line in enumerate(entry["items"])
    ]
    return Offer(entry["label"], tuple(items))


def _product(state: State, line: Mapping[str, Any], field: str) -> Product:
    if "item_slug" in line:
        name, product = "item_slug", find_item(state, line["item_slug"])
    else:
        name, product = "merchant_product_id", find_item_by_id(state, line["merchant_product_id"])
    if product is None:
        raise validation_error(field if field.endswith(name) else f"{field}.{name}", "must be an item of the catalog")
    return product


def _with_free_choices(product: Product, quantity: int) -> Item:
    """The item with every variation left to the recipient's choice."""
    choices = tuple([variation.id for variation in product.variations])
    return Item(product.n, None, product.slug, product.name, quantity, product.price_cents, (), choices)


def _with_first_options(state: State, product: Product, quantity: int) -> Item:
    """The item with the first option on sale of every variation: entries of a menu leave no choice."""
    first_options = tuple([(variation.id, variation.options[0].id) for variation in product.variations])
    if state[OFF_SALE].rows:
        on_sale = [(each.id, options_on_sale(state, product, each)) for each in product.variations]
        first_options = tuple([(variation_id, options[0].id) for variation_id, options in on_sale])
    return Item(product.n, None, product.slug, product.name, quantity, product.price_cents, first_options)


def _repriced(state: State, items: Sequence[Item]) -> tuple[Item, ...]:
    table = state[PRODUCTS]
    return tuple([msgspec.structs.replace(item, price_cents=table.get(item.product).price_cents) for item in items])
