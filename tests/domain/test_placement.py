"""Orders placed from a request: rows, prices, links and fees."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.kernel.errors import InvalidSetting
from giftsim.engine.kernel.index import PARTITION_SIZE as SIZE
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.order_errors import PersonalizationReviewRequired
from giftsim.services.gifting.domain.fulfilment.products import (
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
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.domain.partner_orders import LONDON, RENO, PartnerDomain, address_order_body, email_order_body
from tests.support.orders import address_recipients


@shows("P-4.2", "P-4.3", "P-4.4")
def test_a_list_by_status_goes_on_where_a_partition_of_the_index_ends(partner: PartnerClient) -> None:
    orders = [
        partner.create_order(idempotency_key=f"{n}", recipients=address_recipients(1)).json()["team_order"]["id"]
        for n in range(SIZE + 10)
    ]
    for n in (3, SIZE - 2, SIZE, SIZE + 7):
        partner.post(f"/team-orders/{orders[n]}/cancel", {})
    canceled = partner.get("/team-orders?status=canceled&limit=3").json()
    assert [order["id"] for order in canceled["team_orders"]] == [orders[n] for n in (SIZE + 7, SIZE, SIZE - 2)]
    assert canceled["total"] == 4
    last = partner.get("/team-orders?status=canceled&limit=3&offset=3").json()
    assert [order["id"] for order in last["team_orders"]] == [orders[3]]
    rest = partner.get("/team-orders?status=in_progress&limit=10&offset=4").json()
    assert rest["total"] == SIZE + 6
    assert [order["id"] for order in rest["team_orders"]] == [
        orders[n] for n in range(SIZE + 4, SIZE - 8, -1) if n not in (SIZE, SIZE - 2)
    ][:10]


TEE = {"merchant_product_id": 102, "fixed_options": {"1022": 10222}, "choice_variation_ids": [1021]}


def test_an_order_has_a_row_per_recipient_and_the_prices_add_up() -> None:
    partner = PartnerDomain()
    order = partner.place(
        email_order_body("Bo", "Cy", items=[{"sku_code": "MUG-01", "quantity": 2}, {"merchant_sku_id": 10200}])
    )
    assert (order.id, order.status, order.address_mode) == (1001, "unpaid", "claim_links")
    assert order.quote_number.startswith("Q-")
    assert (order.subtotal_cents, order.shipping_cents, order.event_fees_cents) == (2 * 4500, 2 * 800, 0)
    rows = partner.rows(order)
    assert [recipient.name for recipient, _ in rows] == ["Bo", "Cy"]
    assert [shipment.external_id for _, shipment in rows] == ["TO-1001-1", "TO-1001-2"]
    assert rows[0][1].order_id == 500_001
    assert len({recipient.token for recipient, _ in rows}) == 2


def test_a_sku_costs_the_same_by_id_and_by_code() -> None:
    partner = PartnerDomain()
    by_code = partner.place(email_order_body(items=[{"sku_code": "TEE-01", "quantity": 3}]))
    by_id = partner.place(email_order_body(items=[{"merchant_sku_id": 10200, "quantity": 3}]))
    assert by_code.total_cents == by_id.total_cents == 3 * 2500 + 800


def test_quantity_multiplies_the_items_but_not_the_shipping() -> None:
    partner = PartnerDomain()
    body = address_order_body(RENO, LONDON)
    body["recipients"][0]["quantity"] = 3
    order = partner.place(body)
    assert (order.subtotal_cents, order.shipping_cents) == (4 * 1000, 800 + 1800)
    assert order.countries == ("US", "GB")


def test_orders_with_links_pay_the_highest_shipping_price() -> None:
    partner = PartnerDomain()
    assert partner.place(email_order_body(destination_countries=["US", "AU", "DE"])).shipping_cents == 2200
    assert partner.place(email_order_body()).countries == ("US",)
    partner.change_settings(partner__destination_countries=["GB", "CA"])
    assert partner.place(email_order_body()).countries == ("GB", "CA")


def test_orders_with_addresses_ignore_destinations_and_never_expire() -> None:
    order = PartnerDomain().place(address_order_body(LONDON, destination_countries=["US"]))
    assert (order.countries, order.expires_at_ms, order.address_mode) == (("GB",), None, "addresses")


def test_the_address_mode_setting_cannot_be_claim_links() -> None:
    partner = PartnerDomain()
    partner.change_settings(partner__address_mode="direct")
    order = partner.buy(address_order_body())
    assert order.address_mode == "direct"
    partner.advance("5d")
    assert partner.order(order).status == "delivered"
    with pytest.raises(InvalidSetting):
        partner.change_settings(partner__address_mode="claim_links")


@pytest.mark.parametrize(
    ("event", "fees_cents"),
    [
        (None, 0),
        ({"date": "2027-02-01"}, 0),
        ({"date": "2027-01-04", "rush": True}, 2500),
        ({"date": "2027-02-01", "kit_assembly": True}, 3 * 300),
        ({"date": "2027-02-01", "rush": True, "kit_assembly": True}, 3 * 300 + 2500),
    ],
)
def test_rush_and_kit_assembly_each_add_to_the_fees(event: dict[str, Any] | None, fees_cents: int) -> None:
    partner = PartnerDomain()
    order = partner.place(email_order_body("Bo", "Cy", "Di", **({"event": event} if event else {})))
    assert order.event_fees_cents == fees_cents
    shares = [recipient.event_fees_cents for recipient, _ in partner.rows(order)]
    assert (sum(shares), max(shares) - min(shares)) == (fees_cents, fees_cents % len(shares))


def test_open_seats_are_unnamed_rows_after_the_others() -> None:
    partner = PartnerDomain()
    order = partner.place(email_order_body("Bo", open_seats=2))
    assert (order.recipient_count, order.subtotal_cents, order.open_seats) == (3, 3000, 2)
    assert [(row.name, row.email, row.token is None) for row, _ in partner.rows(order)] == [
        ("Bo", "bo@example.com", False),
        (None, None, True),
        (None, None, True),
    ]
    assert order.share_token


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
