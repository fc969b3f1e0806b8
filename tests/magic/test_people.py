"""Magic people: recipients who claim by themselves, and approvers who decide, as an email or a text of theirs says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.magic.format import DOMAIN
from tests.support.api_clients import PartnerClient
from tests.support.orders import order_body
from tests.support.responses import expect_status
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World


def to(*emails: str) -> dict[str, Any]:
    """The members of an order for these."""
    return {"recipients": [{"name": f"Person {i}", "email": email} for i, email in enumerate(emails)]}


def statuses(partner: PartnerClient, order_id: int = 1001) -> list[str]:
    """Where each recipient of an order stands."""
    return [row["shipment"]["status"] for row in partner.read_order(order_id)["recipients"]]


def test_recipients_claim_when_their_email_says_so(world: World, partner: PartnerClient) -> None:
    said = ("ada+claims-3d", "claims", "never-claims", "bo", "claims-36h")
    partner.create_order(**to(*(name + DOMAIN for name in said)))
    assert statuses(partner) == ["awaiting"] * 5
    world.advance("0s")
    assert [status == "awaiting" for status in statuses(partner)] == [True, False, True, True, True]
    world.advance("36h")
    assert [status == "awaiting" for status in statuses(partner)] == [True, False, True, True, False]
    world.advance("36h")
    assert [status == "awaiting" for status in statuses(partner)] == [False, False, True, True, False]
    world.advance("30d")
    assert statuses(partner) == ["delivered", "delivered", "expired", "expired", "delivered"]


def test_one_who_never_claims_is_left_alone_by_the_actor_for_all(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/actors", {"recipient": "any", "claims": "1h"})
    partner.create_order(**to("never-claims@magic.giftsim.example", "bo@example.com"))
    world.advance("1h")
    assert statuses(partner) == ["awaiting", "submitted"]


def test_an_actor_of_that_very_email_goes_before_what_the_email_says(world: World, partner: PartnerClient) -> None:
    email = "claims@magic.giftsim.example"
    world.call_control("POST", "/actors", {"id": "mine", "recipient": email, "claims": "2h"})
    partner.create_order(**to(email))
    world.advance("1h")
    assert statuses(partner) == ["awaiting"]
    world.advance("1h")
    assert statuses(partner) == ["submitted"]
    assert [actor["id"] for actor in world.call_control("GET", "/actors")["actors"]] == ["mine"]


def test_two_orders_to_one_magic_email_have_one_actor(world: World, partner: PartnerClient) -> None:
    email = "claims@magic.giftsim.example"
    for key in "ab":
        partner.create_order(idempotency_key=key, **to(email))
    world.advance("0s")
    assert [statuses(partner, order) for order in (1001, 1002)] == [["submitted"]] * 2
    assert [(actor["id"], actor["acted"]) for actor in world.call_control("GET", "/actors")["actors"]] == [(email, 2)]


@pytest.mark.parametrize(
    "said", ["claims-", "claims-soon", "claims-3", "claims-3d-", "claim", "never", "expires", "-3d"]
)
def test_an_email_that_says_nothing_known_is_an_ordinary_one(world: World, partner: PartnerClient, said: str) -> None:
    partner.create_order(**to(said + DOMAIN))
    world.advance("4d")
    assert statuses(partner) == ["awaiting"]
    assert world.call_control("GET", "/actors")["actors"] == []


def test_nobody_claims_or_decides_by_magic_once_it_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    partner, team = world.partner(), TeamClients(world)
    partner.create_order(**to("claims@magic.giftsim.example"))
    made = team.live.post_json("/gifts", {**gift_body(), "message": "Magic Approved"})
    world.advance("1d")
    assert statuses(partner) == ["awaiting"]
    assert team.live.get_json("/gifts")["data"][0]["status"] == made["status"] == "awaiting_approval"


def gift_body() -> dict[str, Any]:
    """The body of a gift for one."""
    recipients = [{"name": "Bo", "email": "bo@example.com"}]
    return {"recipients": recipients, "gift": {"collection_slug": "welcome-kit"}}


@pytest.mark.parametrize(
    ("message", "span", "status"),
    [
        ("Magic Approved", "0s", "sent"),
        ("Magic Approved After 2h", "2h", "sent"),
        ("Magic Rejected", "0s", "rejected"),
        ("Magic Rejected After 3d", "3d", "rejected"),
    ],
)
def test_a_gift_is_decided_as_its_message_says(world: World, message: str, span: str, status: str) -> None:
    team = TeamClients(world)
    expect_status(team.live.post("/gifts", {**gift_body(), "message": message}), 201)
    if span != "0s":
        world.advance("119m")
        assert team.live.get_json("/gifts")["data"][0]["status"] == "awaiting_approval"
    world.advance(span)
    assert team.live.get_json("/gifts")["data"][0]["status"] == status


def test_an_order_is_decided_as_its_message_or_the_note_of_the_request_says(world: World) -> None:
    team = TeamClients(world)
    body = {"collection": "welcome-kit", "headcount": 1}
    said, asked = (
        team.live.post_json("/team-orders", {**body, **more})["id"] for more in ({"gift_message": "Magic Approved"}, {})
    )
    for order_id, note in ((said, {}), (asked, {"note": "Magic Rejected After 1h"})):
        expect_status(team.live.post(f"/team-orders/{order_id}/request-approval", note), 200)
    world.advance("1h")
    told = [team.live.get_json(f"/team-orders/{order_id}")["status"] for order_id in (said, asked)]
    assert told == ["approved", "rejected"]


def test_a_gift_that_a_human_decided_first_stays_as_it_is(world: World) -> None:
    team = TeamClients(world)
    made = expect_status(team.live.post("/gifts", {**gift_body(), "message": "Magic Approved After 2h"}), 201).json()
    world.simulate("approval", gift_id=made["id"], decision="reject")
    world.advance("1d")
    assert team.live.get_json("/gifts")["data"][0]["status"] == "rejected"


@pytest.mark.parametrize("message", ["Magic Approved After", "Magic Approved After soon", "Magic approved", "Approved"])
def test_a_message_that_is_not_spelled_so_decides_nothing(world: World, message: str) -> None:
    team = TeamClients(world)
    expect_status(team.live.post("/gifts", {**gift_body(), "message": message}), 201)
    world.advance("1d")
    assert team.live.get_json("/gifts")["data"][0]["status"] == "awaiting_approval"


def test_a_gift_goes_all_the_way_to_the_door_without_a_single_control_call_but_time(world: World) -> None:
    team = TeamClients(world)
    recipients = [{"name": "Bo", "email": "bo+claims-1d@magic.giftsim.example"}]
    made = {"recipients": recipients, "gift": {"collection_slug": "welcome-kit"}, "message": "Magic Approved After 2h"}
    expect_status(team.live.post("/gifts", made), 201)
    create_gift(team.live)
    world.advance("10d")
    assert [row["status"] for row in team.live.get_json("/gifts")["data"]] == ["awaiting_approval", "delivered"]


def test_timers_say_whom_magic_will_move(world: World, partner: PartnerClient) -> None:
    team = TeamClients(world)
    expect_status(team.live.post("/gifts", {**gift_body(), "message": "Magic Approved After 2h"}), 201)
    partner.post("/team-orders", order_body(**to("claims-1h@magic.giftsim.example")))
    rows = {row["kind"]: row for row in world.call_control("GET", "/timers")["timers"]}
    assert rows["magic.approver approve"]["subject"].startswith("approval ")
    assert rows["actor.claim"]["subject"].startswith("claims-1h@magic.giftsim.example: team_order ")
