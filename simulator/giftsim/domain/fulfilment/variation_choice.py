"""What a recipient picks on the claim page, among the variations that the order leaves open (P-2.5, P-2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.domain.fulfilment.catalogue import PRODUCTS, Option
from giftsim.domain.fulfilment.fulfilment import Fulfilment
from giftsim.kernel.state import State

Selection = tuple[tuple[int, int], ...]

# A menu of gifts is picked from as if it were a variation of this id; its options are the places of its offers, from 1.
MENU = 0


class Choice(msgspec.Struct, frozen=True, gc=False):
    """A variation that the recipient picks an option of."""

    variation_id: int
    name: str
    product: str
    options: tuple[Option, ...]


def choices(state: State, order: Fulfilment) -> tuple[Choice, ...]:
    """What an order leaves open, each once: the menu if it has one, then variations."""
    found: dict[int, Choice] = {}
    if order.menu:
        offers = tuple([Option(i, offer.label) for i, offer in enumerate(order.menu, 1)])
        found[MENU] = Choice(MENU, "Gift", "Your choice", offers)
    for item in order.items:
        product = state[PRODUCTS].get(item.product)
        for variation_id in item.choices:
            variation = product.variation(variation_id)
            if variation is not None:
                found.setdefault(variation_id, Choice(variation_id, variation.name, product.name, variation.options))
    return tuple(found.values())


def read(state: State, order: Fulfilment, asked: Any) -> tuple[Selection | None, list[tuple[str, str]]]:
    """The selection of a map of variation id to option id, as JSON or a form writes it, and `(field, message)` errors.

    Every open variation is picked and no other; where none is open, the selection is None whatever is sent.
    """
    open_choices = choices(state, order)
    if not open_choices:
        return None, []
    if not isinstance(asked, Mapping):
        asked = {}
    picked, errors = [], []
    for choice in open_choices:
        option = asked.get(str(choice.variation_id), asked.get(choice.variation_id))
        found = next((one.id for one in choice.options if str(one.id) == str(option) and option is not True), None)
        if found is None:
            named = ", ".join(f"{one.id} ({one.name})" for one in choice.options)
            errors.append((f"selection.{choice.variation_id}", f"pick a {choice.name.lower()}: one of {named}"))
        else:
            picked.append((choice.variation_id, found))
    known = [str(choice.variation_id) for choice in open_choices]
    errors += [(f"selection.{name}", "this cannot be picked") for name in asked if str(name) not in known]
    return tuple(picked), errors


def first_options(state: State, order: Fulfilment) -> dict[str, int]:
    """A selection that always fits: the first option of every open variation."""
    return {str(choice.variation_id): choice.options[0].id for choice in choices(state, order)}
