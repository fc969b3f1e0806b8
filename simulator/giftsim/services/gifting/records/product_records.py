"""Products as JSON, and the verbs that change them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.pagination import list_records
from giftsim.engine.control.world_access import change_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.products import (
    PRODUCTS,
    REVIEWS,
    SKUS,
    Product,
    ProductNotFound,
    Sku,
    add_review,
    change_price,
    check_needs_review,
    find_product,
    find_sku,
    withdraw_review,
)
from giftsim.services.gifting.domain.fulfilment.stock import (
    OFF_SALE,
    Pair,
    is_on_sale,
    options_off,
    set_on_sale,
    sku_on_sale,
)
from giftsim.services.gifting.domain.money.account import ACCOUNTS
from giftsim.services.gifting.records.named import named_accounts
from giftsim.services.gifting.records.searches import PRODUCT_SEARCH


def product_view(state: State, product: Product) -> dict[str, Any]:
    """A product with its variations and SKUs, what of it is on sale, and the accounts that it was reviewed for."""
    reviewed = [review.account for review in state[REVIEWS] if review.product == product.n]
    marks = state[OFF_SALE].slots_in("product", product.n)
    off = options_off(state, product) if marks else ()
    return {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "price_cents": product.price_cents,
        "personalization": product.personalization,
        "on_sale": not marks or is_on_sale(state, product),
        "account_id": None if product.account is None else state[ACCOUNTS].get(product.account).id,
        "reviewed_for": [state[ACCOUNTS].get(n).id for n in reviewed],
        "variations": [
            {
                "id": variation.id,
                "name": variation.name,
                "options": [
                    {"id": option.id, "name": option.name, "on_sale": (variation.id, option.id) not in off}
                    for option in variation.options
                ],
            }
            for variation in product.variations
        ],
        "skus": [
            {
                "id": sku.id,
                "code": sku.code,
                "price_cents": product.price_cents if sku.price_cents is None else sku.price_cents,
                "on_sale": not marks or sku_on_sale(state, product, sku),
                "options": {str(variation): option for variation, option in sku.options},
            }
            for sku in state[SKUS].rows_in("product", product.n)
        ],
    }


def list_catalogue(call: Call) -> Response:
    """List products."""
    return list_records(call, PRODUCT_SEARCH, product_view)


def simulate_price(call: Call) -> Response:
    """Change the price of a product."""
    with change_state(call) as state:
        product = change_price(state, find_product(state, call.body["product"]), call.body["price_cents"])
        return Response(200, product_view(state, product))


def simulate_stock(call: Call) -> Response:
    """Take a product, one of its options or one of its SKUs off sale, or put it back (G444)."""
    body = call.body
    with change_state(call) as state:
        product, option, sku = _named_goods(state, body)
        set_on_sale(state, product, on_sale=body["on_sale"], option=option, sku=sku)
        return Response(200, product_view(state, product))


def _named_goods(state: State, body: Mapping[str, Any]) -> tuple[Product, Pair | None, Sku | None]:
    """The product that a body names, and the option or the SKU if it names only that."""
    if ("product" in body) == ("sku" in body) or ("sku" in body and "option" in body):
        raise Ambiguous("name a product, a product with an option, or a sku alone")
    if "sku" in body:
        sku = find_sku(state, body["sku"])
        if sku is None:
            name = str(body["sku"])[:60]
            raise ProductNotFound(f"there is no SKU {name}; listCatalogue has the SKUs of each product")
        return state[PRODUCTS].get(sku.product), None, sku
    product = find_product(state, body["product"])
    return product, _named_option(product, body["option"]) if "option" in body else None, None


def _named_option(product: Product, name: str | int) -> Pair:
    """An option of a product by its id, or by a name that no other option of it has."""
    options = [(variation, option) for variation in product.variations for option in variation.options]
    found = [(each.id, option.id) for each, option in options if str(name) in (str(option.id), option.name)]
    if len(found) > 1:
        ids = ", ".join(str(option_id) for _, option_id in found)
        raise Ambiguous(f"{product.slug} has several options {name}: name one by its id, {ids}")
    if not found:
        known = ", ".join(f"{option.id} ({option.name})" for _, option in options)
        has = f"its options are {known}" if known else "it has none"
        raise ProductNotFound(f"{product.slug} has no option {str(name)[:60]}; {has}")
    return found[0]


def simulate_personalization(call: Call) -> Response:
    """Add or withdraw the review of a product's personalization, for one account or for all accounts (B10).

    InvalidState for a product that needs no review, because it can be ordered without one.
    """
    body = call.body
    decide = add_review if body.get("reviewed", True) else withdraw_review
    with change_state(call) as state:
        product = find_product(state, body["product"])
        check_needs_review(state, product)
        for account in named_accounts(state, call.world.id, body):
            decide(state, product, account.n)
        return Response(200, product_view(state, state[PRODUCTS].get(product.n)))
