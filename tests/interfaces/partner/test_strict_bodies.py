"""Members that nobody knows: ignored, unless the setting `strict_bodies` refuses them by name (G19)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import RENO, address_recipients, email_recipients
from tests.support.partner.catalogue import COLOUR, SIZE, SMALL, TEE, TEE_LINE
from tests.support.partner.orders import refused_order
from tests.support.responses import created, error_code, invalid_recipient_fields
from tests.support.worlds import World

TYPO = {"name": "Bo", "email": "bo@example.com", "adress": RENO}


def test_a_typo_silently_makes_a_link_order(partner: PartnerClient) -> None:
    assert created(partner.create_order(recipients=[TYPO]))["team_order"]["address_mode"] == "claim_links"


def test_unless_bodies_are_strict(world: World, partner: PartnerClient) -> None:
    world.change_settings(strict_bodies=True)
    with world.assert_unchanged():
        answer = partner.create_order(recipients=[*email_recipients(1), TYPO])
    assert invalid_recipient_fields(answer) == {1: ["adress"]}
    assert created(partner.create_order())


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"gift_mesage": "Hi"}, "invalid_body"), ({"Name": "Welcome"}, "invalid_body"), ({"": 1}, "invalid_body"),
        ({"card": {"message": "Hi", "from": "Ada"}}, "invalid_body"),
        ({"items": [{"sku_code": "MUG-01", "qty": 2}]}, "invalid_item"),
        ({"event": {"date": "2999-01-05", "rushed": True}}, "invalid_event"),
    ],
)  # fmt: skip
def test_each_stranger_has_the_code_of_its_place(world: World, partner: PartnerClient, members: Any, said: str) -> None:
    world.change_settings(strict_bodies=True)
    with world.assert_unchanged():
        answer = partner.create_order(**members)
    assert error_code(answer) == said
    name = {"card": "from", "items": "qty", "event": "rushed"}.get(next(iter(members)), next(iter(members)))
    assert name in answer.json()["error"]["message"]


@pytest.mark.parametrize("note", [{}, {"quantity": 2}])
def test_a_stranger_in_an_address_is_one_of_its_row(world: World, partner: PartnerClient, note: Any) -> None:
    world.change_settings(strict_bodies=True)
    rows = [*address_recipients(1), {"name": "Bo", **note, "address": {**RENO, "zipcode": "89501"}}]
    with world.assert_unchanged():
        assert invalid_recipient_fields(partner.create_order(recipients=rows)) == {1: ["address.zipcode"]}


@pytest.mark.parametrize(
    ("members", "unknown"),
    [
        ({"quantity": 2}, ["quantity"]), ({"ship_on": "2999-05-01"}, ["ship_on"]),
        ({"quantity": 0, "ship_on": "soon", "address": None}, ["quantity", "ship_on"]),
    ],
)  # fmt: skip
def test_what_belongs_to_a_recipient_with_an_address_is_unknown_on_one_without(
    world: World, partner: PartnerClient, members: Any, unknown: list[str]
) -> None:
    world.change_settings(strict_bodies=True)
    rows = [*email_recipients(1), *email_recipients(1, **members)]
    with world.assert_unchanged():
        response = partner.create_order(recipients=rows)
    assert invalid_recipient_fields(response) == {1: unknown}


def test_all_that_the_contract_names_passes(world: World, partner: PartnerClient) -> None:
    world.change_settings(strict_bodies=True)
    event = {"date": date_from_now(world, 30), "rush": True, "kit_assembly": True}
    said = {
        "name": "A",
        "reference": "B",
        "po_number": "C",
        "gift_message": "D",
        "card": {"message": "E", "sender": "F"},
    }
    linked = partner.create_order(
        **said, event=event, items=[TEE_LINE], destination_countries=["US"], claim_expiry_days=3, open_seats=1,
        return_claim_links=True, recipients=email_recipients(1, company="G", gift_message="H"),
    )  # fmt: skip
    assert created(linked)
    fixed = [{"merchant_product_id": TEE, "fixed_options": {str(SIZE): SMALL, str(COLOUR): 10221}, "quantity": 2}]
    rows = address_recipients(1, company="G", email="bo@example.com", quantity=2, ship_on=date_from_now(world, 3))
    assert created(partner.create_order(idempotency_key="b", **said, event=event, items=fixed, recipients=rows))


def test_other_bodies_are_strict_too(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order())["team_order"]["id"]
    cancel = {"recipient_id": [1]}
    world.change_settings(strict_bodies=True)
    with world.assert_unchanged():
        assert error_code(partner.post(f"/team-orders/{order}/cancel", cancel)) == "invalid_body"
        endpoint = {"url": "https://hooks.partner.example/gifts", "events": ["team_order.claimed"], "kinds": []}
        assert error_code(partner.post("/webhooks", endpoint)) == "invalid_body"
    world.change_settings(strict_bodies=False)
    assert partner.post(f"/team-orders/{order}/cancel", cancel).status == 200


def test_a_wrong_member_beside_a_stranger_is_told_by_the_table(world: World, partner: PartnerClient) -> None:
    world.change_settings(strict_bodies=True)
    assert refused_order(world, partner, event={"date": "soon"}, surprise=1) == "invalid_body"


def test_strangers_change_nothing_of_strict_numbers(world: World, partner: PartnerClient) -> None:
    world.change_settings(strict_bodies=True)
    body = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01", "qty": 1.0}],
            "recipients": email_recipients(1)}  # fmt: skip
    assert error_code(partner.post("/team-orders", json.dumps(body))) == "invalid_item"
