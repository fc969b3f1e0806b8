"""Products: found by several names, their prices, and reviews of their personalization."""

from __future__ import annotations

import pytest

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.problem import PersonalizationReviewRequired
from giftsim.domain.fulfilment.products import (
    PRODUCTS,
    SKUS,
    Product,
    ProductNotFound,
    Sku,
    add_review,
    change_price,
    find_product,
    withdraw_review,
)
from tests.support.domain.partner_orders import PartnerDomain, email_order_body


def test_a_price_change_affects_later_orders_only() -> None:
    partner = PartnerDomain()
    before = partner.place(email_order_body())
    with partner.state.transaction():
        change_price(partner.state, find_product(partner.state, "MUG-01"), 1500)
    assert partner.place(email_order_body()).subtotal_cents == 1500
    assert partner.order(before).subtotal_cents == 1000


def test_a_sku_can_have_its_own_price_until_the_product_price_changes() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        partner.state[SKUS].add(Sku(2, 10201, "TEE-01-XL", 1, price_cents=2900))
    assert partner.place(email_order_body(items=[{"sku_code": "TEE-01-XL"}])).subtotal_cents == 2900
    with partner.state.transaction():
        change_price(partner.state, find_product(partner.state, "102"), 2000)
    assert partner.place(email_order_body(items=[{"sku_code": "TEE-01-XL"}])).subtotal_cents == 2000


@pytest.mark.parametrize("named", ["MUG-01", "mug-01", "101", 101, 10100])
def test_a_product_is_found_by_id_slug_or_sku(named: str | int) -> None:
    assert find_product(PartnerDomain().state, named).name == "Mug"


def test_an_unknown_product_is_not_found() -> None:
    with pytest.raises(ProductNotFound):
        find_product(PartnerDomain().state, "MUG-99")


def test_personalization_needs_a_review_on_the_account() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        product = partner.state[PRODUCTS].add(Product(2, 104, "engr-01", "Engraved", 900, "review_required"))
    body = email_order_body(items=[{"merchant_product_id": 104}])
    with pytest.raises(PersonalizationReviewRequired):
        partner.place(body)
    assert partner.state[FULFILMENTS].next_n == 0
    with partner.state.transaction():
        add_review(partner.state, product, partner.n)
        add_review(partner.state, product, partner.n)
    partner.place(body)
    with partner.state.transaction():
        withdraw_review(partner.state, product, partner.n)
    with pytest.raises(PersonalizationReviewRequired):
        partner.place(body)
