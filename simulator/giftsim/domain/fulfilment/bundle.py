"""The bundle: items as a request names them, resolved against the catalogue (P-2.4, P-2.5, P-7.3, P-7.17, P-7.24)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.domain.fulfilment.catalogue import PRODUCTS, SKUS, Product, Sku, reviewed, visible
from giftsim.domain.fulfilment.fulfilment import Item
from giftsim.domain.fulfilment.problem import PersonalizationReviewRequired, SkuNotFound
from giftsim.kernel.state import State


def resolve(state: State, account: int, asked: Mapping[str, Any]) -> Item:
    """The item that one line asks for at today's price; SkuNotFound if it is not on the account (a slot)."""
    sku = _sku(state, asked)
    if sku is None and "merchant_product_id" not in asked:
        raise _missing(asked)
    product = state[PRODUCTS].get(sku.product) if sku else state[PRODUCTS].find("id", asked["merchant_product_id"])
    if product is None or not visible(product, account):
        raise _missing(asked)
    quantity = asked.get("quantity", 1)
    if sku:
        price_cents = product.price_cents if sku.price_cents is None else sku.price_cents
        return Item(product.n, sku.n, sku.code, product.name, quantity, price_cents, sku.options)
    fixed = tuple(sorted((int(variation), option) for variation, option in (asked.get("fixed_options") or {}).items()))
    choices = tuple(asked.get("choice_variation_ids") or ())
    return Item(product.n, None, product.slug, product.name, quantity, product.price_cents, fixed, choices)


def check_reviewed(state: State, account: int, items: Sequence[Item]) -> None:
    """PersonalizationReviewRequired for a product that still waits for its review on the account (B10)."""
    for item in items:
        product = state[PRODUCTS].get(item.product)
        if not reviewed(state, product, account):
            raise PersonalizationReviewRequired(f"the personalization of {product.name} has not been reviewed yet")


def option_errors(state: State, account: int, asked: object, linked: bool) -> list[str]:
    """What is wrong with the options of one line that names a product (P-7.3); unknown products are another matter.

    Every variation is fixed or left to the recipient, not both; without claim links nobody could pick.
    """
    if not isinstance(asked, Mapping) or not isinstance(asked.get("merchant_product_id"), int):
        return []
    product = state[PRODUCTS].find("id", asked["merchant_product_id"])
    if product is None or not visible(product, account):
        return []
    fixed, choices = asked.get("fixed_options") or {}, asked.get("choice_variation_ids") or []
    if not isinstance(fixed, Mapping) or not isinstance(choices, list):
        return []
    found = [_fixed_error(product, variation, option) for variation, option in fixed.items()]
    found += [_choice_error(product, variation, fixed, linked) for variation in choices]
    found += [
        f"variation {variation.id} ({variation.name}) needs an entry in fixed_options or choice_variation_ids"
        for variation in product.variations
        if str(variation.id) not in fixed and variation.id not in choices
    ]
    return [message for message in found if message]


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
    return None if linked else "choice_variation_ids: recipients with an address have no claim page to pick on"


def _sku(state: State, asked: Mapping[str, Any]) -> Sku | None:
    if "merchant_sku_id" in asked:
        return state[SKUS].find("id", asked["merchant_sku_id"])
    return state[SKUS].find("code", asked["sku_code"]) if "sku_code" in asked else None


def _missing(asked: Mapping[str, Any]) -> SkuNotFound:
    name = next(name for name in ("merchant_sku_id", "sku_code", "merchant_product_id") if name in asked)
    return SkuNotFound(f"{name} {asked[name]!r} is not on this account")
