"""What is offered, and at which price.

The items of a request are resolved against the catalogue (P-2.4, P-2.5, P-7.3, P-7.17, P-7.24). Prices are those of
items by the bundle, of shipping by country, of fees for the party, and each recipient's share (B14, B15).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product as combinations
from typing import Any, Protocol

import msgspec

from giftsim.engine.kernel.setting import Setting, flag, number
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment import stock
from giftsim.services.gifting.domain.fulfilment.address import COUNTRIES
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment, Item, Party
from giftsim.services.gifting.domain.fulfilment.order_errors import PersonalizationReviewRequired, SkuNotFound
from giftsim.services.gifting.domain.fulfilment.products import (
    PRODUCTS,
    REVIEW_REQUIRED,
    SKUS,
    Option,
    Product,
    Sku,
    is_reviewed,
    is_visible,
)
from giftsim.services.gifting.domain.fulfilment.stock import OFF_SALE

Selection = tuple[tuple[int, int], ...]

# A gift menu is treated as a variation with this id. Its options are numbered by its offers, from 1.
MENU_VARIATION_ID = 0

# Equal items of many orders are one object.
_shared_item = lru_cache(1_024, typed=True)(Item)


class Choice(msgspec.Struct, frozen=True, gc=False):
    """A variation of which the recipient picks one of the `options`; those that are `gone` are off sale (G446)."""

    variation_id: int
    name: str
    product: str
    options: tuple[Option, ...]
    gone: tuple[Option, ...] = ()


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
    found = tuple(choices.values())
    return _without_gone(state, order, found) if _may_be_gone(state) else found


def _may_be_gone(state: State) -> bool:
    """Whether what went off sale after an order can no longer be picked by its recipients (G446)."""
    return bool(state[OFF_SALE].rows) and not state.setting(RESERVED)


def _without_gone(state: State, order: Fulfilment, choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """The choices with the options that are on sale; those that are not are `gone`."""
    products = {variation: item.product for item in reversed(order.items) for variation in item.choices}
    found = []
    for choice in choices:
        if choice.variation_id == MENU_VARIATION_ID:
            kept = [option for option in choice.options if stock.offer_on_sale(state, order.menu[option.id - 1])]
        else:
            product = state[PRODUCTS].get(products[choice.variation_id])
            off = stock.options_off(state, product)
            kept = [option for option in choice.options if (choice.variation_id, option.id) not in off]
        gone = tuple([option for option in choice.options if option not in kept])
        found.append(msgspec.structs.replace(choice, options=tuple(kept), gone=gone))
    return tuple(found)


def parse_selection(state: State, order: Fulfilment, raw: Any) -> tuple[Selection | None, list[tuple[str, str]]]:
    """The selection in a map of variation id to option id (from JSON or a form), and `(field, message)` errors.

    The map must have an option for every choice, and nothing else. If the order offers no choice, it is ignored and
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
            errors.append((f"selection.{choice.variation_id}", _pick_one(choice, picked)))
        else:
            selected.append((choice.variation_id, option_id))
    known = [str(choice.variation_id) for choice in choices]
    errors += [(f"selection.{name}", "this cannot be picked") for name in raw if str(name) not in known]
    if _may_be_gone(state) and not errors:
        errors += _combination_errors(state, order, selected)
    return tuple(selected), errors


def _pick_one(choice: Choice, picked: object) -> str:
    """What to pick instead, and whether what was picked is off sale."""
    name = choice.name.lower()
    if not choice.options:
        return f"no {name} is left: each is off sale"
    allowed = ", ".join(f"{option.id} ({option.name})" for option in choice.options)
    gone = [option.name for option in choice.gone if str(option.id) == str(picked)]
    return f"pick a {name}: " + (f"{gone[0]} is off sale, so " if gone else "") + f"one of {allowed}"


def _combination_errors(state: State, order: Fulfilment, selected: Sequence[tuple[int, int]]) -> list[tuple[str, str]]:
    """An error for each item whose options are together a SKU that is off sale."""
    errors = []
    for item in order.items:
        pairs = [(variation, option) for variation, option in selected if variation in item.choices]
        if pairs and stock.is_sku_off(state, state[PRODUCTS].get(item.product), (*item.fixed, *pairs)):
            errors.append((f"selection.{pairs[-1][0]}", f"pick another: {item.name} is off sale with these options"))
    return errors


def default_selection(state: State, order: Fulfilment) -> dict[str, int]:
    """A valid selection: the first option of every choice. InvalidState if everything is off sale."""
    choices = list_choices(state, order)
    selection = _valid_selection(state, order, choices)
    if selection is not None:
        return selection
    names = ", ".join(choice.name.lower() for choice in choices if not choice.options) or "combination of options"
    raise InvalidState(f"nobody can claim it: no {names} is left, because each is off sale")


def first_selection(state: State, order: Fulfilment) -> dict[str, int]:
    """A valid selection, or if there is none, the first option that is left of every choice."""
    choices = list_choices(state, order)
    selection = _valid_selection(state, order, choices)
    if selection is not None:
        return selection
    return {str(choice.variation_id): choice.options[0].id for choice in choices if choice.options}


def _valid_selection(state: State, order: Fulfilment, choices: Sequence[Choice]) -> dict[str, int] | None:
    if not _may_be_gone(state):
        return {str(choice.variation_id): choice.options[0].id for choice in choices}
    for picked in combinations(*[choice.options for choice in choices]):
        selected = [(choice.variation_id, option.id) for choice, option in zip(choices, picked, strict=True)]
        if not _combination_errors(state, order, selected):
            return {str(variation_id): option_id for variation_id, option_id in selected}
    return None


def resolve_item(state: State, account: int, line: Mapping[str, Any]) -> Item:
    """The item of one requested line at the current price; SkuNotFound if it is not on the account (a slot)."""
    sku = _sku(state, line)
    if sku is None and "merchant_product_id" not in line:
        raise _missing(line)
    product = state[PRODUCTS].get(sku.product) if sku else state[PRODUCTS].find("id", line["merchant_product_id"])
    if product is None or product.account not in (None, account):
        raise _missing(line)
    if state[OFF_SALE].rows and not (
        stock.sku_on_sale(state, product, sku) if sku else stock.is_on_sale(state, product)
    ):
        raise _missing(line, "is off sale")
    quantity = line.get("quantity", 1)
    if sku:
        price_cents = product.price_cents if sku.price_cents is None else sku.price_cents
        return _shared_item(product.n, sku.n, sku.code, product.name, quantity, price_cents, sku.options)
    fixed = tuple(sorted((int(variation), option) for variation, option in (line.get("fixed_options") or {}).items()))
    choices = tuple(line.get("choice_variation_ids") or ())
    return Item(product.n, None, product.slug, product.name, quantity, product.price_cents, fixed, choices)


def check_reviewed(state: State, account: int, items: Sequence[Item]) -> None:
    """PersonalizationReviewRequired if a product still needs its review for the account, a slot (B10)."""
    for item in items:
        product = state[PRODUCTS].get(item.product)
        if product.personalization == REVIEW_REQUIRED and not is_reviewed(state, product, account):
            raise PersonalizationReviewRequired(f"the personalization of {product.name} has not been reviewed yet")


def option_errors(state: State, account: int, line: object, linked: bool) -> Iterator[str]:
    """Errors in the options of one requested line (P-7.3); none if its product is unknown, which is another error.

    Every variation must be either fixed or left to the recipient. Recipients can only choose on a claim page.
    """
    if not isinstance(line, dict) or not isinstance(line.get("merchant_product_id"), int):
        return
    product = state[PRODUCTS].find("id", line["merchant_product_id"])
    if product is None or not is_visible(product, account):
        return
    if state[OFF_SALE].rows and not stock.is_on_sale(state, product):
        return
    fixed, choices = line.get("fixed_options") or {}, line.get("choice_variation_ids") or []
    if not isinstance(fixed, dict) or not isinstance(choices, list):
        return
    yield from filter(None, (_fixed_error(product, variation, option) for variation, option in fixed.items()))
    yield from filter(None, (_choice_error(product, variation, fixed, linked) for variation in choices))
    for variation in product.variations:
        if str(variation.id) not in fixed and variation.id not in choices:
            yield f"variation {variation.id} ({variation.name}) needs an entry in fixed_options or choice_variation_ids"
    if state[OFF_SALE].rows:
        yield from _off_sale_errors(state, product, fixed)


def _off_sale_errors(state: State, product: Product, fixed: Mapping[str, Any]) -> Iterator[str]:
    """Errors of fixed options that are known but off sale, each or together as a SKU (G444)."""
    chosen = [
        (each, option) for each in product.variations for option in each.options if fixed.get(str(each.id)) == option.id
    ]
    off = stock.options_off(state, product)
    for variation, option in chosen:
        if (variation.id, option.id) in off:
            yield f"fixed_options: {option.name}, option {option.id} of {variation.name}, is off sale"
    if stock.is_sku_off(state, product, [(variation.id, option.id) for variation, option in chosen]):
        yield f"fixed_options: {product.name} is off sale with these options"


def _fixed_error(product: Product, variation_id: object, option_id: object) -> str | None:
    variation = next((one for one in product.variations if str(one.id) == variation_id), None)
    if variation is None:
        return f"fixed_options: {product.name} has no variation {variation_id}"
    if type(option_id) is not int or variation.option(option_id) is None:
        return f"fixed_options: {variation.name} of {product.name} has no option {option_id}"
    return None


def _choice_error(product: Product, variation_id: object, fixed: Mapping[str, Any], linked: bool) -> str | None:
    if type(variation_id) is not int or product.variation(variation_id) is None:
        return f"choice_variation_ids: {product.name} has no variation {variation_id}"
    if str(variation_id) in fixed:
        return f"variation {variation_id} is both in fixed_options and in choice_variation_ids"
    return None if linked else "choice_variation_ids: recipients with an address have no claim page to choose on"


def _sku(state: State, line: Mapping[str, Any]) -> Sku | None:
    if "merchant_sku_id" in line:
        return state[SKUS].find("id", line["merchant_sku_id"])
    return state[SKUS].find("code", line["sku_code"]) if "sku_code" in line else None


def _missing(line: Mapping[str, Any], why: str = "is not on this account") -> SkuNotFound:
    name = next(name for name in ("merchant_sku_id", "sku_code", "merchant_product_id") if name in line)
    return SkuNotFound(f"{name} {line[name]!r} {why}")


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

RESERVED = flag(
    "claims.options_reserved",
    False,
    "whether a recipient can pick an option that went off sale after the order, because it was set aside (G446)",
)

SETTINGS: tuple[Setting[Any], ...] = (*SHIPPING.values(), *DUTIES.values(), RUSH, KIT_ASSEMBLY, RESERVED)


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


def split(total_cents: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Split `total_cents` in proportion to `weights` by the largest-remainder method; ties go to the first part.

    The parts add up exactly, and each is its ideal share rounded up or down. A weight of 0 gets nothing; if all are 0,
    the parts are equal. ValueError for negative numbers, and for an amount without weights.
    """
    if total_cents < 0 or any(weight < 0 for weight in weights):
        raise ValueError(f"cannot split {total_cents} cents by {list(weights)}: a number is negative")
    if not weights and total_cents:
        raise ValueError(f"cannot split {total_cents} cents: there are no weights")
    total_weight = sum(weights)
    if not total_weight:
        return split(total_cents, (1,) * len(weights)) if weights else ()
    parts = [total_cents * weight // total_weight for weight in weights]
    left_cents = total_cents - sum(parts)
    by_remainder = sorted(range(len(weights)), key=lambda i: -(total_cents * weights[i] % total_weight))
    for i in by_remainder[:left_cents]:
        parts[i] += 1
    return tuple(parts)
