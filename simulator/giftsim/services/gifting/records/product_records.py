"""Products as JSON, and the verbs that change them."""

from __future__ import annotations

from typing import Any

import msgspec

from giftsim.engine.control.pagination import list_records
from giftsim.engine.control.world_access import change_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.products import (
    PRODUCTS,
    REVIEWS,
    SKUS,
    Product,
    add_review,
    change_price,
    check_needs_review,
    find_product,
    withdraw_review,
)
from giftsim.services.gifting.domain.money.account import ACCOUNTS
from giftsim.services.gifting.records.named import named_accounts
from giftsim.services.gifting.records.searches import PRODUCT_SEARCH


def product_view(state: State, product: Product) -> dict[str, Any]:
    """A product with its variations and SKUs, and the accounts for which its personalization was reviewed."""
    reviewed = [review.account for review in state[REVIEWS] if review.product == product.n]
    return {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "price_cents": product.price_cents,
        "personalization": product.personalization,
        "account_id": None if product.account is None else state[ACCOUNTS].get(product.account).id,
        "reviewed_for": [state[ACCOUNTS].get(n).id for n in reviewed],
        "variations": msgspec.to_builtins(product.variations),
        "skus": [
            {
                "id": sku.id,
                "code": sku.code,
                "price_cents": product.price_cents if sku.price_cents is None else sku.price_cents,
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
