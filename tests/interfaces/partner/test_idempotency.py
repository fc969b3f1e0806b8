"""The idempotency key of the body: replays, retries of an unpaid order, and what leaves the key free."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, claim_tokens, email_recipients, order_body
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import ledger_balances, payments, wallet_cents
from tests.support.partner.orders import list_orders
from tests.support.responses import created, status_and_code
from tests.support.worlds import World


@shows("P-4.17")
def test_the_same_body_again_replays_the_first_answer_byte_for_byte(world: World, partner: PartnerClient) -> None:
    first = partner.create_order(return_claim_links=True, open_seats=2)
    created(first)
    assert "idempotent-replayed" not in first.headers
    with world.assert_unchanged():
        again = partner.create_order(return_claim_links=True, open_seats=2)
    assert (again.status, again.body) == (201, first.body)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.headers["content-type"] == first.headers["content-type"]
    assert again.headers["x-request-id"] != first.headers["x-request-id"]


@shows("P-4.17")
def test_a_replay_shows_the_first_answer_however_far_the_order_has_moved_on(
    world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped", "team_order.delivered")
    first = partner.create_order(recipients=email_recipients(3), return_claim_links=True)
    order = created(first)
    world.claim(claim_tokens(order)[0])
    world.advance("10d")
    partner.post(f"/team-orders/{order['team_order']['id']}/cancel", {})
    detail = partner.read_order(first)
    assert [row["status"] for row in detail["recipients"]] == ["delivered", "canceled", "canceled"]
    world.change_account(wallet_cents=0, card="none")
    with world.assert_unchanged():
        assert partner.create_order(recipients=email_recipients(3), return_claim_links=True).body == first.body
    assert partner.read_order(first) == detail


@shows("P-4.17")
def test_a_key_is_remembered_for_ever(world: World, partner: PartnerClient) -> None:
    first = partner.create_order()
    world.advance("1000w")
    with world.assert_unchanged():
        assert partner.create_order().body == first.body


@shows("P-4.17")
def test_the_order_of_members_and_white_space_are_not_a_difference(world: World, partner: PartnerClient) -> None:
    first = partner.create_order(gift_message="Thank you — €", return_claim_links=True)
    body = order_body(gift_message="Thank you — €", return_claim_links=True)
    shuffled = json.dumps(dict(reversed(body.items())), indent=4)
    with world.assert_unchanged():
        assert partner.post("/team-orders", shuffled).body == first.body
        assert partner.post("/team-orders", shuffled.encode()).body == first.body


@shows("P-4.17")
def test_null_and_no_member_at_all_do_not_differ(world: World, partner: PartnerClient) -> None:
    first = partner.create_order()
    with world.assert_unchanged():
        assert partner.post("/team-orders", {**order_body(), "name": None, "open_seats": None}).body == first.body


@shows("P-4.17")
@pytest.mark.parametrize("query", ["?trace=1", "?include=claim_links", "?"])
def test_a_query_string_does_not_count_as_a_difference(world: World, partner: PartnerClient, query: str) -> None:
    first = partner.create_order(return_claim_links=True)
    with world.assert_unchanged():
        again = partner.post(f"/team-orders{query}", order_body(return_claim_links=True))
    assert (again.status, again.body) == (201, first.body)
    assert again.headers["idempotent-replayed"] == "true"


@shows("P-4.19")
def test_a_retry_after_a_402_may_have_another_query_string(world: World) -> None:
    partner = world.partner("partner.no_funds")
    unpaid = partner.post("/team-orders?attempt=1", order_body()).json()["team_order_id"]
    world.change_account("partner.no_funds", add_cents=100_000)
    paid = partner.post("/team-orders?attempt=2", order_body())
    assert created(paid)["team_order"]["id"] == unpaid


@shows("P-7.21")
def test_a_used_key_with_another_body_is_refused_and_changes_nothing(world: World, partner: PartnerClient) -> None:
    first = partner.create_order(name="Spring")
    with world.assert_unchanged():
        assert status_and_code(partner.create_order(name="Summer")) == (409, "idempotency_payload_mismatch")
        assert partner.create_order(name="Spring").body == first.body
    assert partner.read_order(first)["team_order"]["name"] == "Spring"
    second = created(partner.create_order(name="Summer", idempotency_key="second"))
    assert second["team_order"]["id"] != created(first)["team_order"]["id"]


@shows("P-7.21")
@pytest.mark.parametrize(
    "change",
    [
        {"items": [{"sku_code": "MUG-01", "quantity": 1.0}]},
        {"items": [{"sku_code": "MUG-01", "quantity": True}]},
        {"items": [{"sku_code": "MUG-01"}]},
        {"gift_message": None, "name": ""},
        {"name": "first"},
        {"recipients": []},
        {"items": "none"},
        {"note": "unknown members count too"},
    ],
)
def test_any_other_body_is_another_one_before_it_is_judged(
    world: World, partner: PartnerClient, change: dict[str, Any]
) -> None:
    created(partner.create_order())
    with world.assert_unchanged():
        assert status_and_code(partner.create_order(**change)) == (409, "idempotency_payload_mismatch")


@shows("P-4.18")
def test_a_header_does_not_take_the_place_of_the_body_member(world: World, partner: PartnerClient) -> None:
    with world.assert_unchanged():
        answer = partner.create_order(idempotency_key=None)
        assert status_and_code(answer) == (400, "invalid_body")
        by_header = partner.post("/team-orders", order_body(idempotency_key=None), Idempotency_Key="first")
        assert status_and_code(by_header) == (400, "invalid_body")
    made_ids = [
        created(partner.post("/team-orders", order_body(idempotency_key=key), Idempotency_Key="same"))["team_order"][
            "id"
        ]
        for key in ("one", "two")
    ]
    assert len(set(made_ids)) == 2
    again = partner.post("/team-orders", order_body(idempotency_key="one"), Idempotency_Key="another")
    assert created(again)["team_order"]["id"] == made_ids[0]


@shows("P-4.19")
def test_after_a_402_the_same_key_charges_the_same_order_once(world: World) -> None:
    partner = world.partner("partner.no_funds")
    first = partner.create_order(recipients=email_recipients(2))
    assert status_and_code(first) == (402, "insufficient_funds_no_card")
    again = partner.create_order(recipients=email_recipients(2))
    assert status_and_code(again) == (402, "insufficient_funds_no_card")
    assert "idempotent-replayed" not in again.headers
    world.change_account("partner.no_funds", add_cents=2 * ROW_CENTS)
    paid = partner.create_order(recipients=email_recipients(2))
    order = created(paid)["team_order"]
    assert order["id"] == first.json()["team_order_id"] == again.json()["team_order_id"]
    assert (len(list_orders(world)), len(payments(world, "paid"))) == (1, 1)
    assert ledger_balances(world)[f"order {order['id']}"] == 2 * ROW_CENTS
    assert wallet_cents(world, "partner.no_funds") == 0
    with world.assert_unchanged():
        replay = partner.create_order(recipients=email_recipients(2))
    assert (replay.body, replay.headers["idempotent-replayed"]) == (paid.body, "true")


@shows("P-4.19", "P-7.21")
def test_the_body_of_an_unpaid_order_stays_bound(world: World) -> None:
    partner = world.partner("partner.no_funds")
    unpaid = partner.create_order(name="Spring").json()["team_order_id"]
    world.change_account("partner.no_funds", add_cents=100_000)
    with world.assert_unchanged():
        assert status_and_code(partner.create_order(name="Summer")) == (409, "idempotency_payload_mismatch")
        assert status_and_code(partner.create_order(name="Spring", recipients=email_recipients(2))) == (
            409,
            "idempotency_payload_mismatch",
        )
    assert created(partner.create_order(name="Spring"))["team_order"]["id"] == unpaid


@shows("P-4.19")
def test_each_retry_is_judged_anew(world: World, partner: PartnerClient) -> None:
    states: tuple[tuple[dict[str, Any], str], ...] = (
        ({"wallet_cents": 0, "card": "declined"}, "card_charge_failed"),
        ({"card": "none"}, "insufficient_funds_no_card"),
        ({"card": "good", "card_fallback": False}, "insufficient_funds"),
        ({"card_fallback": True, "daily_limit_cents": 1}, "daily_spend_limit_exceeded"),
    )
    for choices, code in states:
        world.change_account(**choices)
        assert status_and_code(partner.create_order()) == (402, code)
    world.change_account(daily_limit_cents=None)
    assert created(partner.create_order())["billing"]["card_charged_cents"] == ROW_CENTS
    assert [row["status"] for row in payments(world)] == ["failed"] * 4 + ["paid"]


@shows("P-4.19")
def test_a_retry_charges_only_who_is_left(world: World) -> None:
    partner = world.partner("partner.no_funds")
    first = partner.create_order(recipients=email_recipients(3))
    detail = partner.read_order(first.json()["team_order_id"])
    gone = detail["recipients"][1]["recipient_id"]
    path = f"/team-orders/{detail['team_order']['id']}"
    assert partner.post(f"{path}/cancel", {"recipient_ids": [gone]}).json()["refunded_cents"] == 0
    world.change_account("partner.no_funds", add_cents=2 * ROW_CENTS)
    paid = created(partner.create_order(recipients=email_recipients(3)))
    assert paid["totals"]["charged_cents"] == paid["totals"]["total_cents"] == 2 * ROW_CENTS
    assert wallet_cents(world, "partner.no_funds") == 0
    world.advance("60d")
    assert [mail["to"] for mail in world.mail()] == ["person0@example.com", "person2@example.com"]


@shows("P-4.19")
def test_a_retry_is_not_a_new_request_though_its_day_may_be_over(world: World) -> None:
    partner = world.partner("partner.no_funds")
    body = order_body(event={"date": world.now[:10], "rush": True}, recipients=address_recipients(1))
    unpaid = partner.post("/team-orders", body).json()["team_order_id"]
    world.advance("30d")
    world.change_account("partner.no_funds", add_cents=100_000)
    world.simulate("price", product="MUG-01", price_cents=99_000)
    paid = created(partner.post("/team-orders", body))
    assert paid["team_order"]["id"] == unpaid
    assert paid["totals"]["subtotal_cents"] == 1_800


def test_the_key_of_an_order_canceled_unpaid_never_charges(world: World) -> None:
    partner = world.partner("partner.no_funds")
    unpaid = partner.create_order().json()["team_order_id"]
    partner.post(f"/team-orders/{unpaid}/cancel", {})
    world.change_account("partner.no_funds", add_cents=100_000)
    with world.assert_unchanged():
        answer = partner.create_order()
        assert answer.status == 200, answer.text
        shown = answer.json()
        assert (shown["team_order"]["id"], shown["team_order"]["status"]) == (unpaid, "canceled")
        assert (shown["totals"]["charged_cents"], shown["billing"]["payment_transaction_id"]) == (0, None)
        assert partner.create_order().body == answer.body
        assert status_and_code(partner.create_order(name="other")) == (409, "idempotency_payload_mismatch")


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"gift_sender": None}, 400),
        ({"items": []}, 400),
        ({"items": [{"sku_code": "NO-SUCH", "quantity": 1}]}, 404),
        ({"recipients": [{"name": "Bo", "email": "nobody"}]}, 422),
        ({"items": [{"sku_code": "ENGR-01", "quantity": 1}]}, 409),
    ],
)
def test_what_creates_nothing_leaves_the_key_free(
    world: World, partner: PartnerClient, wrong: dict[str, Any], status: int
) -> None:
    with world.assert_unchanged():
        assert partner.create_order(**wrong).status == status
    order = created(partner.create_order())
    assert order["recipients"][0]["name"] == "Bo"
    assert len(list_orders(world)) == 1


def colleague_of(world: World) -> PartnerClient:
    """Another key of the account of the prepaid key."""
    return world.partner_with_new_key(account={"id": world.change_account()["account_id"]})


@shows("P-4.17", "P-7.21")
def test_a_key_belongs_to_the_account_whatever_api_key_is_used(world: World, partner: PartnerClient) -> None:
    colleague, stranger = colleague_of(world), world.partner("partner.net_terms")
    first = partner.create_order()
    with world.assert_unchanged():
        assert created(colleague.create_order()) == created(first)
        assert status_and_code(colleague.create_order(name="x")) == (409, "idempotency_payload_mismatch")
    assert created(stranger.create_order())["team_order"]["id"] != created(first)["team_order"]["id"]


@shows("P-4.17")
def test_a_rotated_api_key_places_no_order_twice(world: World, partner: PartnerClient) -> None:
    first = created(partner.create_order())
    successor = colleague_of(world)
    world.call_control("DELETE", f"/keys/{partner.headers['Authorization'].removeprefix('Bearer ')}")
    with world.assert_unchanged():
        assert created(successor.create_order()) == first


def test_a_settlement_repeated_with_another_api_key_is_replayed(world: World) -> None:
    terms = world.partner("partner.net_terms")
    created(terms.create_order())
    body = {"idempotency_key": "march", "amount_cents": 100}
    account = world.change_account("partner.net_terms")["account_id"]
    settled = terms.post("/billing/settle", body)
    assert settled.status == 200
    with world.assert_unchanged():
        assert world.partner_with_new_key(account={"id": account}).post("/billing/settle", body).body == settled.body


@shows("P-4.19")
def test_another_api_key_of_the_account_retries_a_402(world: World) -> None:
    poor = world.partner("partner.no_funds")
    order = poor.create_order().json()["team_order_id"]
    account = world.change_account("partner.no_funds", wallet_cents=100_000)["account_id"]
    retried = created(world.partner_with_new_key(account={"id": account}).create_order())
    assert (retried["team_order"]["id"], len(list_orders(world))) == (order, 1)


@shows("P-4.17")
def test_a_setting_gives_each_api_key_its_own_keys(world: World, partner: PartnerClient) -> None:
    world.change_settings(partner__idempotency_scope="key")
    colleague = colleague_of(world)
    ids = [
        created(face.create_order())["team_order"]["id"]
        for face in (partner, colleague, world.partner("partner.net_terms"))
    ]
    assert len(set(ids)) == 3
    assert [created(face.create_order())["team_order"]["id"] for face in (partner, colleague)] == ids[:2]


def test_one_key_serves_one_endpoint(world: World) -> None:
    terms = world.partner("partner.net_terms")
    created(terms.create_order(idempotency_key="march"))
    with world.assert_unchanged():
        answer = terms.post("/billing/settle", {"idempotency_key": "march"})
        assert status_and_code(answer) == (409, "idempotency_payload_mismatch")


@pytest.mark.parametrize("key", ["", 7, None, ["first"], {"a": 1}, True])
def test_a_key_is_a_text(world: World, partner: PartnerClient, key: object) -> None:
    body = {**order_body(), "idempotency_key": key}
    with world.assert_unchanged():
        assert status_and_code(partner.post("/team-orders", body)) == (400, "invalid_body")


@shows("P-4.17")
def test_keys_differ_in_every_letter(partner: PartnerClient) -> None:
    keys = ("first", "First", "first ", "fírst", "f" * 200)
    ids = [created(partner.create_order(idempotency_key=key))["team_order"]["id"] for key in keys]
    assert len(set(ids)) == len(keys)
    assert [created(partner.create_order(idempotency_key=key))["team_order"]["id"] for key in keys] == ids
