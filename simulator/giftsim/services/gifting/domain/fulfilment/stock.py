"""What is off sale: products, single options and SKUs (G444).

Stock is judged when something is ordered, or picked on a claim page. What an order has stays its own (G445). While the
table is empty, which it is unless a tester says otherwise, nothing here is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.fulfilment.fulfilment import Item, Offer
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, SKUS, Option, Product, Sku, Variation

Pair = tuple[int, int]


class OffSale(Record, frozen=True, gc=False):
    """A `product` (a slot) that is off sale; or only one option of it, a (variation id, option id) pair; or one SKU of
    it, a slot.
    """

    product: int
    option: Pair | None = None
    sku: int | None = None


def _key(row: OffSale) -> str:
    return f"{row.product} {row.option} {row.sku}"


OFF_SALE: TableSpec[OffSale] = TableSpec(
    "off_sale", OffSale, unique={"key": _key}, groups={"product": "product"}, sparse=True
)


def set_on_sale(
    state: State, product: Product, *, on_sale: bool, option: Pair | None = None, sku: Sku | None = None
) -> None:
    """Take a product, an option or a SKU of it off sale, or put it back. Neither changes an order.

    A SKU of a product without options is the product.
    """
    table = state[OFF_SALE]
    row = OffSale(table.next_n, product.n, option, sku.n if sku is not None and sku.options else None)
    known = table.find("key", _key(row))
    if on_sale and known is not None:
        table.drop(known.n)
    if not on_sale and known is None:
        table.add(row)


def is_on_sale(state: State, product: Product) -> bool:
    """Whether a product can be ordered. If no option of a variation is on sale, or no SKU, it cannot."""
    rows = state[OFF_SALE].rows_in("product", product.n)
    if any(row.option is None and row.sku is None for row in rows):
        return False
    off, skus_off = {row.option for row in rows}, {row.sku for row in rows} - {None}
    if skus_off and all(sku.n in skus_off for sku in state[SKUS].rows_in("product", product.n)):
        return False
    return all(any((each.id, option.id) not in off for option in each.options) for each in product.variations)


def options_off(state: State, product: Product) -> frozenset[Pair]:
    """The options of a product that are off sale, as (variation id, option id) pairs."""
    rows = state[OFF_SALE].rows_in("product", product.n)
    return frozenset([row.option for row in rows if row.option is not None])


def options_on_sale(state: State, product: Product, variation: Variation) -> tuple[Option, ...]:
    """The options of a variation that are on sale."""
    off = options_off(state, product)
    return tuple([option for option in variation.options if (variation.id, option.id) not in off])


def is_sku_off(state: State, product: Product, options: Iterable[Pair]) -> bool:
    """Whether options of a product, (variation id, option id) pairs, are together a SKU that was taken off sale."""
    chosen, rows = set(options), state[OFF_SALE].rows_in("product", product.n)
    skus = [state[SKUS].get(row.sku) for row in rows if row.sku is not None]
    return any(chosen.issuperset(sku.options) for sku in skus)


def are_on_sale(state: State, product: Product, options: Iterable[Pair]) -> bool:
    """Whether options of a product, (variation id, option id) pairs, are on sale, each and together as a SKU."""
    chosen = set(options)
    return chosen.isdisjoint(options_off(state, product)) and not is_sku_off(state, product, chosen)


def sku_on_sale(state: State, product: Product, sku: Sku) -> bool:
    """Whether a SKU can be ordered: its product, each of its options, and every SKU with the same options."""
    return is_on_sale(state, product) and are_on_sale(state, product, sku.options)


def item_on_sale(state: State, item: Item) -> bool:
    """Whether an item could be ordered again, with the options that it fixes."""
    product = state[PRODUCTS].get(item.product)
    return is_on_sale(state, product) and are_on_sale(state, product, item.fixed)


def offer_on_sale(state: State, offer: Offer) -> bool:
    """Whether every item of an entry of a menu is on sale."""
    return all(item_on_sale(state, item) for item in offer.items)


def missing_item(state: State, items: Sequence[Item], menu: Sequence[Offer]) -> str | None:
    """The name of what cannot be ordered again: an item, or the menu if none of its entries is left; else None."""
    for item in items:
        if not item_on_sale(state, item):
            return item.name
    if menu and not any(offer_on_sale(state, offer) for offer in menu):
        return "every gift of the menu"
    return None
