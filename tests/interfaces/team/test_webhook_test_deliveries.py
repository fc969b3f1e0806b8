"""Test deliveries: POST /webhooks/{id}/test sends one signed delivery to a subscription (T-4.101, T-4.103)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.claims import claims
from tests.support.instants import unix_s
from tests.support.partner.webhooks import is_valid_signature
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClients
from tests.support.team.webhooks import (
    HOST,
    SIGNATURE_HEADER,
    received_webhooks,
    subscribe,
)

UNKNOWN_IDS: dict[str, Any] = {"live": 999_999, "test": "00000000-0000-4000-8000-000000000000"}


@claims("T-4.101")
def test_a_test_sends_one_signed_delivery_to_its_subscription(team: TeamClients) -> None:
    subscribe(team.live, host="other.team.example")
    subscription = subscribe(team.live, "gift.sent")
    response = expect_status(team.live.post(f"/webhooks/{subscription['id']}/test", {"note": "nothing"}), 202).json()
    (webhook,) = received_webhooks(team.world)
    assert response == {"event_id": webhook.event_id, "status": "queued"}
    assert (webhook.type, webhook.data) == ("webhook.test", {"webhook_id": subscription["id"]})
    assert is_valid_signature(
        subscription["secret"], webhook.headers[SIGNATURE_HEADER], webhook.text.encode(), unix_s(team.world.now)
    )
    assert received_webhooks(team.world, "other.team.example") == []


@claims("T-4.103")
def test_a_test_needs_an_idempotency_key_and_a_replay_sends_nothing(team: TeamClients) -> None:
    path = f"/webhooks/{subscribe(team.live, 'gift.sent')['id']}/test"
    expect_error(team.live.post(path, {}, Idempotency_Key=None), 400, "idempotency_key_required")
    assert received_webhooks(team.world) == []
    first = expect_status(team.live.post(path, {}, Idempotency_Key="one"), 202)
    assert expect_status(team.live.post(path, {}, Idempotency_Key="one"), 202).body == first.body
    assert len(received_webhooks(team.world)) == 1


def test_a_failed_test_delivery_is_not_retried(team: TeamClients) -> None:
    team.world.set_receiver(HOST, then={"status": 500})
    subscription = subscribe(team.live, "gift.sent")["id"]
    expect_status(team.live.post(f"/webhooks/{subscription}/test", {}), 202)
    team.world.advance("10d")
    (webhook,) = received_webhooks(team.world)
    assert (webhook.status, webhook.next_attempt_at) == (500, None)


@pytest.mark.parametrize("given", [[], "x", 5, None])
def test_a_test_needs_an_object_as_body(team: TeamClients, given: Any) -> None:
    subscription = subscribe(team.live, "gift.sent")["id"]
    response = team.live.post(f"/webhooks/{subscription}/test", json.dumps(given))
    assert response.status in (400, 422)
    assert received_webhooks(team.world) == []


def test_the_mode_of_a_test_delivery_follows_the_key(team: TeamClients) -> None:
    for client, live in ((team.live, True), (team.test, False)):
        host = f"{'live' if live else 'test'}.team.example"
        subscription = subscribe(client, "gift.sent", host=host)
        assert subscription["livemode"] is live
        expect_status(client.post(f"/webhooks/{subscription['id']}/test", {}), 202)
        assert [webhook.body["livemode"] for webhook in received_webhooks(team.world, host)] == [live]
        expect_error(client.post(f"/webhooks/{UNKNOWN_IDS['live' if live else 'test']}/test", {}), 404, "not_found")
