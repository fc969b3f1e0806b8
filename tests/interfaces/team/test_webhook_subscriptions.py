"""Webhook subscriptions: created, listed and deleted (T-2.26 to T-2.29, T-4.94 to T-4.100, A6)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.shows import shows
from tests.support.instants import unix_s
from tests.support.partner.webhooks import is_valid_signature
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import SCOPES, TeamClients
from tests.support.team.orders import create_gift
from tests.support.team.webhooks import (
    EVENT_TYPES,
    HOST,
    SIGNATURE_HEADER,
    URL,
    received_types,
    received_webhooks,
    subscribe,
)
from tests.support.urls import BROKEN_URLS

DOCUMENTED = ("gift.sent", "gift.claimed", "gift.shipped", "gift.delivered", "team_order.shipped", "balance.low")
MANAGE = "webhooks:manage"


def subscription_body(**members: Any) -> dict[str, Any]:
    """A body for a subscription. Members given as None are left out."""
    body = {"url": URL, "events": ["gift.sent"], **members}
    return {name: value for name, value in body.items() if value is not None}


@shows("T-2.26", "T-4.94", "T-4.96")
def test_a_subscription_needs_no_idempotency_key_and_is_listed(team: TeamClients) -> None:
    events = ["team_order.shipped", "gift.sent"]
    subscription = expect_status(
        team.live.post("/webhooks", subscription_body(events=events), Idempotency_Key=None), 201
    ).json()
    secret = subscription.pop("secret")
    assert secret.startswith("whsec_")
    assert (subscription["url"], subscription["events"], subscription["balance_threshold_cents"]) == (URL, events, None)
    assert (subscription["created_at"], subscription["livemode"]) == (team.world.now, True)
    assert team.live.get_json("/webhooks") == {"data": [subscription], "next_cursor": None}


def test_a_repeated_event_type_is_stored_once(team: TeamClients) -> None:
    assert subscribe(team.live, "gift.sent", "gift.claimed", "gift.sent")["events"] == ["gift.sent", "gift.claimed"]


@shows("T-2.26", "T-6.3")
@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"url": None}, "url"),
        ({"url": 5}, "url"),
        ({"url": ""}, "url"),
        ({"events": None}, "events"),
        ({"events": []}, "events"),
        ({"events": "gift.sent"}, "events"),
        ({"events": {"gift.sent": True}}, "events"),
        ({"events": ["gift.exploded"]}, "events[0]"),
        ({"events": ["gift.sent", "*"]}, "events[1]"),
        ({"events": ["webhook.test"]}, "events[0]"),
        ({"events": ["team_order.claimed"]}, "events[0]"),
        ({"events": [None]}, "events[0]"),
    ],
)
def test_an_invalid_subscription_is_refused_and_not_listed(team: TeamClients, members: Any, field: str) -> None:
    assert invalid_fields(team.live.post("/webhooks", subscription_body(**members))) == [field]
    assert team.live.get_json("/webhooks")["data"] == []


@shows("T-6.3")
@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_every_event_type_can_be_subscribed_to(team: TeamClients, kind: str) -> None:
    assert {*DOCUMENTED} <= {*EVENT_TYPES}
    assert subscribe(team.live, kind)["events"] == [kind]


@shows("T-2.27")
@pytest.mark.parametrize(
    "url",
    [
        f"http://{HOST}/",
        "https://localhost/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest",
        "https://[::1]/",
        "https://127.1/",
        "file:///etc/passwd",
        f"ftp://{HOST}/",
        f"//{HOST}/",
        "https://vault.internal/",
        f"https://{HOST}:8443/",
        f"https://user:horse@{HOST}/",
        "https:///x",
    ],
)
def test_a_url_that_is_not_https_on_a_public_host_is_refused(team: TeamClients, url: str) -> None:
    response = team.live.post("/webhooks", subscription_body(url=url))
    assert invalid_fields(response) == ["url"]
    assert "horse" not in response.text
    assert team.live.get_json("/webhooks")["data"] == []


@shows("T-2.27")
@pytest.mark.parametrize(("url", "rule", "is_local"), BROKEN_URLS)
def test_a_refusal_names_the_rule_and_where_it_helps_the_way_to_localhost(
    team: TeamClients, url: str, rule: str, is_local: bool
) -> None:
    response = team.live.post("/webhooks", subscription_body(url=url))
    assert invalid_fields(response) == ["url"]
    (error,) = response.json()["error"]["details"]
    assert error["message"].startswith("must be a public https URL: ")
    assert rule in error["message"]
    assert ("/receivers/" in error["message"]) is is_local
    assert url not in response.text


@shows("T-2.27")
@pytest.mark.parametrize(
    ("addresses", "rule", "is_local"), [(["10.0.0.5"], "not a public address", True), ([], "be resolved", False)]
)
def test_a_refusal_of_a_hosts_addresses_names_the_rule_too(
    team: TeamClients, addresses: list[str], rule: str, is_local: bool
) -> None:
    team.world.set_receiver("inside.team.example", addresses=addresses)
    response = team.live.post("/webhooks", subscription_body(url="https://inside.team.example/"))
    (error,) = response.json()["error"]["details"]
    assert rule in error["message"]
    assert ("/receivers/" in error["message"]) is is_local
    assert "inside.team.example" not in response.text
    assert "10.0.0.5" not in response.text


@shows("T-2.27")
def test_a_host_that_resolves_to_a_private_address_is_refused(team: TeamClients) -> None:
    team.world.set_receiver("inside.team.example", addresses=["10.0.0.5"])
    assert invalid_fields(team.live.post("/webhooks", subscription_body(url="https://inside.team.example/"))) == ["url"]


@shows("T-2.28")
@pytest.mark.parametrize("events", [["balance.low"], ["gift.sent", "balance.low"]])
def test_a_threshold_is_required_for_balance_low(team: TeamClients, events: list[str]) -> None:
    assert invalid_fields(team.live.post("/webhooks", subscription_body(events=events))) == ["balance_threshold_cents"]
    wrongs: tuple[Any, ...] = (None, "5000", 50.5, -1, True, [])
    for wrong in wrongs:
        body = subscription_body(events=events) | {"balance_threshold_cents": wrong}
        assert "balance_threshold_cents" in invalid_fields(team.live.post("/webhooks", body))
    expect_error(
        team.live.post("/webhooks", subscription_body(events=events) | {"balance_threshold_cents": None}),
        422,
        "validation_failed",
    )
    assert team.live.get_json("/webhooks")["data"] == []
    assert (
        team.live.post_json("/webhooks", subscription_body(events=events, balance_threshold_cents=5000))[
            "balance_threshold_cents"
        ]
        == 5000
    )


@shows("T-2.28")
def test_a_threshold_is_ignored_for_other_event_types(team: TeamClients) -> None:
    assert team.live.post_json("/webhooks", subscription_body())["balance_threshold_cents"] is None
    assert (
        team.live.post_json("/webhooks", subscription_body(balance_threshold_cents=5000))["balance_threshold_cents"]
        is None
    )


@shows("T-2.29", "T-4.94")
def test_the_secret_is_only_in_the_first_response_and_its_replay(team: TeamClients) -> None:
    first = expect_status(team.live.post("/webhooks", subscription_body(), Idempotency_Key="one"), 201)
    again = expect_status(team.live.post("/webhooks", subscription_body(), Idempotency_Key="one"), 201)
    secret, subscription = first.json()["secret"], first.json()["id"]
    assert (again.body, again.headers["idempotent-replayed"]) == (first.body, "true")
    assert len(team.live.get_json("/webhooks")["data"]) == 1
    later = [
        team.live.get("/webhooks"),
        team.live.post(f"/webhooks/{subscription}/test", {}),
        team.live.post("/webhooks", subscription_body(events=["gift.claimed"]), Idempotency_Key="one"),
        team.live.delete(f"/webhooks/{subscription}"),
    ]
    for response in later:
        assert "secret" not in response.text
        assert secret not in response.text
    assert all(secret not in json.dumps([webhook.headers, webhook.text]) for webhook in received_webhooks(team.world))


@shows("T-2.29")
def test_a_setting_hides_the_secret_in_replays_alone(team: TeamClients) -> None:
    body = subscription_body()
    first = expect_status(team.live.post("/webhooks", body, Idempotency_Key="k"), 201)
    team.world.change_settings(redact_secret_on_replay=True)
    replay = expect_status(team.live.post("/webhooks", body, Idempotency_Key="k"), 201)
    assert replay.headers["idempotent-replayed"] == "true"
    assert replay.json() == {**first.json(), "secret": None}
    assert [webhook["id"] for webhook in team.live.list_all("/webhooks")] == [first.json()["id"]]
    assert subscribe(team.live, "gift.sent")["secret"].startswith("whsec_")
    team.world.change_settings(redact_secret_on_replay=False)
    assert team.live.post("/webhooks", body, Idempotency_Key="k").body == first.body


def test_every_subscription_has_its_own_secret(team: TeamClients) -> None:
    secrets = [subscribe(client, "gift.sent")["secret"] for client in (team.live, team.live, team.test, team.other)]
    assert len(set(secrets)) == 4


@shows("T-4.95", "T-4.97", "T-4.100", "T-4.102", "T-6.1")
def test_exactly_the_scope_to_manage_webhooks_is_needed(team: TeamClients) -> None:
    able, unable = team.key(MANAGE), team.key(*(scope for scope in SCOPES if scope != MANAGE), role="approver")
    subscription = subscribe(able, "gift.sent")["id"]
    for method, path, given in (
        ("POST", "/webhooks", subscription_body()),
        ("GET", "/webhooks", None),
        ("POST", f"/webhooks/{subscription}/test", {}),
        ("DELETE", f"/webhooks/{subscription}", None),
    ):
        expect_error(unable.call(method, path, given), 403, "insufficient_scope")
    assert [row["id"] for row in able.get_json("/webhooks")["data"]] == [subscription]
    assert received_webhooks(team.world) == []
    expect_status(able.post(f"/webhooks/{subscription}/test", {}), 202)
    expect_status(able.delete(f"/webhooks/{subscription}"), 200)


@shows("T-4.98", "T-4.96")
def test_subscriptions_are_listed_newest_first_in_pages(team: TeamClients) -> None:
    subscriptions = [subscribe(team.live, "gift.sent")["id"] for _ in range(31)]
    page = team.live.get_json("/webhooks")
    assert [row["id"] for row in page["data"]] == subscriptions[:-26:-1]
    rest = team.live.get_json(f"/webhooks?cursor={page['next_cursor']}")
    assert ([row["id"] for row in rest["data"]], rest["next_cursor"]) == (subscriptions[5::-1], None)
    assert len(team.live.get_json("/webhooks?limit=1")["data"]) == 1
    assert len(team.live.get_json("/webhooks?limit=100")["data"]) == 31
    for bad in (0, 101, -1, "abc"):
        expect_error(team.live.get(f"/webhooks?limit={bad}"), 400, "invalid_parameter")
    expect_error(team.live.get("/webhooks?cursor=none"), 400, "invalid_cursor")


@shows("T-4.99")
def test_a_deleted_subscription_gets_no_events_and_is_not_found(team: TeamClients) -> None:
    subscription = subscribe(team.live, "approval.requested")
    team.world.set_receiver(HOST, then={"status": 500})
    create_gift(team.live)
    assert len(received_webhooks(team.world)) == 1
    response = expect_status(team.live.delete(f"/webhooks/{subscription['id']}", Idempotency_Key=None), 200).json()
    assert response == {"id": subscription["id"], "deleted": True, "livemode": True}
    create_gift(team.live)
    team.world.advance("10d")
    assert len(received_webhooks(team.world)) == 1
    assert team.live.get_json("/webhooks")["data"] == []
    expect_error(team.live.delete(f"/webhooks/{subscription['id']}"), 404, "not_found")
    expect_error(team.live.post(f"/webhooks/{subscription['id']}/test", {}), 404, "not_found")


@shows("T-6.1", "T-6.2")
def test_a_live_subscription_belongs_to_the_team_and_a_test_one_to_its_key(team: TeamClients) -> None:
    clients = {"live": team.live, "test": team.test, "second": team.test_second, "other": team.other}
    subscriptions = {name: subscribe(client, "gift.sent")["id"] for name, client in clients.items()}
    assert [row["id"] for row in team.requester.get_json("/webhooks")["data"]] == [subscriptions["live"]]
    for name, client in clients.items():
        assert [row["id"] for row in client.get_json("/webhooks")["data"]] == [subscriptions[name]]
        for other in {*subscriptions} - {name}:
            expect_error(client.post(f"/webhooks/{subscriptions[other]}/test", {}), 404, "not_found")
            expect_error(client.delete(f"/webhooks/{subscriptions[other]}"), 404, "not_found")
    assert received_webhooks(team.world) == []


def test_subscriptions_are_limited_per_team_and_per_test_key(team: TeamClients) -> None:
    team.world.change_settings(webhooks__most_per_team=2)
    for client in (team.live, team.test, team.test_second):
        first, _ = (subscribe(client, "gift.sent")["id"] for _ in range(2))
        expect_error(client.post("/webhooks", subscription_body()), 409, "too_many_webhooks")
        expect_status(client.delete(f"/webhooks/{first}"), 200)
        subscribe(client, "gift.sent")
        assert len(client.get_json("/webhooks")["data"]) == 2


def test_the_default_limit_is_a_hundred_subscriptions(team: TeamClients) -> None:
    for _ in range(100):
        subscribe(team.live, "gift.sent")
    expect_error(team.live.post("/webhooks", subscription_body()), 409, "too_many_webhooks")


def test_without_a_signing_key_nothing_is_created_or_sent(team: TeamClients) -> None:
    subscription = subscribe(team.live, "gift.sent")["id"]
    fault = {"X_Sim_Fault": "signing_key=missing"}
    for path, body in (("/webhooks", subscription_body()), (f"/webhooks/{subscription}/test", {})):
        refused = team.live.post(path, body, **fault)
        expect_error(refused, 503, "webhooks_unavailable")
        assert refused.headers["retry-after"] == "5"
    assert len(team.live.get_json("/webhooks")["data"]) == 1
    assert received_types(team.world) == []


UNKNOWN_IDS: dict[str, Any] = {"live": 999_999, "test": "00000000-0000-4000-8000-000000000000"}


@shows("T-4.101")
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


@shows("T-4.103")
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
