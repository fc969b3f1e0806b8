"""Magic people: recipients who claim by themselves, and texts that decide requests for approval."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.services.gifting.magic.deposit_amounts import AMOUNTS
from giftsim.services.gifting.magic.fault_values import CALL_VALUES
from giftsim.services.gifting.magic.files import REMOTE
from giftsim.services.gifting.magic.postcodes import POSTCODES
from giftsim.services.gifting.magic.receiver_hosts import HOSTS
from giftsim.services.gifting.magic.reference_table import rows as reference_rows
from giftsim.services.gifting.magic.value_format import DOMAIN
from tests.support.api_clients import PartnerClient
from tests.support.orders import order_body
from tests.support.responses import expect_status
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World


def recipients_with(*emails: str) -> dict[str, Any]:
    """The member `recipients` of an order, with these emails."""
    return {"recipients": [{"name": f"Person {i}", "email": email} for i, email in enumerate(emails)]}


def statuses(partner: PartnerClient, order_id: int = 1001) -> list[str]:
    """The status of each recipient's shipment."""
    return [row["shipment"]["status"] for row in partner.read_order(order_id)["recipients"]]


def test_recipients_claim_after_the_delay_in_their_email(world: World, partner: PartnerClient) -> None:
    local_parts = ("ada+claims-3d", "claims", "never-claims", "bo", "claims-36h")
    partner.create_order(**recipients_with(*(local_part + DOMAIN for local_part in local_parts)))
    assert statuses(partner) == ["awaiting"] * 5
    world.advance("0s")
    assert [status == "awaiting" for status in statuses(partner)] == [True, False, True, True, True]
    world.advance("36h")
    assert [status == "awaiting" for status in statuses(partner)] == [True, False, True, True, False]
    world.advance("36h")
    assert [status == "awaiting" for status in statuses(partner)] == [False, False, True, True, False]
    world.advance("30d")
    assert statuses(partner) == ["delivered", "delivered", "expired", "expired", "delivered"]


def test_never_claims_takes_precedence_over_the_actor_for_all_recipients(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/actors", {"recipient": "any", "claims": "1h"})
    partner.create_order(**recipients_with("never-claims@magic.giftsim.example", "bo@example.com"))
    world.advance("1h")
    assert statuses(partner) == ["awaiting", "submitted"]


def test_an_actor_for_the_same_email_takes_precedence(world: World, partner: PartnerClient) -> None:
    email = "claims@magic.giftsim.example"
    world.call_control("POST", "/actors", {"id": "mine", "recipient": email, "claims": "2h"})
    partner.create_order(**recipients_with(email))
    world.advance("1h")
    assert statuses(partner) == ["awaiting"]
    world.advance("1h")
    assert statuses(partner) == ["submitted"]
    assert [actor["id"] for actor in world.call_control("GET", "/actors")["actors"]] == ["mine"]


def test_two_orders_to_one_magic_email_share_an_actor(world: World, partner: PartnerClient) -> None:
    email = "claims@magic.giftsim.example"
    for key in "ab":
        partner.create_order(idempotency_key=key, **recipients_with(email))
    world.advance("0s")
    assert [statuses(partner, order) for order in (1001, 1002)] == [["submitted"]] * 2
    assert [(actor["id"], actor["acted"]) for actor in world.call_control("GET", "/actors")["actors"]] == [(email, 2)]


@pytest.mark.parametrize(
    "local_part", ["claims-", "claims-soon", "claims-3", "claims-3d-", "claim", "never", "expires", "-3d"]
)
def test_an_email_with_an_unknown_local_part_is_ordinary(world: World, partner: PartnerClient, local_part: str) -> None:
    partner.create_order(**recipients_with(local_part + DOMAIN))
    world.advance("4d")
    assert statuses(partner) == ["awaiting"]
    assert world.call_control("GET", "/actors")["actors"] == []


def test_emails_and_texts_are_ordinary_when_the_setting_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    partner, team = world.partner(), TeamClients(world)
    partner.create_order(**recipients_with("claims@magic.giftsim.example"))
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
def test_the_message_of_a_gift_decides_its_approval(world: World, message: str, span: str, status: str) -> None:
    team = TeamClients(world)
    expect_status(team.live.post("/gifts", {**gift_body(), "message": message}), 201)
    if span != "0s":
        world.advance("119m")
        assert team.live.get_json("/gifts")["data"][0]["status"] == "awaiting_approval"
    world.advance(span)
    assert team.live.get_json("/gifts")["data"][0]["status"] == status


def test_the_message_of_an_order_or_the_note_of_its_request_decides_its_approval(world: World) -> None:
    team = TeamClients(world)
    body = {"collection": "welcome-kit", "headcount": 1}
    with_message, with_note = (
        team.live.post_json("/team-orders", {**body, **more})["id"] for more in ({"gift_message": "Magic Approved"}, {})
    )
    for order_id, note in ((with_message, {}), (with_note, {"note": "Magic Rejected After 1h"})):
        expect_status(team.live.post(f"/team-orders/{order_id}/request-approval", note), 200)
    world.advance("1h")
    statuses = [team.live.get_json(f"/team-orders/{order_id}")["status"] for order_id in (with_message, with_note)]
    assert statuses == ["approved", "rejected"]


def test_a_gift_that_is_decided_before_the_delay_does_not_change(world: World) -> None:
    team = TeamClients(world)
    made = expect_status(team.live.post("/gifts", {**gift_body(), "message": "Magic Approved After 2h"}), 201).json()
    world.simulate("approval", gift_id=made["id"], decision="reject")
    world.advance("1d")
    assert team.live.get_json("/gifts")["data"][0]["status"] == "rejected"


@pytest.mark.parametrize("message", ["Magic Approved After", "Magic Approved After soon", "Magic approved", "Approved"])
def test_other_messages_decide_nothing(world: World, message: str) -> None:
    team = TeamClients(world)
    expect_status(team.live.post("/gifts", {**gift_body(), "message": message}), 201)
    world.advance("1d")
    assert team.live.get_json("/gifts")["data"][0]["status"] == "awaiting_approval"


def test_a_gift_with_magic_values_is_delivered_by_advancing_time_alone(world: World) -> None:
    team = TeamClients(world)
    recipients = [{"name": "Bo", "email": "bo+claims-1d@magic.giftsim.example"}]
    made = {"recipients": recipients, "gift": {"collection_slug": "welcome-kit"}, "message": "Magic Approved After 2h"}
    expect_status(team.live.post("/gifts", made), 201)
    create_gift(team.live)
    world.advance("10d")
    assert [row["status"] for row in team.live.get_json("/gifts")["data"]] == ["awaiting_approval", "delivered"]


def test_timers_of_magic_values_name_their_subjects(world: World, partner: PartnerClient) -> None:
    team = TeamClients(world)
    expect_status(team.live.post("/gifts", {**gift_body(), "message": "Magic Approved After 2h"}), 201)
    partner.post("/team-orders", order_body(**recipients_with("claims-1h@magic.giftsim.example")))
    rows = {row["kind"]: row for row in world.call_control("GET", "/timers")["timers"]}
    assert rows["magic.approver approve"]["subject"].startswith("approval ")
    assert rows["actor.claim"]["subject"].startswith("claims-1h@magic.giftsim.example: team_order ")


@pytest.mark.parametrize("rows", [POSTCODES, REMOTE, AMOUNTS, HOSTS])
def test_every_row_has_an_effect_and_a_source(rows: Any) -> None:
    for row in rows:
        assert row.means
        assert row.source


def test_the_table_has_a_row_for_every_value() -> None:
    values = [row.value for row in reference_rows()]
    assert (
        len(values) == len(set(values)) == len(CALL_VALUES) + 5 + len([*POSTCODES, *AMOUNTS, *HOSTS]) + 1 + len(REMOTE)
    )
