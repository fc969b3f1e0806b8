"""Bodies that are not an order: each documented code, strict JSON, and which of several faults is named first."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import RENO, address_recipients, email_recipients, order_body
from tests.support.partner.catalogue import COLOUR, MUG_LINE, SIZE, SMALL, TEE, TEE_LINE
from tests.support.partner.money import wallet_by_label
from tests.support.partner.orders import order_id, refused_order
from tests.support.responses import created, error_code, invalid_recipient_fields
from tests.support.worlds import World


def text(**members: Any) -> str:
    """A good body as JSON text, with members put over it."""
    return json.dumps(order_body(**members))


def refused_text(world: World, partner: PartnerClient, body: str | bytes) -> str:
    """The code by which a body is refused; it must leave nothing behind."""
    with world.assert_unchanged():
        answer = partner.post("/team-orders", body)
    said = error_code(answer)
    assert created(partner.create_order())
    return said


@shows("P-7.1")
@pytest.mark.parametrize(
    "body", ["[", "[]", "", "   ", "null", "true", "7", '"order"', "{", "{'a': 1}", "{} {}", "[{}]"]
)
def test_a_body_is_one_json_object(world: World, partner: PartnerClient, body: str) -> None:
    assert refused_text(world, partner, body) == "invalid_body"


@pytest.mark.parametrize(
    "body",
    [
        text().replace('{"idem', '{"name": "A", "name": "B", "idem'),
        text().replace('"email"', '"name": "Bo", "email"'),
        text(note=float("nan")), text(note=float("inf")), text(note=float("-inf")), text()[:-1] + ', "note": 1e999}',
        text(name="\ud800"), text(name="\udc00\ud800"), text(note={"\udfff": 1}),
        text()[:-1] + ', "note": 01}', text()[:-1] + ', "note": .5}', text()[:-1] + ",}", "\ufeff" + text(),
        text().encode("utf-16"), b'{"name": "\xe9"}', b'{"name": "\xed\xa0\x80"}', text()[:-1] + ', "note": "\x01"}',
        text()[:-1] + ', "note": ' + "9" * 5000 + "}",
        text()[:-1] + ', "note": ' + "[" * 64 + "]" * 64 + "}", "[" * 200_000, '{"a":' * 200_000,
    ],
)  # fmt: skip
def test_json_is_read_strictly(world: World, partner: PartnerClient, body: str | bytes) -> None:
    assert refused_text(world, partner, body) == "invalid_body"


@pytest.mark.parametrize(
    "body",
    [
        text()[:-1] + ', "note": ' + "[" * 63 + "]" * 63 + "}", text(note=1.0), text(note=10**30), text(note=-0.0),
        text(name="Grüße 🎁"), json.dumps(order_body(name="Grüße 🎁"), ensure_ascii=False), text() + " \r\n\t",
        text(name="\ud83c\udf81"), text(note=[None, True, {"": ""}]), text(name=""), text(gift_message="a\n\tb"),
    ],
)  # fmt: skip
def test_what_strict_json_allows_is_taken(partner: PartnerClient, body: str) -> None:
    order = created(partner.post("/team-orders", body))
    assert partner.read_order(order_id(order))["team_order"]["name"] == json.loads(body).get("name")


def test_a_body_of_more_than_four_mebibytes_is_too_large(world: World, partner: PartnerClient) -> None:
    body = text(note="")
    most = 4 * 1024 * 1024 - len(body)
    assert refused_text(world, partner, text(note="x" * (most + 1))) == "body_too_large"
    assert created(partner.post("/team-orders", text(idempotency_key="large", note="x" * most)))


@shows("P-7.1")
@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("open_seats", "x"), ("name", 7), ("name", "two\nlines"), ("name", "two\u2028lines"),
        ("name", "two\u2029lines"), ("name", "two\u0085lines"), ("name", "two\x0blines"), ("name", "x" * 201),
        ("reference", []), ("po_number", {}), ("items", {}), ("items", "MUG-01"), ("recipients", {}),
        ("recipients", "Bo"), ("recipients", [None]),
        ("claim_expiry_days", "10"), ("gift_sender", 7), ("gift_sender", "x" * 201),
        ("gift_message", 7), ("gift_message", "x" * 2001), ("gift_message", "\x00"), ("card", "Thanks"), ("card", []),
        ("card", {"message": 7}), ("card", {"sender": []}), ("return_claim_links", "yes"),
        ("return_claim_links", 1), ("idempotency_key", 7),
    ],
)  # fmt: skip
def test_a_member_of_another_type_is_an_invalid_body(
    world: World, partner: PartnerClient, member: str, value: Any
) -> None:
    assert refused_text(world, partner, json.dumps({**order_body(), member: value})) == "invalid_body"


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"open_seats": 1.0}, "invalid_body"), ({"claim_expiry_days": 10.0}, "invalid_body"),
        ({"items": [{**MUG_LINE, "quantity": 1.0}]}, "invalid_item"),
        ({"items": [{"merchant_sku_id": 10100.0}]}, "invalid_item"),
        ({"items": [{"merchant_product_id": 101.0}]}, "invalid_item"),
        ({"items": [{"merchant_product_id": TEE, "fixed_options": {"1021": 10211.0, "1022": 10221}}]}, "invalid_item"),
        ({"items": [{"merchant_product_id": TEE, "choice_variation_ids": [1021.0, 1022]}]}, "invalid_item"),
    ],
)  # fmt: skip
def test_one_point_nought_is_not_an_integer(world: World, partner: PartnerClient, members: Any, expected: str) -> None:
    assert refused_order(world, partner, **members) == expected


def test_nor_is_it_one_in_a_row(world: World, partner: PartnerClient) -> None:
    assert refused_order(world, partner, 422, recipients=address_recipients(1, quantity=2.0)) == "invalid_recipients"


@shows("P-7.2")
@shows("P-7.2", "P-7.4", "P-7.6")
@pytest.mark.parametrize("member", ["items", "recipients", "gift_sender"])
def test_null_for_a_member_that_is_needed_gets_its_required_code(
    world: World, partner: PartnerClient, member: str
) -> None:
    assert refused_text(world, partner, json.dumps({**order_body(), member: None})) == f"{member}_required"


@pytest.mark.parametrize("items", [None, []])
def test_an_order_needs_items(world: World, partner: PartnerClient, items: Any) -> None:
    assert refused_order(world, partner, items=items) == "items_required"


@shows("P-7.4")
@pytest.mark.parametrize("recipients", [None, []])
def test_an_order_needs_recipients(world: World, partner: PartnerClient, recipients: Any) -> None:
    assert refused_order(world, partner, recipients=recipients) == "recipients_required"


@shows("P-7.5")
@pytest.mark.parametrize(
    "recipients",
    [[*email_recipients(1), *address_recipients(1)], [*address_recipients(1), *email_recipients(1)],
     [*address_recipients(1), *email_recipients(1, address=None)],
     [*email_recipients(99), *address_recipients(1)], [*email_recipients(1), {"name": "Cy", "address": {}}],
      [*email_recipients(1), {"address": "Reno"}]],
)  # fmt: skip
def test_either_all_have_an_address_or_none(world: World, partner: PartnerClient, recipients: Any) -> None:
    assert refused_order(world, partner, recipients=recipients) == "mixed_address_modes"


@shows("P-7.6")
@pytest.mark.parametrize("sender", [None, "", "  ", "\t"])
@pytest.mark.parametrize("rows", [email_recipients(1), address_recipients(1)])
def test_an_order_needs_a_gift_sender(world: World, partner: PartnerClient, sender: str | None, rows: Any) -> None:
    expected = "invalid_body" if sender == "\t" else "gift_sender_required"
    assert refused_order(world, partner, gift_sender=sender, recipients=rows) == expected


# Which orders need a sender by each setting: by links, with addresses, with a message, a card, a row's message.
SENDER_RULES = {
    "always": (True, True, True, True, True),
    "with_message_or_card": (False, False, True, True, True),
    "link_mode": (True, False, False, False, True),
    "never": (False, False, False, False, False),
}


@shows("P-7.6")
@pytest.mark.parametrize("rule", SENDER_RULES)
def test_which_orders_need_a_sender_is_a_setting(world: World, partner: PartnerClient, rule: str) -> None:
    world.change_settings(partner__gift_sender_required=rule)
    orders: list[dict[str, Any]] = [
        {}, {"recipients": address_recipients(1)}, {"recipients": address_recipients(1), "gift_message": "Hi"},
        {"recipients": address_recipients(1), "card": {"message": "Hi"}},
        {"recipients": email_recipients(1, gift_message="Hi")},
    ]  # fmt: skip
    answers = [
        partner.create_order(idempotency_key=f"{i}", gift_sender=None, **order) for i, order in enumerate(orders)
    ]
    assert [answer.status == 400 for answer in answers] == list(SENDER_RULES[rule])
    assert {error_code(answer) for answer in answers if answer.status == 400} <= {"gift_sender_required"}
    assert [created(answer)["team_order"]["id"] for answer in answers if answer.status != 400] == [
        1001 + i for i in range(SENDER_RULES[rule].count(False))
    ]
    assert created(partner.create_order(gift_sender="Ada"))


@shows("P-7.7")
@pytest.mark.parametrize(
    "event",
    [
        [], "soon", 7, True, {}, {"rush": True}, {"date": "soon"}, {"date": 20270601}, {"date": ""},
        {"date": "2999-02-30"}, {"date": "2999-1-5"}, {"date": "2999-01-05T00:00:00Z"}, {"date": "05.01.2999"},
        {"date": "29990105"}, {"date": "0000-01-01"}, {"date": "2999-01-05", "rush": "yes"},
        {"date": "2999-01-05", "rush": 1},
        {"date": "2999-01-05", "kit_assembly": "true"}, {"date": "2999-01-05", "kit_assembly": 0},
    ],
)  # fmt: skip
def test_a_bad_event_is_refused(world: World, partner: PartnerClient, event: Any) -> None:
    assert refused_order(world, partner, event=event) == "invalid_event"


@pytest.mark.parametrize(
    ("member", "code"),
    [
        ("name", "invalid_body"), ("items", "invalid_body"), ("recipients", "invalid_body"), ("card", "invalid_body"),
        ("gift_sender", "invalid_body"), ("destination_countries", "invalid_body"), ("event", "invalid_event"),
    ],
)  # fmt: skip
def test_a_setting_refuses_null(world: World, partner: PartnerClient, member: str, code: str) -> None:
    world.change_settings(strict_nulls=True)
    assert refused_text(world, partner, json.dumps({**order_body(), member: None})) == code


@shows("P-7.7")
def test_the_events_day_may_be_today_and_not_yesterday(world: World, partner: PartnerClient) -> None:
    today, yesterday = date_from_now(world, 0), date_from_now(world, -1)
    assert error_code(partner.create_order(event={"date": yesterday})) == "invalid_event"
    assert created(partner.create_order(event={"date": today}))
    world.advance(to=f"{date_from_now(world, 1)}T00:00:00Z")
    assert error_code(partner.create_order(idempotency_key="second", event={"date": today})) == "invalid_event"


@shows("P-7.10")
@pytest.mark.parametrize(
    ("status", "wrong"),
    [
        (400, {"name": 7}), (400, {"items": []}), (400, {"items": [{}]}), (400, {"recipients": []}),
        (400, {"recipients": [*email_recipients(1), *address_recipients(1)]}), (400, {"gift_sender": ""}),
        (400, {"event": {}}),
        (404, {"items": [{"sku_code": "GONE-01"}]}), (409, {"items": [{"sku_code": "ENGR-01"}]}),
        (422, {"recipients": [{"name": "Bo", "address": {**RENO, "zip": "1"}}]}),
    ],
)  # fmt: skip
def test_a_refusal_leaves_nothing_and_a_corrected_body_may_use_the_key(
    world: World, partner: PartnerClient, status: int, wrong: dict[str, Any]
) -> None:
    before = wallet_by_label(world)
    with world.assert_unchanged():
        for _ in range(2):
            assert partner.create_order(**wrong).status == status
    assert wallet_by_label(world) == before
    assert partner.get("/team-orders").json()["total"] == 0
    order = created(partner.create_order())
    assert [row["id"] for row in partner.get("/team-orders").json()["team_orders"]] == [order_id(order)]
    assert wallet_by_label(world) == before - order["totals"]["charged_cents"]


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
