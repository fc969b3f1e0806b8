"""Canceling recipients: who can be, who is left alone, and what is refused without any effect (B39, G28)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.harness import Face, World, addressed, people
from tests.interfaces.partner.lifetime import (
    ROW_CENTS,
    account,
    cancel,
    canceled,
    code,
    ids,
    leave_unknown,
    made,
    move,
    stand,
    standing,
)

BEYOND = ("in_production", "labeled", "shipped", "delivered")


def names(order: Any, place: int) -> dict[str, Any]:
    """The three names of a row, as the create gave them."""
    shipment = order["recipients"][place]["shipment"]
    return {
        "recipient_id": ids(order)[place],
        "order_id": shipment["order_id"],
        "external_id": shipment["external_id"],
    }


@claims("P-2.33", "P-2.34", "P-4.10", "P-4.11")
def test_a_cancel_answers_what_it_did(partner: Face) -> None:
    order = made(partner.order(recipients=people(3)))
    answer = cancel(partner, order, [1], reason="Left the company")
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
    assert standing(partner.read(1001)) == ["awaiting", "canceled", "awaiting"]


@claims("P-4.11", "P-3.6", "P-2.37")
def test_without_ids_everybody_left_is_canceled(world: World, partner: Face) -> None:
    order = made(partner.order(recipients=people(3)))
    canceled(partner, order, [1])
    assert partner.read(1001)["team_order"]["status"] == "collecting_addresses"
    rest = canceled(partner, order, reason="Called off")
    assert [row["recipient_id"] for row in rest["canceled"]] == [ids(order)[0], ids(order)[2]]
    assert rest["already_canceled"] == [names(order, 1)]
    assert rest["refunded_cents"] == 2 * ROW_CENTS
    assert partner.read(1001)["team_order"]["status"] == "canceled"
    assert account(world)["wallet_cents"] == 500_000


@claims("P-4.10", "P-4.11")
@pytest.mark.parametrize("body", [None, b"", {}, {"reason": ""}, {"reason": "a\nb"}, {"unknown": 1}])
def test_a_cancel_asks_for_nothing(partner: Face, body: Any) -> None:
    made(partner.order(recipients=people(2)))
    assert partner.post("/team-orders/1001/cancel", body).status == 200
    assert standing(partner.read(1001)) == ["canceled", "canceled"]


@claims("P-3.11")
@pytest.mark.parametrize("stands", ["awaiting", "submitted", "expired", "rejected", "delayed"])
def test_a_row_that_was_not_produced_can_be_canceled(world: World, partner: Face, stands: str) -> None:
    if stands == "delayed":
        world.settings(partner__lead_times__production="9d")
        order = made(partner.order(recipients=addressed()))
        world.advance("6d")
        assert standing(partner.read(1001)) == ["delayed"]
    else:
        order = stand(world, partner, [stands])
    assert canceled(partner, order)["refunded_cents"] == ROW_CENTS
    detail = partner.read(1001)
    assert standing(detail) == ["canceled"]
    assert detail["recipients"][0]["shipment"]["status"] == "canceled"
    assert detail["recipients"][0]["claim"]["status"] == "canceled"
    assert detail["recipients"][0]["money"]["refunded_cents"] == ROW_CENTS


@claims("P-3.12", "P-2.33")
def test_what_is_in_production_labelled_or_shipped_is_skipped_and_still_arrives(world: World, partner: Face) -> None:
    order = stand(world, partner, (*BEYOND, "submitted"))
    answer = canceled(partner, order)
    assert [row["recipient_id"] for row in answer["canceled"]] == [ids(order)[4]]
    assert answer["refunded_cents"] == ROW_CENTS
    assert len(answer["skipped"]) == len(BEYOND)
    for place, stage in enumerate(BEYOND):
        row = dict(answer["skipped"][place])
        assert stage in row.pop("reason")
        assert row == names(order, place)
    assert standing(partner.read(1001)) == [*BEYOND, "canceled"]
    world.advance("10d")
    assert standing(partner.read(1001)) == ["delivered"] * 4 + ["canceled"]
    assert [row["money"]["refunded_cents"] for row in partner.read(1001)["recipients"]] == [0, 0, 0, 0, ROW_CENTS]


@claims("P-3.12")
@pytest.mark.parametrize("reached", ["in_production", "labeled"])
def test_a_parcel_delayed_after_production_began_is_skipped(world: World, partner: Face, reached: str) -> None:
    order = made(partner.order(recipients=addressed(2)))
    move(world, order, reached, 0)
    move(world, order, "delayed", 0)
    answer = canceled(partner, order)
    assert [row["recipient_id"] for row in answer["canceled"]] == [ids(order)[1]]
    assert [(row["recipient_id"], bool(row["reason"])) for row in answer["skipped"]] == [(ids(order)[0], True)]
    assert standing(partner.read(1001)) == ["delayed", "canceled"]


@claims("P-3.11", "P-3.12")
def test_the_very_second_at_which_production_begins_is_too_late(world: World, partner: Face) -> None:
    orders = [made(partner.order(idempotency_key=key, recipients=addressed())) for key in "ab"]
    world.advance("PT23H59M59S")
    assert cancel(partner, orders[0]).status == 200
    world.advance("1s")
    assert code(cancel(partner, orders[1]), 409) == "nothing_to_cancel"


@claims("P-3.11")
@pytest.mark.parametrize("reached", ["submitted", "in_production", "labeled"])
def test_a_rejected_parcel_can_be_canceled_whatever_it_had_reached(world: World, partner: Face, reached: str) -> None:
    order = made(partner.order(recipients=addressed(2)))
    if reached != "submitted":
        move(world, order, reached, 0)
    move(world, order, "rejected", 0)
    assert canceled(partner, order, [0])["refunded_cents"] == ROW_CENTS
    assert standing(partner.read(1001)) == ["canceled", "submitted"]


@claims("P-3.16")
def test_a_row_whose_link_expired_can_be_canceled_with_its_share(world: World, partner: Face) -> None:
    order = made(partner.order(recipients=people(2), claim_expiry_days=1))
    world.advance("2d")
    assert standing(partner.read(1001)) == ["expired", "expired"]
    [row] = canceled(partner, order, [0])["canceled"]
    assert (row["was_paid"], row["refund"]["total_cents"]) == (True, ROW_CENTS)
    assert standing(partner.read(1001)) == ["canceled", "expired"]
    assert account(world)["wallet_cents"] == 500_000 - ROW_CENTS


@claims("P-2.37")
def test_who_was_canceled_before_is_named_and_not_refunded_again(world: World, partner: Face) -> None:
    order = made(partner.order(recipients=people(3)))
    canceled(partner, order, [0])
    answer = canceled(partner, order, [0, 2])
    assert answer["already_canceled"] == [names(order, 0)]
    assert [row["recipient_id"] for row in answer["canceled"]] == [ids(order)[2]]
    assert (answer["refunded_cents"], answer["skipped"]) == (ROW_CENTS, [])
    assert account(world)["wallet_cents"] == 500_000 - ROW_CENTS


@claims("P-4.11")
def test_who_is_named_twice_is_canceled_once_and_rows_keep_their_order(partner: Face) -> None:
    order = made(partner.order(recipients=people(3)))
    answer = canceled(partner, order, [2, 0, 2, 0, 0])
    assert [row["recipient_id"] for row in answer["canceled"]] == [ids(order)[0], ids(order)[2]]
    assert answer["refunded_cents"] == 2 * ROW_CENTS
    assert answer["already_canceled"] == answer["skipped"] == []


@claims("P-7.19")
@pytest.mark.parametrize("stranger", ["another order's", -1, 0, 10**30])
def test_an_unknown_recipient_cancels_nobody(world: World, partner: Face, stranger: Any) -> None:
    order = made(partner.order(recipients=people(2)))
    other = made(partner.order(idempotency_key="other"))
    named = ids(other)[0] if stranger == "another order's" else stranger
    with world.unchanged():
        body = {"recipient_ids": [ids(order)[0], named]}
        assert code(partner.post("/team-orders/1001/cancel", body), 404) == "recipient_not_found"


@claims("P-7.23")
@pytest.mark.parametrize("stages", [("shipped", "shipped"), ("canceled",), ("canceled", "delivered"), BEYOND])
def test_a_cancel_that_can_do_nothing_changes_nothing(world: World, partner: Face, stages: tuple[str, ...]) -> None:
    order = stand(world, partner, stages)
    with world.unchanged():
        assert code(cancel(partner, order), 409) == "nothing_to_cancel"
        assert code(cancel(partner, order, [0]), 409) == "nothing_to_cancel"


@pytest.mark.parametrize(
    "body",
    [
        {"recipient_ids": []},
        {"recipient_ids": None},
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
def test_a_body_of_another_shape_is_refused(world: World, partner: Face, body: Any) -> None:
    made(partner.order(recipients=people(2)))
    with world.unchanged():
        assert code(partner.post("/team-orders/1001/cancel", body), 400) == "invalid_body"


@claims("P-3.15", "P-2.36", "P-2.34")
@pytest.mark.parametrize("recipients", [people(2), addressed(2)])
def test_an_unpaid_order_can_be_canceled_for_nothing(world: World, recipients: list[dict[str, Any]]) -> None:
    partner = world.partner("partner.no_funds")
    world.account("partner.no_funds", wallet_cents=ROW_CENTS)
    order = partner.read(partner.order(recipients=recipients).json()["team_order_id"])
    answer = canceled(partner, order)
    nothing = {"wallet_cents": 0, "card_cents": 0, "total_cents": 0}
    assert [(row["was_paid"], row["refund"]) for row in answer["canceled"]] == [(False, nothing)] * 2
    assert answer["refunded_cents"] == 0
    assert partner.read(1001)["team_order"]["status"] == "canceled"
    assert account(world, "partner.no_funds")["wallet_cents"] == ROW_CENTS


def test_nothing_is_canceled_while_nobody_knows_whether_it_is_paid(world: World, partner: Face) -> None:
    order_id = leave_unknown(world, partner, recipients=people(2))
    order = partner.read(order_id)
    with world.unchanged():
        assert code(cancel(partner, order), 409) == "idempotency_outcome_unknown"
        assert code(cancel(partner, order, [0]), 409) == "idempotency_outcome_unknown"
        unknown = partner.post(f"/team-orders/{order_id}/cancel", {"recipient_ids": [1]})
        assert code(unknown, 404) == "recipient_not_found"


@pytest.mark.parametrize(("outcome", "refunded"), [("paid", 2 * ROW_CENTS), ("failed", 0)])
def test_it_can_be_canceled_once_that_is_known(world: World, partner: Face, outcome: str, refunded: int) -> None:
    order = partner.read(leave_unknown(world, partner, recipients=people(2)))
    world.simulate("outcome", team_order_id=order["team_order"]["id"], outcome=outcome)
    answer = canceled(partner, order)
    assert answer["refunded_cents"] == refunded
    assert [row["was_paid"] for row in answer["canceled"]] == [outcome == "paid"] * 2
    assert (account(world)["wallet_cents"], account(world)["held_cents"]) == (500_000, 0)


def test_a_cancel_tells_and_mails_nobody(world: World, partner: Face) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped", "team_order.needs_attention")
    order = made(partner.order(recipients=people(2)))
    mail = world.mail()
    canceled(partner, order)
    world.advance("60d")
    assert (world.mail(), world.events(), world.deliveries()) == (mail, [], [])


def test_the_provider_keeps_the_reason_of_a_cancel(world: World, partner: Face) -> None:
    order_id = partner.order().json()["team_order"]["id"]
    assert partner.post(f"/team-orders/{order_id}/cancel", {"reason": "Changed our minds"}).status == 200
    assert [row["cancel_reason"] for row in world.ask("GET", "/parcels")["parcels"]] == ["Changed our minds"]
