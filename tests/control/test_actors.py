"""Actors: recipients who claim on their own, at instants of the world's clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.actors import actor_counts, actors_by_id, create_actor
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, email_recipients
from tests.support.worlds import World

pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")
BO = "bo@example.com"


def claim_statuses(world: World, order: Any) -> list[str]:
    """The claim status of each recipient of an order."""
    detail = world.partner().read_order(order["team_order"]["id"])
    return [row["claim"]["status"] for row in detail["recipients"]]


def test_a_recipient_claims_after_its_delay(world: World, partner: PartnerClient) -> None:
    actor = create_actor(world, id="bo", recipient=BO, claims="3d")
    assert actor == {
        "id": "bo", "recipient": BO, "claims": "3d", "asked": 0, "waiting": 0, "acted": 0, "refused": 0,
        "last_acted_at": None, "last_refusal": None,
    }  # fmt: skip
    partner.create_order()
    assert actors_by_id(world)["bo"]["waiting"] == 1
    world.advance("71h")
    assert [event["type"] for event in world.events()] == []
    fired = world.fired(by="1h")["fired"]
    assert [row for row in fired if row["kind"] == "actor.claim"] == [
        {"at": "2027-01-07T09:00:00Z", "kind": "actor.claim", "subject": "bo: team_order 1001 recipient 200001"}
    ]
    assert [(event["type"], event["at"]) for event in world.events()] == [
        ("team_order.claimed", "2027-01-07T09:00:00Z")
    ]
    assert actors_by_id(world)["bo"]["last_acted_at"] == "2027-01-07T09:00:00Z"
    assert actor_counts(world) == {"bo": (1, 1, 0)}


def test_the_next_act_of_an_actor_is_listed_as_a_timer(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient="Bo", claims="3d")
    partner.create_order()
    rows = [row for row in world.call_control("GET", "/timers")["timers"] if row["kind"] == "actor.claim"]
    subject = "bo: team_order 1001 recipient 200001"
    assert rows == [
        {
            "due": "2027-01-07T09:00:00Z",
            "kind": "actor.claim",
            "subject": subject,
            "about": {"kind": "team_order", "id": 1001},
            "because": "bo claims after 3d",
        }
    ]


def test_actors_act_in_an_advance_until_idle(world: World, partner: PartnerClient) -> None:
    create_actor(world, recipient="any", claims="3d")
    order = partner.create_order().json()
    world.advance(until="idle")
    assert partner.read_order(order["team_order"]["id"])["team_order"]["status"] == "delivered"


def test_an_actor_for_an_email_or_a_name_goes_before_any_and_the_oldest_goes_first(
    world: World, partner: PartnerClient
) -> None:
    create_actor(world, id="all", recipient="any", claims="5d")
    create_actor(world, id="named", recipient="person 1", claims="2d")
    create_actor(world, id="mailed", recipient="PERSON1@example.com", claims="1d")
    order = partner.create_order(recipients=email_recipients(2)).json()
    world.advance("2d")
    assert claim_statuses(world, order) == ["awaiting", "submitted"]
    world.advance("3d")
    assert actor_counts(world) == {"all": (1, 1, 0), "named": (1, 1, 0), "mailed": (0, 0, 0)}


def test_an_actor_that_never_claims_blocks_the_next_one(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="never")
    create_actor(world, id="rest", recipient="any", claims="1d")
    order = partner.create_order(recipients=[*email_recipients(1), {"name": "Bo", "email": BO}]).json()
    world.advance("31d")
    assert claim_statuses(world, order) == ["submitted", "expired"]
    assert actor_counts(world) == {"bo": (1, 0, 0), "rest": (1, 1, 0)}


def test_a_new_actor_takes_over_open_claims_until_it_is_deleted(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="all", recipient="any", claims="5d")
    order = partner.create_order().json()
    world.advance("1d")
    create_actor(world, id="bo", recipient=BO, claims="never")
    assert actors_by_id(world)["all"]["waiting"] == 0
    world.advance("6d")
    assert claim_statuses(world, order) == ["awaiting"]
    assert world.call_control("DELETE", "/actors/bo") == {"deleted": "bo"}
    world.advance("119h")
    assert claim_statuses(world, order) == ["awaiting"]
    world.advance("1h")
    assert claim_statuses(world, order) == ["submitted"]


def test_deleted_actors_do_nothing(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="1d")
    create_actor(world, id="all", recipient="any", claims="1d")
    order = partner.create_order().json()
    assert world.call_control("DELETE", "/actors") == {"deleted": ["bo", "all"]}
    world.advance("2d")
    assert claim_statuses(world, order) == ["awaiting"]
    assert actors_by_id(world) == {}


def test_a_claim_uses_the_address_of_the_actor(world: World, partner: PartnerClient) -> None:
    home = {**RENO, "address1": "7 Elm St"}
    create_actor(world, id="bo", recipient=BO, claims="1d", address=home)
    order = partner.create_order().json()
    world.advance("1d")
    assert partner.read_order(order["team_order"]["id"])["recipients"][0]["address"]["address1"] == "7 Elm St"


def test_a_refused_claim_is_counted_and_the_advance_continues(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="late", recipient="any", claims="30d")
    partner.create_order(recipients=email_recipients(2))
    assert world.advance("40d")["to"] == "2027-02-13T09:00:00Z"
    actor = actors_by_id(world)["late"]
    assert (actor["acted"], actor["refused"]) == (0, 2)
    assert actor["last_refusal"] == {
        "at": "2027-02-03T09:00:00Z", "code": "claim_expired", "message": "this link has expired"
    }  # fmt: skip


def test_an_actor_cannot_claim_for_a_recipient_who_already_has(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="1d")
    partner.create_order()
    world.simulate("claim", token=world.mail()[0]["links"][0])
    world.advance("1d")
    assert actors_by_id(world)["bo"]["last_refusal"]["code"] == "claim_used"


def test_a_new_link_starts_the_delay_again(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="20d")
    order = partner.create_order().json()
    world.advance("15d")
    world.simulate("claim_link", team_order_id=order["team_order"]["id"], recipient=0)
    world.advance("15d")
    assert claim_statuses(world, order) == ["awaiting"]
    world.advance("5d")
    assert claim_statuses(world, order) == ["submitted"]
    assert actor_counts(world) == {"bo": (2, 1, 0)}


def test_an_actor_for_any_recipient_claims_open_seats(world: World, partner: PartnerClient) -> None:
    create_actor(world, recipient="any", claims="1d")
    order = partner.create_order(open_seats=2).json()
    world.advance("1d")
    detail = partner.read_order(order["team_order"]["id"])
    assert [row["name"] for row in detail["recipients"]] == ["Bo", "Guest 2", "Guest 3"]


def test_actors_are_not_asked_before_an_order_is_paid(world: World) -> None:
    poor = world.partner("partner.no_funds")
    create_actor(world, id="bo", recipient=BO, claims="1d")
    assert poor.create_order().status == 402
    world.advance("2d")
    assert actor_counts(world) == {"bo": (0, 0, 0)}
    world.change_account("partner.no_funds", wallet_cents=500_000)
    assert poor.create_order().status == 201
    world.advance("1d")
    assert actor_counts(world) == {"bo": (1, 1, 0)}


def test_forks_and_snapshots_contain_their_actors(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="1d")
    partner.create_order()
    world.call_control("POST", "/snapshots", {"name": "before"})
    fork = world.call_control("POST", "/fork", {})["id"]
    world.advance("2d")
    after = world.fingerprint()
    world.call_control("POST", "/snapshots/before/restore")
    assert actor_counts(world) == {"bo": (1, 0, 0)}
    world.advance("2d")
    assert world.fingerprint() == after
    world.client.call("POST", f"/_sim/v1/worlds/{fork}/clock/advance", body={"by": "2d"})
    assert world.client.call("GET", f"/_sim/v1/worlds/{fork}/fingerprint").json()["sha256"] == after
    world.client.call("DELETE", f"/_sim/v1/worlds/{fork}")


def test_undo_removes_the_task_of_an_actor(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="3d")
    before = world.fingerprint()
    partner.create_order()
    world.advance("1d")
    world.call_control("POST", "/undo", {})
    assert (actor_counts(world), actors_by_id(world)["bo"]["waiting"]) == ({"bo": (0, 0, 0)}, 0)
    assert world.fingerprint() == before


def test_worlds_with_the_same_actors_and_calls_are_equal(new_world: Callable[..., World]) -> None:
    fingerprints = set()
    for _ in range(2):
        world = new_world()
        create_actor(world, recipient="any", claims="2d")
        world.partner().create_order(recipients=email_recipients(5))
        world.advance("20d")
        fingerprints.add(world.fingerprint())
    assert len(fingerprints) == 1
