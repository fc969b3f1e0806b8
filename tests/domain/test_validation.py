"""Errors in a request for a team order, and which of them comes first."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.order_errors import InvalidRecipients, SkuNotFound
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, SKUS, Product, Sku
from giftsim.services.gifting.domain.fulfilment.validation import validate_order
from giftsim.services.gifting.domain.money.account import open_account
from tests.support.domain.partner_orders import LONDON, RENO, PartnerDomain, address_order_body, email_order_body

TEE = {"merchant_product_id": 102, "fixed_options": {"1022": 10222}, "choice_variation_ids": [1021]}


class SchemaViolation(msgspec.Struct, frozen=True):
    """A schema violation, as the contract reports it."""

    code: str | None
    path: tuple[str | int, ...]
    message: str


def validation_error(partner: PartnerDomain, body: Any, *violations: SchemaViolation) -> Problem:
    """The error of an invalid body."""
    with pytest.raises(Problem) as error:
        validate_order(partner.state, partner.account, body, violations)
    assert partner.state[FULFILMENTS].next_n == 0
    return error.value


@pytest.mark.parametrize("item", [{"sku_code": "NO-01"}, {"merchant_sku_id": 999}, {"merchant_product_id": 999}])
def test_an_unknown_item_is_not_found(item: dict[str, Any]) -> None:
    assert isinstance(validation_error(PartnerDomain(), email_order_body(items=[item])), SkuNotFound)


def test_an_item_of_another_account_is_not_found() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        other = open_account(partner.state, {})
        partner.state[PRODUCTS].add(Product(2, 105, "next-01", "Next", 900, account=other.n))
        partner.state[SKUS].add(Sku(2, 10500, "NEXT-01", 2))
    for item in ({"sku_code": "NEXT-01"}, {"merchant_sku_id": 10500}, {"merchant_product_id": 105}):
        assert isinstance(validation_error(partner, email_order_body(items=[item])), SkuNotFound)


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
        ({"items": [{**TEE, "choice_variation_ids": []}]}, "invalid_item"),
        ({"items": [{**TEE, "choice_variation_ids": [1021, 1022]}]}, "invalid_item"),
        ({"items": [{**TEE, "choice_variation_ids": [1021, 77]}]}, "invalid_item"),
        ({"items": [{**TEE, "fixed_options": {"1022": 10211}}]}, "invalid_item"),
        ({"items": [{**TEE, "fixed_options": {"x": 1}}]}, "invalid_item"),
        ({"items": [{"merchant_product_id": 101, "fixed_options": {"1022": 10222}}]}, "invalid_item"),
    ],
)
def test_rules_beyond_the_schema_have_their_own_400_codes(change: dict[str, Any], code: str) -> None:
    problem = validation_error(PartnerDomain(), email_order_body() | change)
    assert (problem.status, problem.code) == (400, code)


def test_orders_with_addresses_allow_no_choices_and_no_open_seats() -> None:
    assert validation_error(PartnerDomain(), address_order_body(items=[TEE])).code == "invalid_item"
    assert validation_error(PartnerDomain(), address_order_body(open_seats=1)).code == "invalid_body"
    PartnerDomain().place(address_order_body(open_seats=0))


def test_the_first_error_in_the_error_table_is_raised() -> None:
    partner = PartnerDomain()
    body = email_order_body(items=[], gift_sender=None, event={"date": "2020-01-01"})
    assert validation_error(partner, body).code == "items_required"
    assert validation_error(partner, body | {"items": [{"sku_code": "NO-01"}]}).code == "gift_sender_required"
    violation = SchemaViolation("invalid_body", ("open_seats",), "open_seats: 'x' is not an integer")
    assert validation_error(partner, body, violation).message == violation.message
    unnamed = SchemaViolation(None, (), "body: odd")
    assert (
        validation_error(partner, body, SchemaViolation("invalid_event", ("event",), "event: odd"), unnamed).code
        == "invalid_body"
    )
    assert (
        validation_error(
            partner, email_order_body(), SchemaViolation("invalid_item", ("items", 0), "items[0]: odd")
        ).code
        == "invalid_item"
    )


def test_recipient_errors_come_after_catalogue_errors_and_are_listed_together() -> None:
    partner = PartnerDomain()
    body = address_order_body({**RENO, "zip": "ABC"}, RENO, {**LONDON, "zip": None, "city": ""})
    violation = SchemaViolation(
        "invalid_recipients", ("recipients", 1, "name"), 'recipients[1].name: "name" is a required property'
    )
    duplicate = SchemaViolation(
        "invalid_recipients", ("recipients", 2, "address", "zip"), "recipients[2].address.zip: null"
    )
    problem = validation_error(partner, body, violation, duplicate)
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
    assert isinstance(validation_error(partner, body | {"items": [{"sku_code": "NO-01"}]}, violation), SkuNotFound)


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
    partner = PartnerDomain()
    partner.change_settings(partner__gift_sender_required=rule)
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
            assert validation_error(partner, body).code == "gift_sender_required"
        else:
            validate_order(partner.state, partner.account, body, ())


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
    assert validation_error(PartnerDomain(), body, SchemaViolation("invalid_body", (), "body: odd")).status == 400
