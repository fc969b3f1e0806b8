"""What a request for a team order becomes, and what is wrong with one."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from giftsim.domain.fulfilment.catalogue import (
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
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.problem import InvalidRecipients, PersonalizationReviewRequired, SkuNotFound
from giftsim.domain.fulfilment.validation import validate_order
from giftsim.domain.money.account import open_account
from giftsim.kernel.errors import InvalidSetting
from giftsim.problem import Problem
from tests.support.domain.partner_orders import LONDON, RENO, PartnerDomain, address_order_body, email_order_body

TEE = {"merchant_product_id": 102, "fixed_options": {"1022": 10222}, "choice_variation_ids": [1021]}


class Shape(msgspec.Struct, frozen=True):
    """A violation as a contract would find it."""

    code: str | None
    path: tuple[str | int, ...]
    message: str


def judged(stage: PartnerDomain, body: Any, *violations: Shape) -> Problem:
    """The problem that the body is refused with."""
    with pytest.raises(Problem) as refused:
        validate_order(stage.state, stage.account, body, violations)
    assert stage.state[FULFILMENTS].next_n == 0
    return refused.value


def test_an_order_has_a_row_per_recipient_and_the_prices_add_up() -> None:
    stage = PartnerDomain()
    order = stage.place(
        email_order_body("Bo", "Cy", items=[{"sku_code": "MUG-01", "quantity": 2}, {"merchant_sku_id": 10200}])
    )
    assert (order.id, order.status, order.address_mode) == (1001, "unpaid", "claim_links")
    assert order.quote_number.startswith("Q-")
    assert (order.subtotal_cents, order.shipping_cents, order.event_fees_cents) == (2 * 4500, 2 * 800, 0)
    rows = stage.rows(order)
    assert [recipient.name for recipient, _ in rows] == ["Bo", "Cy"]
    assert [shipment.external_id for _, shipment in rows] == ["TO-1001-1", "TO-1001-2"]
    assert rows[0][1].order_id == 500_001
    assert len({recipient.token for recipient, _ in rows}) == 2


def test_a_sku_costs_the_same_by_id_and_by_code() -> None:
    stage = PartnerDomain()
    by_code = stage.place(email_order_body(items=[{"sku_code": "TEE-01", "quantity": 3}]))
    by_id = stage.place(email_order_body(items=[{"merchant_sku_id": 10200, "quantity": 3}]))
    assert by_code.total_cents == by_id.total_cents == 3 * 2500 + 800


def test_quantity_multiplies_the_items_but_not_the_shipping() -> None:
    stage = PartnerDomain()
    body = address_order_body(RENO, LONDON)
    body["recipients"][0]["quantity"] = 3
    order = stage.place(body)
    assert (order.subtotal_cents, order.shipping_cents) == (4 * 1000, 800 + 1800)
    assert order.countries == ("US", "GB")


def test_orders_with_links_pay_the_highest_shipping_price() -> None:
    stage = PartnerDomain()
    assert stage.place(email_order_body(destination_countries=["US", "AU", "DE"])).shipping_cents == 2200
    assert stage.place(email_order_body()).countries == ("US",)
    stage.change_settings(partner__destination_countries=["GB", "CA"])
    assert stage.place(email_order_body()).countries == ("GB", "CA")


def test_orders_with_addresses_ignore_destinations_and_never_expire() -> None:
    order = PartnerDomain().place(address_order_body(LONDON, destination_countries=["US"]))
    assert (order.countries, order.expires_at_ms, order.address_mode) == (("GB",), None, "addresses")


def test_the_address_mode_setting_cannot_be_claim_links() -> None:
    stage = PartnerDomain()
    stage.change_settings(partner__address_mode="direct")
    order = stage.buy(address_order_body())
    assert order.address_mode == "direct"
    stage.advance("5d")
    assert stage.order(order).status == "delivered"
    with pytest.raises(InvalidSetting):
        stage.change_settings(partner__address_mode="claim_links")


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
    stage = PartnerDomain()
    order = stage.place(email_order_body("Bo", "Cy", "Di", **({"event": event} if event else {})))
    assert order.event_fees_cents == fees_cents
    assert sum(recipient.event_fees_cents for recipient, _ in stage.rows(order)) == fees_cents


def test_open_seats_are_unnamed_rows_after_the_others() -> None:
    stage = PartnerDomain()
    order = stage.place(email_order_body("Bo", open_seats=2))
    assert (order.recipient_count, order.subtotal_cents, order.open_seats) == (3, 3000, 2)
    assert [(row.name, row.email, row.token is None) for row, _ in stage.rows(order)] == [
        ("Bo", "bo@example.com", False),
        (None, None, True),
        (None, None, True),
    ]
    assert order.share_token


def test_a_price_change_affects_later_orders_only() -> None:
    stage = PartnerDomain()
    before = stage.place(email_order_body())
    with stage.state.transaction():
        change_price(stage.state, find_product(stage.state, "MUG-01"), 1500)
    assert stage.place(email_order_body()).subtotal_cents == 1500
    assert stage.order(before).subtotal_cents == 1000


def test_a_sku_can_have_its_own_price_until_the_product_price_changes() -> None:
    stage = PartnerDomain()
    with stage.state.transaction():
        stage.state[SKUS].add(Sku(2, 10201, "TEE-01-XL", 1, price_cents=2900))
    assert stage.place(email_order_body(items=[{"sku_code": "TEE-01-XL"}])).subtotal_cents == 2900
    with stage.state.transaction():
        change_price(stage.state, find_product(stage.state, "102"), 2000)
    assert stage.place(email_order_body(items=[{"sku_code": "TEE-01-XL"}])).subtotal_cents == 2000


@pytest.mark.parametrize("named", ["MUG-01", "mug-01", "101", 101, 10100])
def test_a_product_is_found_by_id_slug_or_sku(named: str | int) -> None:
    assert find_product(PartnerDomain().state, named).name == "Mug"


def test_an_unknown_product_is_not_found() -> None:
    with pytest.raises(ProductNotFound):
        find_product(PartnerDomain().state, "MUG-99")


def test_personalization_needs_a_review_on_the_account() -> None:
    stage = PartnerDomain()
    with stage.state.transaction():
        product = stage.state[PRODUCTS].add(Product(2, 104, "engr-01", "Engraved", 900, "review_required"))
    body = email_order_body(items=[{"merchant_product_id": 104}])
    with pytest.raises(PersonalizationReviewRequired):
        stage.place(body)
    assert stage.state[FULFILMENTS].next_n == 0
    with stage.state.transaction():
        add_review(stage.state, product, stage.n)
        add_review(stage.state, product, stage.n)
    stage.place(body)
    with stage.state.transaction():
        withdraw_review(stage.state, product, stage.n)
    with pytest.raises(PersonalizationReviewRequired):
        stage.place(body)


@pytest.mark.parametrize("item", [{"sku_code": "NO-01"}, {"merchant_sku_id": 999}, {"merchant_product_id": 999}])
def test_an_unknown_item_is_not_found(item: dict[str, Any]) -> None:
    assert isinstance(judged(PartnerDomain(), email_order_body(items=[item])), SkuNotFound)


def test_an_item_of_another_account_is_not_found() -> None:
    stage = PartnerDomain()
    with stage.state.transaction():
        other = open_account(stage.state, {})
        stage.state[PRODUCTS].add(Product(2, 105, "next-01", "Next", 900, account=other.n))
        stage.state[SKUS].add(Sku(2, 10500, "NEXT-01", 2))
    for item in ({"sku_code": "NEXT-01"}, {"merchant_sku_id": 10500}, {"merchant_product_id": 105}):
        assert isinstance(judged(stage, email_order_body(items=[item])), SkuNotFound)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"items": []}, "items_required"),
        ({"items": None}, "items_required"),
        ({"recipients": []}, "recipients_required"),
        (
            {"recipients": [{"name": "Bo", "address": RENO}, {"name": "Cy", "email": "c@d.example"}]},
            "mixed_address_modes",
        ),
        ({"gift_sender": None}, "gift_sender_required"),
        ({"gift_sender": "  "}, "gift_sender_required"),
        ({"event": {"date": "2027-01-03"}}, "invalid_event"),
        ({"event": {"date": "2027-02-30"}}, "invalid_event"),
        ({"event": {"date": "soon"}}, "invalid_event"),
        ({"items": [{**TEE, "choice_variation_ids": []}]}, "invalid_item"),
        ({"items": [{**TEE, "choice_variation_ids": [1021, 1022]}]}, "invalid_item"),
        ({"items": [{**TEE, "choice_variation_ids": [1021, 77]}]}, "invalid_item"),
        ({"items": [{**TEE, "fixed_options": {"1022": 10211}}]}, "invalid_item"),
        ({"items": [{**TEE, "fixed_options": {"x": 1}}]}, "invalid_item"),
        ({"items": [{"merchant_product_id": 101, "fixed_options": {"1022": 10222}}]}, "invalid_item"),
    ],
)
def test_rules_beyond_the_schema_have_their_own_400_codes(change: dict[str, Any], code: str) -> None:
    problem = judged(PartnerDomain(), email_order_body() | change)
    assert (problem.status, problem.code) == (400, code)


def test_orders_with_addresses_allow_no_choices_and_no_open_seats() -> None:
    assert judged(PartnerDomain(), address_order_body(items=[TEE])).code == "invalid_item"
    assert judged(PartnerDomain(), address_order_body(open_seats=1)).code == "invalid_body"
    PartnerDomain().place(address_order_body(open_seats=0))


def test_the_first_error_in_the_error_table_is_raised() -> None:
    stage = PartnerDomain()
    body = email_order_body(items=[], gift_sender=None, event={"date": "2020-01-01"})
    assert judged(stage, body).code == "items_required"
    assert judged(stage, body | {"items": [{"sku_code": "NO-01"}]}).code == "gift_sender_required"
    shape = Shape("invalid_body", ("open_seats",), "open_seats: 'x' is not an integer")
    assert judged(stage, body, shape).message == shape.message
    unnamed = Shape(None, (), "body: odd")
    assert judged(stage, body, Shape("invalid_event", ("event",), "event: odd"), unnamed).code == "invalid_body"
    assert (
        judged(stage, email_order_body(), Shape("invalid_item", ("items", 0), "items[0]: odd")).code == "invalid_item"
    )


def test_recipient_errors_come_after_catalogue_errors_and_are_listed_together() -> None:
    stage = PartnerDomain()
    body = address_order_body({**RENO, "zip": "ABC"}, RENO, {**LONDON, "zip": None, "city": ""})
    shape = Shape("invalid_recipients", ("recipients", 1, "name"), 'recipients[1].name: "name" is a required property')
    doubled = Shape("invalid_recipients", ("recipients", 2, "address", "zip"), "recipients[2].address.zip: null")
    problem = judged(stage, body, shape, doubled)
    assert isinstance(problem, InvalidRecipients)
    errors = problem.details["errors"]
    assert isinstance(errors, list)
    assert [row["recipient_index"] for row in errors] == [0, 1, 2]
    assert [[error["field"] for error in row["errors"]] for row in errors] == [
        ["address.zip"],
        ["name"],
        ["address.city", "address.zip"],
    ]
    assert errors[1]["errors"][0]["message"] == '"name" is a required property'
    assert isinstance(judged(stage, body | {"items": [{"sku_code": "NO-01"}]}, shape), SkuNotFound)


@pytest.mark.parametrize(
    ("rule", "required"),
    [
        ("always", ["plain", "message", "own message", "card", "addresses"]),
        ("with_message_or_card", ["message", "own message", "card"]),
        ("link_mode", ["plain", "message", "own message", "card"]),
        ("never", []),
    ],
)
def test_a_setting_decides_which_orders_need_a_gift_sender(rule: str, required: list[str]) -> None:
    stage = PartnerDomain()
    stage.change_settings(partner__gift_sender_required=rule)
    own = [{"name": "Bo", "email": "bo@example.com", "gift_message": "Hello"}]
    bodies = {
        "plain": email_order_body(),
        "message": email_order_body(gift_message="Hello"),
        "own message": email_order_body(recipients=own),
        "card": email_order_body(card={"message": "Hello"}),
        "addresses": address_order_body(),
    }
    for name, body in bodies.items():
        del body["gift_sender"]
        if name in required:
            assert judged(stage, body).code == "gift_sender_required"
        else:
            validate_order(stage.state, stage.account, body, ())


@pytest.mark.parametrize(
    "body",
    [
        None, [], "text", 5, {}, {"items": 5, "recipients": "x", "event": [], "gift_sender": 7},
        {"items": [5, None, {"merchant_product_id": "x"}, {"merchant_product_id": 102, "fixed_options": []}]},
        {"items": [{"merchant_product_id": 102, "fixed_options": {"1": "x", "": None}, "choice_variation_ids": ["x"]}]},
        {"recipients": [None, 5, {"address": 5}, {"address": {"zip": []}}], "event": {"date": 5}},
    ],
)  # fmt: skip
def test_a_body_of_any_shape_gives_a_400(body: Any) -> None:
    assert judged(PartnerDomain(), body, Shape("invalid_body", (), "body: odd")).status == 400
