"""Canceling recipients: who can be, who is left alone, and what is refused without any effect (B39, G28)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import account_of
from tests.support.partner.orders import (
    cancel_rows,
    move_parcels,
    order_with_statuses,
    order_with_unknown_charge,
    recipient_ids,
    recipient_statuses,
    request_cancel,
)
from tests.support.responses import created, error_code, expect_status
from tests.support.worlds import World

BEYOND = ("in_production", "labeled", "shipped", "delivered")


def names(order: Any, place: int) -> dict[str, Any]:
    """The three names of a row, as the create gave them."""
    shipment = order["recipients"][place]["shipment"]
    return {
        "recipient_id": recipient_ids(order)[place],
        "order_id": shipment["order_id"],
        "external_id": shipment["external_id"],
    }


@shows("P-2.33", "P-2.34", "P-4.10", "P-4.11")
def test_a_cancel_answers_what_it_did(partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(3)))
    answer = request_cancel(partner, order, [1], reason="Left the company")
    assert answer.status == 200
    assert answer.json() == {
        "ok": True,
        "team_order_id": order["team_order"]["id"],
        "canceled": [
            {
                **names(order, 1),
                "was_paid": True,
                "refund": {"wallet_cents": ROW_CENTS, "card_cents": 0, "total_cents": ROW_CENTS},
            }
        ],
        "skipped": [],
        "already_canceled": [],
        "refunded_cents": ROW_CENTS,
    }
    assert recipient_statuses(partner.read_order(1001)) == ["awaiting", "canceled", "awaiting"]


@shows("P-4.11", "P-3.6", "P-2.37")
def test_without_ids_everybody_left_is_canceled(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(3)))
    cancel_rows(partner, order, [1])
    assert partner.read_order(1001)["team_order"]["status"] == "collecting_addresses"
    rest = cancel_rows(partner, order, reason="Called off")
    assert [row["recipient_id"] for row in rest["canceled"]] == [recipient_ids(order)[0], recipient_ids(order)[2]]
    assert rest["already_canceled"] == [names(order, 1)]
    assert rest["refunded_cents"] == 2 * ROW_CENTS
    assert partner.read_order(1001)["team_order"]["status"] == "canceled"
    assert account_of(world)["wallet_cents"] == 500_000


@shows("P-4.10", "P-4.11")
@pytest.mark.parametrize("body", [None, b"", {}, {"reason": ""}, {"reason": "a\nb"}, {"unknown": 1}])
def test_a_cancel_asks_for_nothing(partner: PartnerClient, body: Any) -> None:
    created(partner.create_order(recipients=email_recipients(2)))
    assert partner.post("/team-orders/1001/cancel", body).status == 200
    assert recipient_statuses(partner.read_order(1001)) == ["canceled", "canceled"]


@shows("P-3.11")
@pytest.mark.parametrize("stands", ["awaiting", "submitted", "expired", "rejected", "delayed"])
def test_a_row_that_was_not_produced_can_be_canceled(world: World, partner: PartnerClient, stands: str) -> None:
    if stands == "delayed":
        world.change_settings(partner__lead_times__production="9d")
        order = created(partner.create_order(recipients=address_recipients()))
        world.advance("6d")
        assert recipient_statuses(partner.read_order(1001)) == ["delayed"]
    else:
        order = order_with_statuses(world, partner, [stands])
    assert cancel_rows(partner, order)["refunded_cents"] == ROW_CENTS
    detail = partner.read_order(1001)
    assert recipient_statuses(detail) == ["canceled"]
    assert detail["recipients"][0]["shipment"]["status"] == "canceled"
    assert detail["recipients"][0]["claim"]["status"] == "canceled"
    assert detail["recipients"][0]["money"]["refunded_cents"] == ROW_CENTS


@shows("P-3.12", "P-2.33")
def test_what_is_in_production_labelled_or_shipped_is_skipped_and_still_arrives(
    world: World, partner: PartnerClient
) -> None:
    order = order_with_statuses(world, partner, (*BEYOND, "submitted"))
    answer = cancel_rows(partner, order)
    assert [row["recipient_id"] for row in answer["canceled"]] == [recipient_ids(order)[4]]
    assert answer["refunded_cents"] == ROW_CENTS
    assert len(answer["skipped"]) == len(BEYOND)
    for place, stage in enumerate(BEYOND):
        row = dict(answer["skipped"][place])
        assert stage in row.pop("reason")
        assert row == names(order, place)
    assert recipient_statuses(partner.read_order(1001)) == [*BEYOND, "canceled"]
    world.advance("10d")
    assert recipient_statuses(partner.read_order(1001)) == ["delivered"] * 4 + ["canceled"]
    assert [row["money"]["refunded_cents"] for row in partner.read_order(1001)["recipients"]] == [0, 0, 0, 0, ROW_CENTS]


@shows("P-3.12")
@pytest.mark.parametrize("reached", ["in_production", "labeled"])
def test_a_parcel_delayed_after_production_began_is_skipped(world: World, partner: PartnerClient, reached: str) -> None:
    order = created(partner.create_order(recipients=address_recipients(2)))
    move_parcels(world, order, reached, 0)
    move_parcels(world, order, "delayed", 0)
    answer = cancel_rows(partner, order)
    assert [row["recipient_id"] for row in answer["canceled"]] == [recipient_ids(order)[1]]
    assert [(row["recipient_id"], bool(row["reason"])) for row in answer["skipped"]] == [
        (recipient_ids(order)[0], True)
    ]
    assert recipient_statuses(partner.read_order(1001)) == ["delayed", "canceled"]


@shows("P-3.11", "P-3.12")
def test_the_very_second_at_which_production_begins_is_too_late(world: World, partner: PartnerClient) -> None:
    orders = [created(partner.create_order(idempotency_key=key, recipients=address_recipients())) for key in "ab"]
    world.advance("PT23H59M59S")
    assert request_cancel(partner, orders[0]).status == 200
    world.advance("1s")
    assert error_code(request_cancel(partner, orders[1]), 409) == "nothing_to_cancel"


@shows("P-3.11")
@pytest.mark.parametrize("reached", ["submitted", "in_production", "labeled"])
def test_a_rejected_parcel_can_be_canceled_whatever_it_had_reached(
    world: World, partner: PartnerClient, reached: str
) -> None:
    order = created(partner.create_order(recipients=address_recipients(2)))
    if reached != "submitted":
        move_parcels(world, order, reached, 0)
    move_parcels(world, order, "rejected", 0)
    assert cancel_rows(partner, order, [0])["refunded_cents"] == ROW_CENTS
    assert recipient_statuses(partner.read_order(1001)) == ["canceled", "submitted"]


@shows("P-3.16")
def test_a_row_whose_link_expired_can_be_canceled_with_its_share(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2), claim_expiry_days=1))
    world.advance("2d")
    assert recipient_statuses(partner.read_order(1001)) == ["expired", "expired"]
    [row] = cancel_rows(partner, order, [0])["canceled"]
    assert (row["was_paid"], row["refund"]["total_cents"]) == (True, ROW_CENTS)
    assert recipient_statuses(partner.read_order(1001)) == ["canceled", "expired"]
    assert account_of(world)["wallet_cents"] == 500_000 - ROW_CENTS


@shows("P-2.37")
def test_who_was_canceled_before_is_named_and_not_refunded_again(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(3)))
    cancel_rows(partner, order, [0])
    answer = cancel_rows(partner, order, [0, 2])
    assert answer["already_canceled"] == [names(order, 0)]
    assert [row["recipient_id"] for row in answer["canceled"]] == [recipient_ids(order)[2]]
    assert (answer["refunded_cents"], answer["skipped"]) == (ROW_CENTS, [])
    assert account_of(world)["wallet_cents"] == 500_000 - ROW_CENTS


@shows("P-4.11")
def test_who_is_named_twice_is_canceled_once_and_rows_keep_their_order(partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(3)))
    answer = cancel_rows(partner, order, [2, 0, 2, 0, 0])
    assert [row["recipient_id"] for row in answer["canceled"]] == [recipient_ids(order)[0], recipient_ids(order)[2]]
    assert answer["refunded_cents"] == 2 * ROW_CENTS
    assert answer["already_canceled"] == answer["skipped"] == []


@shows("P-7.19")
@pytest.mark.parametrize("stranger", ["another order's", -1, 0, 10**30])
def test_an_unknown_recipient_cancels_nobody(world: World, partner: PartnerClient, stranger: Any) -> None:
    order = created(partner.create_order(recipients=email_recipients(2)))
    other = created(partner.create_order(idempotency_key="other"))
    named = recipient_ids(other)[0] if stranger == "another order's" else stranger
    with world.assert_unchanged():
        body = {"recipient_ids": [recipient_ids(order)[0], named]}
        assert error_code(partner.post("/team-orders/1001/cancel", body), 404) == "recipient_not_found"


@shows("P-7.23")
@pytest.mark.parametrize("stages", [("shipped", "shipped"), ("canceled",), ("canceled", "delivered"), BEYOND])
def test_a_cancel_that_can_do_nothing_changes_nothing(
    world: World, partner: PartnerClient, stages: tuple[str, ...]
) -> None:
    order = order_with_statuses(world, partner, stages)
    with world.assert_unchanged():
        assert error_code(request_cancel(partner, order), 409) == "nothing_to_cancel"
        assert error_code(request_cancel(partner, order, [0]), 409) == "nothing_to_cancel"


@shows("P-3.12", "P-7.23")
def test_a_cancel_that_comes_too_late_for_all_says_why_of_each(world: World, partner: PartnerClient) -> None:
    order = order_with_statuses(world, partner, ("shipped", "canceled", "in_production"))
    ids = [
        {
            "recipient_id": row["recipient_id"],
            "order_id": row["shipment"]["order_id"],
            "external_id": row["shipment"]["external_id"],
        }
        for row in order["recipients"]
    ]
    refused = expect_status(request_cancel(partner, order), 409).json()
    assert refused["skipped"] == [
        {**ids[0], "reason": "already_shipped"}, {**ids[2], "reason": "already_in_production"},
    ]  # fmt: skip
    assert refused["already_canceled"] == [ids[1]]
    one = expect_status(request_cancel(partner, order, [2]), 409).json()
    assert (one["skipped"], one["already_canceled"]) == (refused["skipped"][1:], [])


@pytest.mark.parametrize(
    "body",
    [
        {"recipient_ids": []},
        {"recipient_ids": 200_001},
        {"recipient_ids": ["200001"]},
        {"recipient_ids": [True]},
        {"recipient_ids": [200_001.0]},
        {"recipient_ids": [200_001, None]},
        {"reason": 5},
        {"reason": "\x00"},
        [],
        b"[",
    ],
)
def test_a_body_of_another_shape_is_refused(world: World, partner: PartnerClient, body: Any) -> None:
    created(partner.create_order(recipients=email_recipients(2)))
    with world.assert_unchanged():
        assert error_code(partner.post("/team-orders/1001/cancel", body), 400) == "invalid_body"


@shows("P-3.15", "P-2.36", "P-2.34")
@pytest.mark.parametrize("recipients", [email_recipients(2), address_recipients(2)])
def test_an_unpaid_order_can_be_canceled_for_nothing(world: World, recipients: list[dict[str, Any]]) -> None:
    partner = world.partner("partner.no_funds")
    world.change_account("partner.no_funds", wallet_cents=ROW_CENTS)
    order = partner.read_order(partner.create_order(recipients=recipients).json()["team_order_id"])
    answer = cancel_rows(partner, order)
    nothing = {"wallet_cents": 0, "card_cents": 0, "total_cents": 0}
    assert [(row["was_paid"], row["refund"]) for row in answer["canceled"]] == [(False, nothing)] * 2
    assert answer["refunded_cents"] == 0
    assert partner.read_order(1001)["team_order"]["status"] == "canceled"
    assert account_of(world, "partner.no_funds")["wallet_cents"] == ROW_CENTS


def test_nothing_is_canceled_while_nobody_knows_whether_it_is_paid(world: World, partner: PartnerClient) -> None:
    order_id = order_with_unknown_charge(world, partner, recipients=email_recipients(2))
    order = partner.read_order(order_id)
    with world.assert_unchanged():
        assert error_code(request_cancel(partner, order), 409) == "idempotency_outcome_unknown"
        assert error_code(request_cancel(partner, order, [0]), 409) == "idempotency_outcome_unknown"
        unknown = partner.post(f"/team-orders/{order_id}/cancel", {"recipient_ids": [1]})
        assert error_code(unknown, 404) == "recipient_not_found"


@pytest.mark.parametrize(("outcome", "refunded"), [("paid", 2 * ROW_CENTS), ("failed", 0)])
def test_it_can_be_canceled_once_that_is_known(
    world: World, partner: PartnerClient, outcome: str, refunded: int
) -> None:
    order = partner.read_order(order_with_unknown_charge(world, partner, recipients=email_recipients(2)))
    world.simulate("outcome", team_order_id=order["team_order"]["id"], outcome=outcome)
    answer = cancel_rows(partner, order)
    assert answer["refunded_cents"] == refunded
    assert [row["was_paid"] for row in answer["canceled"]] == [outcome == "paid"] * 2
    assert (account_of(world)["wallet_cents"], account_of(world)["held_cents"]) == (500_000, 0)


def test_a_cancel_tells_and_mails_nobody(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped", "team_order.needs_attention")
    order = created(partner.create_order(recipients=email_recipients(2)))
    mail = world.mail()
    cancel_rows(partner, order)
    world.advance("60d")
    assert (world.mail(), world.events(), world.deliveries()) == (mail, [], [])


def test_the_provider_keeps_the_reason_of_a_cancel(world: World, partner: PartnerClient) -> None:
    order_id = partner.create_order().json()["team_order"]["id"]
    assert partner.post(f"/team-orders/{order_id}/cancel", {"reason": "Changed our minds"}).status == 200
    assert [row["cancel_reason"] for row in world.call_control("GET", "/parcels")["parcels"]] == ["Changed our minds"]
