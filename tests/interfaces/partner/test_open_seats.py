"""Open seats: rows behind one shared link, paid at creation, filled one after the other (B18, G29)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.client.response import Response
from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.instants import later
from tests.support.orders import address_recipients, claim_tokens, email_recipients
from tests.support.partner.catalogue import MUG_CENTS
from tests.support.partner.money import wallet_by_label
from tests.support.partner.orders import order_id, refused_order, shipment_statuses
from tests.support.responses import created, error_code
from tests.support.worlds import World

ROW_CENTS = MUG_CENTS + 800


def shared(order: Any) -> str:
    """The token of the shared link."""
    return str(order["team_order"]["shared_claim_link"]).rsplit("/", 1)[1]


def take(world: World, order: Any, name: str) -> Response:
    """Somebody claims by the shared link."""
    return world.claim(shared(order), name=name, email=f"{name.lower()}@example.com")


@claims("P-2.8")
def test_as_many_people_as_there_are_seats_can_claim_by_the_shared_link(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=2, return_claim_links=True))
    assert [take(world, order, name).status for name in ("Cy", "Di", "Ed")] == [200, 200, 409]
    rows = partner.read_order(order_id(order))["recipients"]
    assert [(row["name"], row["email"], row["status"]) for row in rows] == [
        ("Bo", "bo@example.com", "awaiting"), ("Cy", "cy@example.com", "submitted"),
        ("Di", "di@example.com", "submitted"),
    ]  # fmt: skip
    assert world.client.call("GET", f"/claim/{world.id}/{shared(order)}").status == 409
    assert world.claim(claim_tokens(order)[0]).status == 200
    world.advance("1d")
    assert shipment_statuses(partner, order) == ["in_production"] * 3


@claims("P-2.8")
def test_seats_are_rows_from_creation_without_name_mail_or_link_and_are_charged(
    world: World, partner: PartnerClient
) -> None:
    order = created(partner.create_order(recipients=email_recipients(1), open_seats=2, return_claim_links=True))
    assert order["team_order"]["recipient_count"] == 3
    assert order["team_order"]["summary"]["awaiting_address"] == 3
    assert order["totals"]["charged_cents"] == 3 * ROW_CENTS
    for seat in order["recipients"][1:]:
        assert (seat["name"], seat["email"], seat["status"]) == (None, None, "awaiting")
        assert "link" not in seat["claim"]
    assert len(claim_tokens(order)) == 1
    assert shared(order) not in claim_tokens(order)
    assert [mail["to"] for mail in world.mail()] == ["person0@example.com"]


@claims("P-2.8")
@pytest.mark.parametrize("seats", [0, None])
def test_without_seats_there_is_no_shared_link(partner: PartnerClient, seats: int | None) -> None:
    order = created(partner.create_order(open_seats=seats, return_claim_links=True))
    assert "shared_claim_link" not in order["team_order"]
    assert len(order["recipients"]) == 1


@pytest.mark.parametrize("seats", ["x", -1, 1.5, True, [2], {}])
def test_seats_are_a_number_of_people(world: World, partner: PartnerClient, seats: Any) -> None:
    assert refused_order(world, partner, open_seats=seats) == "invalid_body"


def test_recipients_with_addresses_leave_no_seat_open(world: World, partner: PartnerClient) -> None:
    assert refused_order(world, partner, recipients=address_recipients(1), open_seats=1) == "invalid_body"


def test_no_seat_open_fits_recipients_with_addresses(partner: PartnerClient) -> None:
    assert created(partner.create_order(recipients=address_recipients(1), open_seats=0))


@claims("P-8.2")
@pytest.mark.parametrize(("named", "seats"), [(1, 99), (99, 1), (60, 40), (100, 0)])
def test_seats_count_as_recipients_of_whom_an_order_has_a_hundred(
    world: World, partner: PartnerClient, named: int, seats: int
) -> None:
    assert refused_order(world, partner, recipients=email_recipients(named), open_seats=seats + 1) == "invalid_body"
    order = created(partner.create_order(idempotency_key="full", recipients=email_recipients(named), open_seats=seats))
    assert order["team_order"]["recipient_count"] == len(order["recipients"]) == 100


@pytest.mark.parametrize("nobody", [None, []])
def test_seats_do_not_stand_for_recipients(world: World, partner: PartnerClient, nobody: Any) -> None:
    assert refused_order(world, partner, recipients=nobody, open_seats=2) == "recipients_required"


def test_a_canceled_seat_is_given_back_and_the_next_one_is_filled(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=2, return_claim_links=True))
    first_seat = order["recipients"][1]["recipient_id"]
    answer = partner.post(f"/team-orders/{order_id(order)}/cancel", {"recipient_ids": [first_seat]})
    assert answer.json()["refunded_cents"] == ROW_CENTS
    assert wallet_by_label(world) == 500_000 - 2 * ROW_CENTS
    assert [take(world, order, name).status for name in ("Cy", "Di")] == [200, 409]
    assert shipment_statuses(partner, order) == ["awaiting", "canceled", "submitted"]


def test_with_every_seat_canceled_the_link_is_gone(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=2, return_claim_links=True))
    seats = [row["recipient_id"] for row in order["recipients"][1:]]
    assert partner.post(f"/team-orders/{order_id(order)}/cancel", {"recipient_ids": seats}).status == 200
    assert take(world, order, "Cy").status == 410


def test_seats_expire_like_everybody_else(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=2, claim_expiry_days=10, return_claim_links=True))
    assert take(world, order, "Cy").status == 200
    world.advance(to=later(order["team_order"]["claim_expires_at"], "-1s"))
    assert world.client.call("GET", f"/claim/{world.id}/{shared(order)}").status == 200
    world.advance("1s")
    assert take(world, order, "Di").status == 410
    assert partner.read_order(order_id(order))["team_order"]["summary"]["expired"] == 2
    facts = [event["facts"].get("reason") for event in world.events()]
    assert facts.count("claim_link_expired") == 2


def test_seats_of_an_unpaid_order_wait_for_the_money(world: World) -> None:
    partner = world.partner("partner.no_funds")
    unpaid = partner.create_order(open_seats=1, return_claim_links=True).json()["team_order_id"]
    assert take(world, partner.read_order(unpaid, "?include=claim_links"), "Cy").status == 409


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": None}, "name"),
        ({"name": "  "}, "name"),
        ({"name": 7}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "Cy\x7f"}, "name"),
        ({"name": "Cy\x01"}, "name"),
        ({"email": None}, "email"),
        ({"email": "nobody"}, "email"),
        ({"email": "a@b@example.com"}, "email"),
        ({"email": "<cy@example.com>"}, "email"),
        ({"email": "cy@example..com"}, "email"),
        ({"email": "cy\x01@example.com"}, "email"),
        ({"email": "cy cole@example.com"}, "email"),
        ({"email": "x" * 250 + "@example.com"}, "email"),
    ],
)
def test_who_takes_a_seat_says_who_it_is(
    world: World, partner: PartnerClient, wrong: dict[str, Any], field: str
) -> None:
    order = created(partner.create_order(open_seats=1, return_claim_links=True))
    with world.assert_unchanged():
        answer = world.claim(shared(order), **{"name": "Cy", "email": "cy@example.com", **wrong})
    assert error_code(answer, 422) == "invalid_claim"
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert take(world, order, "Cy").status == 200


def test_a_named_recipient_stays_who_the_order_says(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(return_claim_links=True))
    assert world.claim(claim_tokens(order)[0], name="Mallory", email="mallory@example.com").status == 200
    (row,) = partner.read_order(order_id(order))["recipients"]
    assert (row["name"], row["email"]) == ("Bo", "bo@example.com")
