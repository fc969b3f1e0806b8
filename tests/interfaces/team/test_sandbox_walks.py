"""A sandbox is walked to the end: a test item's proof is signed, and a test campaign is completed without money."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, invalid_fields
from tests.support.team.campaigns import PATH, batch_statuses, create_campaign, decide, prepared_campaign, process
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import event_types
from tests.support.team.proofs import CHANGES, add_version, create_branded_order, first_proof, review
from tests.support.team.webhooks import received_webhooks, subscribe

pytestmark = pytest.mark.usefixtures("small_batches")


def create_event(client: TeamClient, kind: str, resource_id: Any) -> Any:
    """Create a sandbox event, which must succeed."""
    return client.post_json("/sandbox/events", {"type": kind, "resource_id": resource_id}, 200)


def refuse_event(client: TeamClient, kind: str, resource_id: Any) -> None:
    """Check that a sandbox event is refused because of the record's state."""
    expect_error(client.post("/sandbox/events", {"type": kind, "resource_id": resource_id}), 409, "invalid_state")


@shows("T-2.41")
def test_a_test_item_s_proof_is_signed_by_an_event(team: TeamClients) -> None:
    order = create_branded_order(team.test)
    item = first_proof(team.test, order)["id"]
    refuse_event(team.test, "proof.signed", item)
    add_version(team.test, item)
    refuse_event(team.test, "proof.signed", item)
    review(team.test, item)
    assert create_event(team.test, "proof.signed", item) == {
        "event_id": None, "type": "proof.signed", "resource_id": item, "status": "signed", "livemode": False,
    }  # fmt: skip
    proof = first_proof(team.test, order)
    assert (proof["status"], proof["signed_version"], proof["signed_at"]) == ("signed", 1, team.world.now)
    assert event_types(team.world) == []
    refuse_event(team.test, "proof.signed", item)
    add_version(team.test, item)
    review(team.test, item, CHANGES)
    refuse_event(team.test, "proof.signed", item)


def test_only_a_test_item_with_a_proof_of_the_same_key_is_signed(team: TeamClients) -> None:
    order, plain = create_branded_order(team.test), create_branded_order(team.test, "welcome-kit")
    for resource_id in (order["id"], plain["items"][0]["id"]):
        body = {"type": "proof.signed", "resource_id": resource_id}
        assert invalid_fields(team.test.post("/sandbox/events", body)) == ["resource_id"]
    body = {"type": "proof.signed", "resource_id": first_proof(team.test, order)["id"]}
    assert invalid_fields(team.test_second.post("/sandbox/events", body)) == ["resource_id"]
    expect_error(team.live.post("/sandbox/events", body), 403, "test_key_required")


@pytest.mark.parametrize("approved", [False, True])
def test_a_test_campaign_is_completed_without_money_or_mail(team: TeamClients, approved: bool) -> None:
    subscribe(team.test, "gift.sent", "gift.claimed", "gift.shipped", "gift.delivered")
    campaign = prepared_campaign(team.test, 3)
    if approved:
        decide(team.world, campaign)
    money = team.test.get_json("/billing/balance"), team.live.get_json("/billing/balance")
    read = campaign
    for status in ("sent", "claimed", "shipped", "delivered"):
        assert create_event(team.test, f"gift.{status}", campaign["id"])["status"] == status
        read = team.test.get_json(f"{PATH}/{campaign['id']}")
        assert (read["status"], batch_statuses(read)) == ("completed", ["paid", "paid"])
        assert ([row["status"] for row in read["recipients"]], read["counts"][status]) == ([status] * 3, 3)
        refuse_event(team.test, f"gift.{status}", campaign["id"])
    assert (team.test.get_json("/billing/balance"), team.live.get_json("/billing/balance")) == money
    assert (team.world.mail(), [batch["payment_id"] for batch in read["batches"]]) == ([], [None, None])
    webhooks = received_webhooks(team.world)
    assert [(row.type, row.data["campaign_id"], row.data["recipient_id"]) for row in webhooks] == [
        (f"gift.{status}", campaign["id"], None) for status in ("sent", "claimed", "shipped", "delivered")
    ]
    assert {row.body["livemode"] for row in webhooks} == {False}
    approval = team.test.get_json(f"/approvals/{read['approval_id']}")
    assert approval["status"] == ("approved" if approved else "superseded")


def test_steps_of_a_test_campaign_can_be_skipped(team: TeamClients) -> None:
    campaign = prepared_campaign(team.test, 3)
    create_event(team.test, "gift.delivered", campaign["id"])
    assert team.test.get_json(f"{PATH}/{campaign['id']}")["counts"]["delivered"] == 3
    assert [kind for kind in event_types(team.world) if kind.startswith("gift")] == ["gift.delivered"]
    for status in ("sent", "claimed", "shipped"):
        refuse_event(team.test, f"gift.{status}", campaign["id"])


def test_a_test_campaign_that_is_not_prepared_paused_or_stopped_does_not_move(team: TeamClients) -> None:
    campaign = create_campaign(team.test, 3)
    process(team.test, campaign)
    refuse_event(team.test, "gift.sent", campaign["id"])
    process(team.test, campaign)
    team.test.patch(f"{PATH}/{campaign['id']}", {"action": "pause"})
    refuse_event(team.test, "gift.sent", campaign["id"])
    process(team.test, campaign, "stop")
    refuse_event(team.test, "gift.sent", campaign["id"])
    body = {"type": "gift.sent", "resource_id": campaign["id"]}
    assert invalid_fields(team.test_second.post("/sandbox/events", body)) == ["resource_id"]
