"""What is off sale, by name, and what puts it back: for those who say why nobody can claim, or mend it (G446)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment, Item
from giftsim.services.gifting.domain.fulfilment.offer import MENU_VARIATION_ID, Choice, list_choices
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, SKUS
from giftsim.services.gifting.domain.fulfilment.stock import OFF_SALE, OffSale


def empty_choice(state: State, order: Fulfilment) -> Choice | None:
    """The first choice of an order's recipients of which every option is off sale, or None."""
    if not state[OFF_SALE].rows:
        return None
    return next((choice for choice in list_choices(state, order) if not choice.options), None)


def marks_of_choice(state: State, order: Fulfilment, choice: Choice) -> list[OffSale]:
    """What is off sale so that a choice has no option left. To put the first back gives it one, unless it is a menu."""
    if choice.variation_id == MENU_VARIATION_ID:
        return marks_of_items(state, order.menu[0].items)
    chosen = [item for item in order.items if choice.variation_id in item.choices]
    marks = marks_of_items(state, chosen)
    return [mark for mark in marks if mark.option is not None and mark.option[0] == choice.variation_id]


def marks_of_items(state: State, items: Iterable[Item]) -> list[OffSale]:
    """What is off sale of the products of items."""
    products = dict.fromkeys(item.product for item in items)
    return [mark for product in products for mark in state[OFF_SALE].rows_in("product", product)]


def mark_name(state: State, mark: OffSale) -> str:
    """What is off sale, by name: `Cotton tee in M`."""
    product = state[PRODUCTS].get(mark.product)
    variation = product.variation(mark.option[0]) if mark.option else None
    option = variation.option(mark.option[1]) if variation and mark.option else None
    return f"{product.name} in {option.name}" if option else product.name


def put_back_body(state: State, mark: OffSale) -> dict[str, Any]:
    """The body of the verb `stock` that puts it back on sale."""
    if mark.sku is not None:
        return {"sku": state[SKUS].get(mark.sku).code, "on_sale": True}
    named = {"option": mark.option[1]} if mark.option else {}
    return {"product": state[PRODUCTS].get(mark.product).slug, **named, "on_sale": True}
