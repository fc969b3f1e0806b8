"""The choices that an order leaves to its recipients, and the selection a recipient makes (P-2.5, P-2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.domain.fulfilment.fulfilment import Fulfilment
from giftsim.domain.fulfilment.products import PRODUCTS, Option
from giftsim.kernel.state import State

Selection = tuple[tuple[int, int], ...]

# A gift menu is treated as a variation with this id. Its options are numbered by its offers, from 1.
MENU_VARIATION_ID = 0


class Choice(msgspec.Struct, frozen=True, gc=False):
    """A variation of which the recipient picks one option."""

    variation_id: int
    name: str
    product: str
    options: tuple[Option, ...]


def list_choices(state: State, order: Fulfilment) -> tuple[Choice, ...]:
    """The choices of an order's recipients, each once: the gift menu if it has one, then variations."""
    choices: dict[int, Choice] = {}
    if order.menu:
        offers = tuple([Option(i, offer.label) for i, offer in enumerate(order.menu, 1)])
        choices[MENU_VARIATION_ID] = Choice(MENU_VARIATION_ID, "Gift", "Your choice", offers)
    for item in order.items:
        product = state[PRODUCTS].get(item.product)
        for variation_id in item.choices:
            variation = product.variation(variation_id)
            if variation is not None:
                choices.setdefault(variation_id, Choice(variation_id, variation.name, product.name, variation.options))
    return tuple(choices.values())


def parse_selection(state: State, order: Fulfilment, raw: Any) -> tuple[Selection | None, list[tuple[str, str]]]:
    """The selection in a map of variation id to option id (from JSON or a form), and `(field, message)` errors.

    The map must have an option for every choice, and nothing else. If the order leaves no choice, it is ignored and
    the selection is None.
    """
    choices = list_choices(state, order)
    if not choices:
        return None, []
    if not isinstance(raw, Mapping):
        raw = {}
    selected, errors = [], []
    for choice in choices:
        picked = raw.get(str(choice.variation_id), raw.get(choice.variation_id))
        matches = (option.id for option in choice.options if str(option.id) == str(picked) and picked is not True)
        option_id = next(matches, None)
        if option_id is None:
            allowed = ", ".join(f"{option.id} ({option.name})" for option in choice.options)
            errors.append((f"selection.{choice.variation_id}", f"pick a {choice.name.lower()}: one of {allowed}"))
        else:
            selected.append((choice.variation_id, option_id))
    known = [str(choice.variation_id) for choice in choices]
    errors += [(f"selection.{name}", "this cannot be picked") for name in raw if str(name) not in known]
    return tuple(selected), errors


def default_selection(state: State, order: Fulfilment) -> dict[str, int]:
    """A valid selection: the first option of every choice."""
    return {str(choice.variation_id): choice.options[0].id for choice in list_choices(state, order)}
