"""Members that nobody knows: ignored, unless the setting `strict_bodies` refuses them by name (G19)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.harness import RENO, Face, World, addressed, people
from tests.interfaces.partner.scene import COLOUR, SIZE, SMALL, TEE, TEE_LINE, bad_fields, code, date, made, refused

TYPO = {"name": "Bo", "email": "bo@example.com", "adress": RENO}


def test_a_typo_silently_makes_a_link_order(partner: Face) -> None:
    assert made(partner.order(recipients=[TYPO]))["team_order"]["address_mode"] == "claim_links"


def test_unless_bodies_are_strict(world: World, partner: Face) -> None:
    world.settings(strict_bodies=True)
    with world.unchanged():
        answer = partner.order(recipients=[*people(1), TYPO])
    assert bad_fields(answer) == {1: ["adress"]}
    assert made(partner.order())


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"gift_mesage": "Hi"}, "invalid_body"), ({"Name": "Welcome"}, "invalid_body"), ({"": 1}, "invalid_body"),
        ({"card": {"message": "Hi", "from": "Ada"}}, "invalid_body"),
        ({"items": [{"sku_code": "MUG-01", "qty": 2}]}, "invalid_item"),
        ({"event": {"date": "2999-01-05", "rushed": True}}, "invalid_event"),
    ],
)  # fmt: skip
def test_each_stranger_has_the_code_of_its_place(world: World, partner: Face, members: Any, said: str) -> None:
    world.settings(strict_bodies=True)
    with world.unchanged():
        answer = partner.order(**members)
    assert code(answer) == said
    name = {"card": "from", "items": "qty", "event": "rushed"}.get(next(iter(members)), next(iter(members)))
    assert name in answer.json()["error"]["message"]


@pytest.mark.parametrize("note", [{}, {"quantity": 2}])
def test_a_stranger_in_an_address_is_one_of_its_row(world: World, partner: Face, note: Any) -> None:
    world.settings(strict_bodies=True)
    rows = [*addressed(1), {"name": "Bo", **note, "address": {**RENO, "zipcode": "89501"}}]
    with world.unchanged():
        assert bad_fields(partner.order(recipients=rows)) == {1: ["address.zipcode"]}


def test_all_that_the_contract_names_passes(world: World, partner: Face) -> None:
    world.settings(strict_bodies=True)
    event = {"date": date(world, 30), "rush": True, "kit_assembly": True}
    said = {
        "name": "A",
        "reference": "B",
        "po_number": "C",
        "gift_message": "D",
        "card": {"message": "E", "sender": "F"},
    }
    linked = partner.order(
        **said, event=event, items=[TEE_LINE], destination_countries=["US"], claim_expiry_days=3, open_seats=1,
        return_claim_links=True, recipients=people(1, company="G", gift_message="H"),
    )  # fmt: skip
    assert made(linked)
    fixed = [{"merchant_product_id": TEE, "fixed_options": {str(SIZE): SMALL, str(COLOUR): 10221}, "quantity": 2}]
    rows = addressed(1, company="G", email="bo@example.com", quantity=2, ship_on=date(world, 3))
    assert made(partner.order(idempotency_key="b", **said, event=event, items=fixed, recipients=rows))


def test_other_bodies_are_strict_too(world: World, partner: Face) -> None:
    order = made(partner.order())["team_order"]["id"]
    cancel = {"recipient_id": [1]}
    world.settings(strict_bodies=True)
    with world.unchanged():
        assert code(partner.post(f"/team-orders/{order}/cancel", cancel)) == "invalid_body"
        endpoint = {"url": "https://hooks.partner.example/gifts", "events": ["team_order.claimed"], "kinds": []}
        assert code(partner.post("/webhooks", endpoint)) == "invalid_body"
    world.settings(strict_bodies=False)
    assert partner.post(f"/team-orders/{order}/cancel", cancel).status == 200


def test_a_wrong_member_beside_a_stranger_is_told_by_the_table(world: World, partner: Face) -> None:
    world.settings(strict_bodies=True)
    assert refused(world, partner, event={"date": "soon"}, surprise=1) == "invalid_body"


def test_strangers_change_nothing_of_strict_numbers(world: World, partner: Face) -> None:
    world.settings(strict_bodies=True)
    body = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01", "qty": 1.0}],
            "recipients": people(1)}  # fmt: skip
    assert code(partner.post("/team-orders", json.dumps(body))) == "invalid_item"
