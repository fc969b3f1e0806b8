"""Actors: recipients and approvers who act by themselves, on the clock of their world."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.actors import actor_counts, actors_by_id, create_actor
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, email_recipients
from tests.support.responses import status_and_code
from tests.support.team import campaigns
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, create_gift, typed_recipients
from tests.support.team.orders import create_order as create_team_order
from tests.support.worlds import World

pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")
BO = "bo@example.com"


def claim_statuses(world: World, order: Any) -> list[str]:
    """How far the claims of an order are."""
    detail = world.partner().read_order(order["team_order"]["id"])
    return [row["claim"]["status"] for row in detail["recipients"]]


def test_a_recipient_claims_on_the_third_day(world: World, partner: PartnerClient) -> None:
    made = create_actor(world, id="bo", recipient=BO, claims="3d")
    assert made == {
        "id": "bo", "recipient": BO, "claims": "3d", "asked": 0, "waiting": 0, "acted": 0, "refused": 0,
        "last_acted_at": None, "last_refusal": None,
    }  # fmt: skip
    partner.create_order()
    assert actors_by_id(world)["bo"]["waiting"] == 1
    world.advance("71h")
    assert [event["type"] for event in world.events()] == []
    fired = world.advance("1h")["fired"]
    assert [row for row in fired if row["kind"] == "actor.claim"] == [
        {"at": "2027-01-07T09:00:00Z", "kind": "actor.claim", "subject": "bo: team_order 1001 recipient 200001"}
    ]
    assert [(event["type"], event["at"]) for event in world.events()] == [
        ("team_order.claimed", "2027-01-07T09:00:00Z")
    ]
    assert actors_by_id(world)["bo"]["last_acted_at"] == "2027-01-07T09:00:00Z"
    assert actor_counts(world) == {"bo": (1, 1, 0)}


def test_what_an_actor_is_about_to_do_stands_among_the_timers(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient="Bo", claims="3d")
    partner.create_order()
    rows = [row for row in world.call_control("GET", "/timers")["timers"] if row["kind"] == "actor.claim"]
    told = "bo: team_order 1001 recipient 200001"
    assert rows == [
        {"due": "2027-01-07T09:00:00Z", "kind": "actor.claim", "subject": told, "because": "bo claims after 3d"}
    ]


def test_an_advance_until_idle_lets_actors_act(world: World, partner: PartnerClient) -> None:
    create_actor(world, recipient="any", claims="3d")
    order = partner.create_order().json()
    world.advance(until="idle")
    assert partner.read_order(order["team_order"]["id"])["team_order"]["status"] == "delivered"


def test_email_and_name_go_before_any_and_the_older_before_the_younger(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="all", recipient="any", claims="5d")
    create_actor(world, id="named", recipient="person 1", claims="2d")
    create_actor(world, id="mailed", recipient="PERSON1@example.com", claims="1d")
    order = partner.create_order(recipients=email_recipients(2)).json()
    world.advance("2d")
    assert claim_statuses(world, order) == ["awaiting", "submitted"]
    world.advance("3d")
    assert actor_counts(world) == {"all": (1, 1, 0), "named": (1, 1, 0), "mailed": (0, 0, 0)}


def test_one_who_never_claims_keeps_the_others_from_it(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="never")
    create_actor(world, id="rest", recipient="any", claims="1d")
    order = partner.create_order(recipients=[*email_recipients(1), {"name": "Bo", "email": BO}]).json()
    world.advance("31d")
    assert claim_statuses(world, order) == ["submitted", "expired"]
    assert actor_counts(world) == {"bo": (1, 0, 0), "rest": (1, 1, 0)}


def test_a_new_actor_takes_over_what_is_open_and_leaves_it_when_it_goes(world: World, partner: PartnerClient) -> None:
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


def test_actors_that_were_let_go_do_nothing(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="1d")
    create_actor(world, id="all", recipient="any", claims="1d")
    order = partner.create_order().json()
    assert world.call_control("DELETE", "/actors") == {"deleted": ["bo", "all"]}
    world.advance("2d")
    assert claim_statuses(world, order) == ["awaiting"]
    assert actors_by_id(world) == {}


def test_address_and_selection_are_those_of_the_actor(world: World, partner: PartnerClient) -> None:
    home = {**RENO, "address1": "7 Elm St"}
    create_actor(world, id="bo", recipient=BO, claims="1d", address=home)
    order = partner.create_order().json()
    world.advance("1d")
    assert partner.read_order(order["team_order"]["id"])["recipients"][0]["address"]["address1"] == "7 Elm St"


def test_what_the_world_refuses_is_noted_and_the_advance_goes_on(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="late", recipient="any", claims="30d")
    partner.create_order(recipients=email_recipients(2))
    assert world.advance("40d")["to"] == "2027-02-13T09:00:00Z"
    found = actors_by_id(world)["late"]
    assert (found["acted"], found["refused"]) == (0, 2)
    assert found["last_refusal"] == {
        "at": "2027-02-03T09:00:00Z", "code": "claim_expired", "message": "this link has expired"
    }  # fmt: skip


def test_one_who_claimed_by_hand_is_not_claimed_for_again(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="1d")
    partner.create_order()
    world.simulate("claim", token=world.mail()[0]["links"][0])
    world.advance("1d")
    assert actors_by_id(world)["bo"]["last_refusal"]["code"] == "claim_used"


def test_a_new_link_asks_anew(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="20d")
    order = partner.create_order().json()
    world.advance("15d")
    world.simulate("claim_link", team_order_id=order["team_order"]["id"], recipient=0)
    world.advance("15d")
    assert claim_statuses(world, order) == ["awaiting"]
    world.advance("5d")
    assert claim_statuses(world, order) == ["submitted"]
    assert actor_counts(world) == {"bo": (2, 1, 0)}


def test_any_takes_the_open_seats_too(world: World, partner: PartnerClient) -> None:
    create_actor(world, recipient="any", claims="1d")
    order = partner.create_order(open_seats=2).json()
    world.advance("1d")
    detail = partner.read_order(order["team_order"]["id"])
    assert [row["name"] for row in detail["recipients"]] == ["Bo", "Guest 2", "Guest 3"]


def test_an_unpaid_order_asks_nobody_before_it_is_paid(world: World) -> None:
    poor = world.partner("partner.no_funds")
    create_actor(world, id="bo", recipient=BO, claims="1d")
    assert poor.create_order().status == 402
    world.advance("2d")
    assert actor_counts(world) == {"bo": (0, 0, 0)}
    world.change_account("partner.no_funds", wallet_cents=500_000)
    assert poor.create_order().status == 201
    world.advance("1d")
    assert actor_counts(world) == {"bo": (1, 1, 0)}


def test_actors_claim_gifts_and_orders_of_teams(world: World) -> None:
    team = TeamClients(world)
    create_actor(world, id="boss", approver="any", decides="approve", after="2h", note="Go")
    create_actor(world, id="all", recipient="any", claims="1d")
    gift, order = create_gift(team.live), create_team_order(team.live, headcount=1, recipients=typed_recipients(1))
    team.live.post_json(f"/team-orders/{order['id']}/request-approval", {}, 200)
    world.advance("119m")
    assert team.live.get_json(f"/gifts/{gift['id']}")["status"] == "awaiting_approval"
    world.advance("1m")
    assert team.live.get_json(f"/gifts/{gift['id']}")["status"] == "sent"
    assert [(row["status"], row["decision_note"]) for row in world.call_control("GET", "/approvals")["approvals"]] == [
        ("approved", "Go"),
        ("approved", "Go"),
    ]
    world.advance("1d")
    assert team.live.get_json(f"/gifts/{gift['id']}")["status"] == "claimed"
    assert [row["status"] for row in world.call_control("GET", "/parcels")["parcels"]] == ["submitted", "submitted"]


def test_approvers_decide_what_they_are_told_for(world: World) -> None:
    team = TeamClients(world)
    create_actor(world, id="all", approver="any", decides="never")
    create_actor(world, id="gifts", approver="gift", decides="reject")
    create_actor(world, id="big", approver="campaign", decides="approve", after="1h")
    gift, order, campaign = (
        create_gift(team.live),
        create_team_order(team.live),
        campaigns.prepared_campaign(team.live),
    )
    world.advance("1h")
    assert team.live.get_json(f"/gifts/{gift['id']}")["status"] == "rejected"
    assert campaigns.read_campaign(team.live, campaign)["status"] == "approved"
    world.simulate("approval", team_order_id=order["id"], decision="approve")
    assert actor_counts(world) == {"all": (1, 0, 0), "gifts": (1, 1, 0), "big": (1, 1, 0)}


def test_a_decision_that_comes_too_late_is_noted(world: World) -> None:
    team = TeamClients(world)
    gift = create_gift(team.live)
    create_actor(world, id="boss", approver="any", decides="approve", after="1h")
    approve(world, gift)
    world.advance("1h")
    found = actors_by_id(world)["boss"]
    assert (found["refused"], found["last_refusal"]["code"]) == (1, "invalid_state")


def test_forks_and_snapshots_have_their_actors(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="1d")
    partner.create_order()
    world.call_control("POST", "/snapshots", {"name": "before"})
    fork = world.call_control("POST", "/fork", {})["id"]
    world.advance("2d")
    late = world.fingerprint()
    world.call_control("POST", "/snapshots/before/restore")
    assert actor_counts(world) == {"bo": (1, 0, 0)}
    world.advance("2d")
    assert world.fingerprint() == late
    world.client.call("POST", f"/_sim/v1/worlds/{fork}/clock/advance", body={"by": "2d"})
    assert world.client.call("GET", f"/_sim/v1/worlds/{fork}/fingerprint").json()["sha256"] == late
    world.client.call("DELETE", f"/_sim/v1/worlds/{fork}")


def test_undo_takes_back_what_an_actor_was_asked(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient=BO, claims="3d")
    before = world.fingerprint()
    partner.create_order()
    world.advance("1d")
    world.call_control("POST", "/undo", {})
    assert (actor_counts(world), actors_by_id(world)["bo"]["waiting"]) == ({"bo": (0, 0, 0)}, 0)
    assert world.fingerprint() == before


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "an actor needs either recipient (who claims) or approver (who decides)"),
        ({"recipient": "a@b.example"}, "a recipient needs claims: a delay such as 3d, or never"),
        ({"recipient": "a", "claims": "soon"}, "claims: 'soon' is no duration like 90s, 15m, 3h, 2d, 1w or PT36H; or never"),  # noqa: E501
        ({"recipient": "a", "claims": "1d", "note": "x"}, "a recipient cannot have note; it can have claims, address, selection"),  # noqa: E501
        ({"recipient": "a", "claims": "never", "address": RENO}, "a recipient who never claims cannot have address"),
        ({"approver": "any"}, "an approver needs decides: approve, reject or never"),
        ({"approver": "any", "decides": "never", "after": "1d"}, "an approver who never decides cannot have after"),
        ({"approver": "any", "decides": "approve", "after": "x"}, "after: 'x' is no duration like 90s, 15m, 3h, 2d, 1w or PT36H"),  # noqa: E501
        ({"recipient": "a", "claims": "999999d"}, "claims: 999999d is too long; the limit is 100 years"),
    ],
)  # fmt: skip
def test_an_actor_that_could_not_act_is_refused(world: World, body: Any, message: str) -> None:
    response = world.control.post(f"/worlds/{world.id}/actors", body)
    assert status_and_code(response) == (400, "invalid_actor")
    assert response.json()["error"]["message"] == message
    assert actors_by_id(world) == {}


def test_a_wrong_address_is_refused_at_once(world: World) -> None:
    wrong = {**RENO, "zip": "x"}
    response = world.control.post(f"/worlds/{world.id}/actors", {"recipient": "a", "claims": "1d", "address": wrong})
    assert status_and_code(response) == (400, "invalid_actor")
    assert "zip" in response.json()["error"]["message"]


def test_ids_are_given_once_and_unknown_ones_refused(world: World) -> None:
    create_actor(world, id="bo", recipient="any", claims="1d")
    again = world.control.post(f"/worlds/{world.id}/actors", {"id": "bo", "recipient": "any", "claims": "1d"})
    assert status_and_code(again) == (400, "invalid_actor")
    assert create_actor(world, recipient="any", claims="1d")["id"] == "actor-2"
    assert status_and_code(world.control.delete(f"/worlds/{world.id}/actors/zed")) == (404, "actor_not_found")


def test_a_misspelt_kind_of_approval_is_named(world: World) -> None:
    response = world.control.post(f"/worlds/{world.id}/actors", {"approver": "gifts", "decides": "approve"})
    assert response.json()["error"]["message"] == "approver takes any, gift, team_order or campaign, not 'gifts'"


def test_the_same_actors_give_the_same_world(new_world: Callable[..., World]) -> None:
    prints = set()
    for _ in range(2):
        world = new_world()
        create_actor(world, recipient="any", claims="2d")
        world.partner().create_order(recipients=email_recipients(5))
        world.advance("20d")
        prints.add(world.fingerprint())
    assert len(prints) == 1
