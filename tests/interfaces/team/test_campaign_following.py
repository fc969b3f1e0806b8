"""A paid campaign is followed like a gift: recipients with their fulfilment, counts by status, events and verbs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import error_code
from tests.support.team.campaigns import (
    PATH,
    approved_campaign,
    create_campaign,
    prepared_campaign,
    process,
    request_processing,
)
from tests.support.team.clients import TeamClients
from tests.support.team.webhooks import GIFT_KINDS, received_webhooks, subscribe

pytestmark = pytest.mark.usefixtures("small_batches")


def follow(team: TeamClients, campaign: Any) -> Any:
    """The campaign with its recipients."""
    return team.live.get_json(f"{PATH}/{campaign['id']}")


def statuses(campaign: Any) -> list[str]:
    """The status of each recipient, in order."""
    return [row["status"] for row in campaign["recipients"]]


def counts(**given: int) -> dict[str, int]:
    """Counts of a campaign, 0 for every status that is not given."""
    names = ("pending", "unpaid", "sent", "claimed", "shipped", "delivered", "rejected", "expired", "canceled")
    return {**dict.fromkeys(names, 0), **given}


def test_recipients_are_followed_from_preparation_to_delivery(team: TeamClients) -> None:
    campaign = follow(team, create_campaign(team.live, 5))
    assert (campaign["recipients"], campaign["counts"]) == ([], counts(pending=5))
    process(team.live, campaign)
    campaign = follow(team, campaign)
    assert (statuses(campaign), campaign["counts"]) == (["unpaid"] * 2, counts(pending=3, unpaid=2))
    process(team.live, campaign)
    process(team.live, campaign)
    team.world.simulate("approval", campaign_id=campaign["id"], decision="approve")
    assert process(team.live, campaign)["counts"] == counts(sent=2, unpaid=3)
    campaign = follow(team, campaign)
    assert [row["name"] for row in campaign["recipients"]] == [f"Guest {i}" for i in range(5)]
    assert [row["batch"] for row in campaign["recipients"]] == [1, 1, 2, 2, 3]
    assert statuses(campaign) == ["sent", "sent", "unpaid", "unpaid", "unpaid"]
    assert "@" not in str(campaign)
    team.world.simulate("claim", campaign_id=campaign["id"], recipient=0)
    team.world.simulate("shipment", campaign_id=campaign["id"], recipient=1, to="shipped")
    shipped = follow(team, campaign)
    assert shipped["counts"] == counts(claimed=1, shipped=1, unpaid=3)
    assert shipped["recipients"][1]["shipped_at"] == team.world.now
    assert shipped["recipients"][1]["tracking_number"] is not None
    team.world.advance("20d")
    assert follow(team, campaign)["counts"] == counts(delivered=2, unpaid=3)


def test_counts_always_add_up_to_the_recipients(team: TeamClients) -> None:
    campaign = approved_campaign(team, 5)
    process(team.live, campaign)
    team.world.simulate("shipment", campaign_id=campaign["id"], recipient=0, to="rejected")
    process(team.live, campaign, "stop")
    team.world.advance("40d")
    stopped = follow(team, campaign)
    assert stopped["counts"] == counts(expired=1, canceled=4)
    assert statuses(stopped) == ["canceled", "expired", "canceled", "canceled", "canceled"]


def test_recipients_dropped_before_their_preparation_count_as_canceled(team: TeamClients) -> None:
    campaign = create_campaign(team.live, 5)
    process(team.live, campaign)
    stopped = process(team.live, campaign, "stop")
    assert (stopped["counts"], len(follow(team, campaign)["recipients"])) == (counts(canceled=5), 2)


@shows("T-6.16")
def test_a_campaign_has_the_webhook_events_of_gifts(team: TeamClients) -> None:
    subscribe(team.live, *GIFT_KINDS)
    campaign = approved_campaign(team, 3)
    assert received_webhooks(team.world) == []
    process(team.live, campaign)
    first, second, _ = (row["id"] for row in follow(team, campaign)["recipients"])
    team.world.simulate("claim", campaign_id=campaign["id"], recipient_id=second)
    team.world.simulate("shipment", campaign_id=campaign["id"], recipient_id=first, to="delivered")
    webhooks = received_webhooks(team.world)
    facts = [(row.type, row.data["recipient_id"], row.data["status"]) for row in webhooks]
    assert facts == [
        ("gift.sent", None, "sent"), ("gift.claimed", second, "claimed"), ("gift.claimed", first, "claimed"),
        ("gift.shipped", first, "shipped"), ("gift.delivered", first, "delivered"),
    ]  # fmt: skip
    assert {row.data["campaign_id"] for row in webhooks} == {campaign["id"]}
    assert {event["subject"] for event in team.world.events() if event["type"].startswith("gift.")} == {
        f"campaign {campaign['id']}"
    }
    process(team.live, campaign)
    assert [row.type for row in received_webhooks(team.world)].count("gift.sent") == 2, "one for each paid batch"


def test_verbs_name_a_recipient_across_batches(team: TeamClients) -> None:
    campaign = approved_campaign(team, 5)
    process(team.live, campaign)
    process(team.live, campaign)
    parcel = team.world.simulate("claim", campaign_id=campaign["id"], recipient=3)
    assert (parcel["campaign_id"], parcel["name"]) == (campaign["id"], "Guest 3")
    moved = team.world.simulate("shipment", campaign_id=campaign["id"], to="shipped")["parcels"]
    assert [row["name"] for row in moved] == [f"Guest {i}" for i in range(4)]
    assert follow(team, campaign)["counts"] == counts(shipped=4, unpaid=1)
    rows = team.world.call_control("GET", f"/parcels?campaign_id={campaign['id']}")["parcels"]
    assert [row["name"] for row in rows] == [f"Guest {i}" for i in range(5)]
    assert team.world.call_control("GET", "/parcels?campaign_id=1")["parcels"] == []


def test_a_campaign_claim_link_is_sent_again(team: TeamClients) -> None:
    campaign = approved_campaign(team, 3)
    process(team.live, campaign)
    sent = len(team.world.mail())
    team.world.simulate("claim_link", campaign_id=campaign["id"], recipient=1)
    assert [mail["to"] for mail in team.world.mail()[sent:]] == ["sentinel.1@example.com"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"campaign_id": 1, "recipient": 0}, 404, "campaign_not_found"),
        ({"recipient": 4}, 409, "claim_unpaid"),
        ({"recipient": 5}, 404, "recipient_not_found"),
        ({"recipient_id": 1}, 404, "recipient_not_found"),
        ({}, 400, "invalid_body"),
        ({"recipient": 0, "gift_id": 1}, 400, "invalid_body"),
    ],
)
def test_a_claim_that_names_no_claimable_recipient_changes_nothing(
    team: TeamClients, body: dict[str, Any], status: int, code: str
) -> None:
    campaign = approved_campaign(team, 5)
    process(team.live, campaign)
    before = team.world.fingerprint()
    verb = f"/worlds/{team.world.id}/simulate/claim"
    response = team.world.control.call("POST", verb, {"campaign_id": campaign["id"], **body})
    assert error_code(response, status) == code
    assert team.world.fingerprint() == before


def test_nothing_of_an_unpaid_campaign_ships(team: TeamClients) -> None:
    campaign = prepared_campaign(team.live, 3)
    verb = f"/worlds/{team.world.id}/simulate/shipment"
    for named in (campaign, create_campaign(team.live, 3)):
        response = team.world.control.call("POST", verb, {"campaign_id": named["id"], "to": "shipped"})
        assert response.status == 409
    assert follow(team, campaign)["counts"] == counts(unpaid=3)
    assert request_processing(team.live, campaign).status == 409
