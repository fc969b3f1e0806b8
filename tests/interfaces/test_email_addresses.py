"""One rule for email addresses: every place that takes one accepts the same, and trims the blanks at either end."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from tests.support.museum import MuseumClient, ticket_body
from tests.support.responses import created
from tests.support.team.campaigns import campaign_body
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, gift_body
from tests.support.team.orders import order_body as team_order_body
from tests.support.worlds import World

GOOD = ["bo@example.com", "b@e", "BO@example.com", "o'hara+gifts@mail.example.com"]
BAD = ["a@@b", "bo", "bo@example..com", "b..o@example.com", ".bo@example.com", "bo@[10.0.0.1]", "Bo <bo@example.com>",
       '"bo"@example.com', "bö@example.com", "bo@bücher.example", "bo@-e.com", "x" * 65 + "@example.com", "",
       "bo @example.com"]  # fmt: skip

NUMBERS = count(1)

Place = Callable[[World, str], Any]


def new_key() -> str:
    """An idempotency key that no other call has."""
    return f"key {next(NUMBERS)}"


def _team(world: World, path: str, body: Any, method: str = "POST") -> Any:
    return TeamClients(world).live.call(method, path, body, Idempotency_Key=new_key())


def _claim_open_seat(world: World, email: str) -> Any:
    response = created(world.partner().create_order(idempotency_key=new_key(), open_seats=1, return_claim_links=True))
    token = response["team_order"]["shared_claim_link"].rsplit("/", 1)[1]
    return world.claim(token, name="Bo", email=email)


PLACES: dict[str, Place] = {
    "partner order": lambda world, email: world.partner().create_order(
        idempotency_key=new_key(), recipients=[{"name": "Bo", "email": email}]),
    "team order": lambda world, email: _team(
        world, "/team-orders", team_order_body(headcount=1, recipients=[{"name": "Bo", "email": email}])
    ),
    "gift": lambda world, email: _team(world, "/gifts", gift_body(recipients=[{"name": "Bo", "email": email}])),
    "campaign": lambda world, email: _team(
        world, "/large-campaigns", campaign_body(recipients=[{"name": "Bo", "email": email}])
    ),
    "person": lambda world, email: _team(world, "/people", {"people": [{"work_email": email}]}),
    "billing profile": lambda world, email: _team(world, "/billing/profile", {"billing_email": email}, "PUT"),
    "museum ticket": lambda world, email: MuseumClient(world).post("/tickets", {**ticket_body(), "email": email}),
    "CRM contact": lambda world, email: world.control.call(
        "POST", f"/worlds/{world.id}/simulate/crm",
        {"provider": "hubspot", "upsert": {"id": "1", "name": "Bo", "email": email}},
    ),
    "managed person": lambda world, email: world.control.call(
        "POST", f"/worlds/{world.id}/simulate/crm", {"provider": "hubspot", "people": [{"work_email": email}]}
    ),
    "claim page": _claim_open_seat,
    "fixture": lambda world, email: world.control.call(
        "POST", "/worlds",
        {"fixture": {"extends": "bare", "people": [{"team": "northwind", "rows": [{"work_email": email}]}]}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_every_place_accepts_the_same_addresses(world: World, place: str) -> None:
    for email in GOOD:
        response = PLACES[place](world, email)
        assert response.status < 300, (email, response.text)
    for email in BAD:
        response = PLACES[place](world, email)
        assert 400 <= response.status <= 422, (email, response.text)


@pytest.mark.parametrize("place", PLACES)
def test_blanks_at_either_end_of_an_address_are_ignored(world: World, place: str) -> None:
    longest = f"{'x' * 64}@{'.'.join(['d' * 61] * 3)}.exa"
    assert len(longest) == 254
    response = PLACES[place](world, f"  {longest} \t")
    assert response.status < 300, response.text
    assert PLACES[place](world, f"{longest}m").status >= 400


def test_mail_goes_to_the_address_without_blanks(world: World) -> None:
    order = created(PLACES["partner order"](world, " bo@example.com "))
    assert order["recipients"][0]["email"] == "bo@example.com"
    for place, path in (("team order", "team-orders"), ("gift", "gifts")):
        record_id = created(PLACES[place](world, " bo@example.com "))["id"]
        approve(world, TeamClients(world).live.get_json(f"/{path}/{record_id}"))
    seat = created(world.partner().create_order(idempotency_key=new_key(), open_seats=1, return_claim_links=True))
    world.claim(seat["team_order"]["shared_claim_link"].rsplit("/", 1)[1], name="Bo", email=" bo@example.com ")
    assert world.partner().read_order(seat["team_order"]["id"])["recipients"][1]["email"] == "bo@example.com"
    assert {letter["to"] for letter in world.mail()} == {"bo@example.com"}
