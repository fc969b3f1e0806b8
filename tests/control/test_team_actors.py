"""Actors of teams: approvers, and recipients of gifts and orders."""

from __future__ import annotations

import pytest

from tests.support.actors import actor_counts, actors_by_id, create_actor
from tests.support.team import campaigns
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, create_gift, typed_recipients
from tests.support.team.orders import create_order as create_team_order
from tests.support.worlds import World

pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")


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


def test_approvers_decide_approvals_of_their_kind(world: World) -> None:
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


def test_a_decision_that_comes_too_late_is_counted_as_refused(world: World) -> None:
    team = TeamClients(world)
    gift = create_gift(team.live)
    create_actor(world, id="boss", approver="any", decides="approve", after="1h")
    approve(world, gift)
    world.advance("1h")
    actor = actors_by_id(world)["boss"]
    assert (actor["refused"], actor["last_refusal"]["code"]) == (1, "invalid_state")
