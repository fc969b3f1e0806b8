"""Open seats: rows behind one shared link, paid at creation, filled one after the other (B18, G29)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

import pytest

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import later
from tests.support.orders import RENO, address_recipients, claim_tokens, email_recipients
from tests.support.partner.catalogue import MUG_CENTS
from tests.support.partner.claim_form import parse_claim_form, post_form
from tests.support.partner.money import wallet_by_label
from tests.support.partner.orders import order_id, refused_order, shipment_statuses
from tests.support.responses import created, error_code
from tests.support.worlds import World

ROW_CENTS = MUG_CENTS + 800
FORM = {f"address.{name}": str(text) for name, text in RENO.items()}


def shared(order: Any) -> str:
    """The token of the shared link."""
    return str(order["team_order"]["shared_claim_link"]).rsplit("/", 1)[1]


def take(world: World, order: Any, name: str) -> Response:
    """Somebody claims by the shared link."""
    return world.claim(shared(order), name=name, email=f"{name.lower()}@example.com")


@shows("P-2.8")
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


@shows("P-2.8")
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


@shows("P-2.8")
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


@shows("P-8.2")
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


def seats_of(partner: PartnerClient, order: Any) -> list[tuple[str | None, str]]:
    """The email and status of each recipient behind the shared link."""
    rows = partner.read_order(order_id(order))["recipients"]
    return [(row["email"], row["status"]) for row in rows[1:]]


def test_a_reload_of_the_page_after_the_form_takes_no_other_seat(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=2, return_claim_links=True))
    fields = {**FORM, "name": "Cy", "email": "cy@example.com"}
    answer = post_form(world, shared(order), fields)
    assert (answer.status, answer.body) == (303, b"")
    path = urljoin(f"/claim/{world.id}/{shared(order)}", answer.headers["location"])
    with world.assert_unchanged():
        for _ in range(2):
            page = world.client.call("GET", path, headers={"Accept": "text/html"})
            assert "Thank you, Cy" in parse_claim_form(page).text
        assert world.client.call("GET", path).json() == {"status": "submitted"}
    assert seats_of(partner, order) == [("cy@example.com", "submitted"), (None, "awaiting")]


@pytest.mark.parametrize("email", ["cy@example.com", " CY@Example.com "])
def test_the_same_person_at_the_same_link_gets_the_seat_that_was_taken_before(
    world: World, partner: PartnerClient, email: str
) -> None:
    order = created(partner.create_order(open_seats=2, return_claim_links=True))
    first = post_form(world, shared(order), {**FORM, "name": "Cy", "email": "cy@example.com"})
    taken = partner.read_order(order_id(order))["recipients"]
    again = post_form(world, shared(order), {**FORM, "address.city": "Sparks", "name": "Cy C", "email": email})
    assert (again.status, again.headers["location"]) == (303, first.headers["location"])
    assert world.claim(shared(order), name="Cy", email=email).json() == {"status": "submitted"}
    assert partner.read_order(order_id(order))["recipients"] == taken
    assert take(world, order, "Di").status == 200
    assert world.claim(shared(order), name="Cy", email=email).status == 200
    assert take(world, order, "Ed").status == 409
    assert [event["type"] for event in world.events()].count("team_order.claimed") == 2


def test_whose_seat_was_canceled_may_take_another(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=2, return_claim_links=True))
    receipt = post_form(world, shared(order), {**FORM, "name": "Cy", "email": "cy@example.com"}).headers["location"]
    seat = order["recipients"][1]["recipient_id"]
    assert partner.post(f"/team-orders/{order_id(order)}/cancel", {"recipient_ids": [seat]}).status == 200
    assert world.client.call("GET", f"/claim/{world.id}/{receipt}").status == 410
    assert take(world, order, "Cy").status == 200
    assert seats_of(partner, order) == [("cy@example.com", "canceled"), ("cy@example.com", "submitted")]


def test_a_setting_lets_one_person_take_several_seats(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"claims.one_seat_per_email": False})
    partner = world.partner()
    order = created(partner.create_order(open_seats=2, return_claim_links=True))
    assert [take(world, order, name).status for name in ("Cy", "Cy", "Cy")] == [200, 200, 409]


def test_nobody_reads_what_somebody_else_claimed(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=2, return_claim_links=True))
    receipt = post_form(world, shared(order), {**FORM, "name": "Cy", "email": "cy@example.com"}).headers["location"]
    secret, (token,) = receipt.rpartition("/")[2], claim_tokens(order)
    for path in (f"{shared(order)}/{'0' * len(secret)}", f"{shared(order)}/1", f"{token}/{secret}", f"none/{secret}"):
        assert world.client.call("GET", f"/claim/{world.id}/{path}").status == 404


def test_the_verb_claims_for_another_guest_each_time(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=2, return_claim_links=True))
    for _ in range(2):
        world.simulate("claim", token=shared(order))
    assert [status for _, status in seats_of(partner, order)] == ["submitted", "submitted"]
    again = world.simulate("claim", token=shared(order), email="guest3@example.com")
    assert again["recipient_id"] == order["recipients"][2]["recipient_id"]
