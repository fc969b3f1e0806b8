"""Sandbox events: only they move test orders and gifts, without production, mail or money."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.instants import later
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import (
    approve,
    cancel,
    create_gift,
    create_order,
    event_types,
    recipient_statuses,
    reject,
    reload,
    request_approval,
)
from tests.support.team.webhooks import received_webhooks, subscribe

ORDER_KINDS = ("team_order.shipped", "team_order.delivered")
GIFT_KINDS = ("gift.sent", "gift.claimed", "gift.shipped", "gift.delivered")


def create_event(client: TeamClient, kind: str, record: Any) -> Any:
    """Create a sandbox event, which must succeed."""
    return client.post_json("/sandbox/events", {"type": kind, "resource_id": record["id"]}, 200)


def expect_invalid_state(client: TeamClient, kind: str, record: Any) -> None:
    """Check that a sandbox event is refused because of the record's state."""
    before = reload(client, record)
    response = client.post("/sandbox/events", {"type": kind, "resource_id": record["id"]})
    expect_error(response, 409, "invalid_state")
    assert reload(client, record) == before


@shows("T-4.196")
@pytest.mark.parametrize(("wait", "shipped"), [("0s", "48h"), ("5h", "5h"), ("9d", "48h")])
def test_what_an_event_delivers_was_shipped_before(team: TeamClients, wait: str, shipped: str) -> None:
    order, gift = create_order(team.test), create_gift(team.test)
    team.world.advance(wait)
    now = team.world.now
    create_event(team.test, "team_order.delivered", order)
    create_event(team.test, "gift.delivered", gift)
    manifest = csv.DictReader(io.StringIO(team.test.get(f"/team-orders/{order['id']}/manifest.csv").text))
    for row in (*manifest, *reload(team.test, gift)["recipients"]):
        assert (row["shipped_at"], row["delivered_at"]) == (later(now, f"-{shipped}"), now)
    assert team.world.now == now


@shows("T-4.196", "T-2.41", "T-6.16")
def test_an_event_moves_a_held_test_order_and_is_delivered(team: TeamClients) -> None:
    subscribe(team.test, *ORDER_KINDS)
    order = create_order(team.test)
    response = create_event(team.test, "team_order.shipped", order)
    assert response == {
        "event_id": response["event_id"],
        "type": "team_order.shipped",
        "resource_id": order["id"],
        "status": "shipped",
        "livemode": False,
    }
    reloaded = reload(team.test, order)
    assert (reloaded["status"], reloaded["payment_status"], recipient_statuses(reloaded)) == (
        "shipped",
        "unpaid",
        ["shipped"] * 2,
    )
    (webhook,) = received_webhooks(team.world)
    assert (webhook.body["id"], webhook.type, webhook.body["livemode"]) == (
        response["event_id"],
        "team_order.shipped",
        False,
    )
    assert webhook.data["team_order_id"] == order["id"]


def test_steps_can_be_skipped_and_one_call_sends_one_event(team: TeamClients) -> None:
    order = create_order(team.test, headcount=3)
    create_event(team.test, "team_order.delivered", order)
    reloaded = reload(team.test, order)
    assert (reloaded["status"], recipient_statuses(reloaded)) == ("delivered", ["delivered"] * 3)
    assert event_types(team.world) == ["team_order.delivered"]


def test_an_order_goes_from_shipped_to_delivered_and_no_further(team: TeamClients) -> None:
    order = create_order(team.test)
    create_event(team.test, "team_order.shipped", order)
    expect_invalid_state(team.test, "team_order.shipped", order)
    create_event(team.test, "team_order.delivered", order)
    for kind in ORDER_KINDS:
        expect_invalid_state(team.test, kind, order)
    assert event_types(team.world) == list(ORDER_KINDS)


@pytest.mark.parametrize("end", ["cancel", "reject"])
def test_a_canceled_or_rejected_order_cannot_move(team: TeamClients, end: str) -> None:
    order = create_order(team.test)
    if end == "cancel":
        cancel(team.test, order)
    else:
        reject(team.world, order)
    for kind in ORDER_KINDS:
        expect_invalid_state(team.test, kind, order)


def test_a_shipped_test_order_takes_no_approval_request_and_no_cancel(team: TeamClients) -> None:
    order = create_order(team.test)
    approval = request_approval(team.test, order)
    create_event(team.test, "team_order.shipped", order)
    assert team.test.get_json(f"/approvals/{approval['id']}")["status"] == "superseded"
    for path in ("request-approval", "cancel"):
        expect_error(team.test.post(f"/team-orders/{order['id']}/{path}", {}), 409, "invalid_state")


def test_an_approved_test_order_moves_by_events_too(team: TeamClients) -> None:
    order = create_order(team.test)
    approve(team.world, order)
    create_event(team.test, "team_order.shipped", order)
    assert reload(team.test, order)["status"] == "shipped"
    assert event_types(team.world) == ["approval.requested", "approval.decided", "team_order.shipped"]


@shows("T-1.15")
def test_only_an_event_moves_a_test_order(team: TeamClients) -> None:
    order = create_order(team.test)
    team.world.advance("60d")
    assert reload(team.test, order) == order
    path = f"/worlds/{team.world.id}/simulate/shipment"
    expect_error(team.world.control.post(path, {"team_order_id": order["id"], "to": "shipped"}), 409, "invalid_state")
    create_event(team.test, "team_order.shipped", order)
    reloaded = reload(team.test, order)
    team.world.advance("60d")
    assert reload(team.test, order) == reloaded


@shows("T-1.16", "T-1.17")
def test_sandbox_events_send_no_mail_and_move_no_money(team: TeamClients) -> None:
    reads = ("/billing/balance", "/invoices", "/credit-terms")
    before = [team.live.get_json(path) for path in reads]
    ledger = team.world.call_control("GET", "/ledger?limit=1000")
    create_event(team.test, "team_order.delivered", create_order(team.test))
    create_event(team.test, "gift.delivered", create_gift(team.test, 3))
    team.world.advance("60d")
    assert team.world.mail() == []
    assert [team.live.get_json(path) for path in reads] == before
    assert team.world.call_control("GET", "/ledger?limit=1000") == ledger
    assert team.test.list_all("/invoices") == []


def test_a_test_gift_moves_through_its_event_types_one_by_one(team: TeamClients) -> None:
    gift = create_gift(team.test, 2)
    statuses = []
    for kind in GIFT_KINDS:
        assert create_event(team.test, kind, gift)["status"] == kind.partition(".")[2]
        reloaded = reload(team.test, gift)
        statuses.append((reloaded["status"], recipient_statuses(reloaded)))
        expect_invalid_state(team.test, kind, gift)
    steps = [kind.partition(".")[2] for kind in GIFT_KINDS]
    assert statuses == [(step, [step, step]) for step in steps]
    assert event_types(team.world) == ["approval.requested", *GIFT_KINDS]
    for kind in GIFT_KINDS:
        expect_invalid_state(team.test, kind, gift)


def test_a_claimed_test_gift_does_not_advance_with_the_clock(team: TeamClients) -> None:
    gift = create_gift(team.test)
    create_event(team.test, "gift.claimed", gift)
    reloaded = reload(team.test, gift)
    team.world.advance("60d")
    assert reload(team.test, gift) == reloaded


def test_skipped_steps_are_in_the_timeline_and_send_no_event(team: TeamClients) -> None:
    gift = create_gift(team.test)
    subscribe(team.test, *GIFT_KINDS)
    create_event(team.test, "gift.shipped", gift)
    rows = team.test.get_json(f"/gifts/{gift['id']}/timeline")["data"]
    assert [row["kind"] for row in rows] == [
        "gift.created", "approval.requested", "gift.sent", "gift.claimed", "gift.shipped",
    ]  # fmt: skip
    (webhook,) = received_webhooks(team.world)
    assert webhook.data == {
        "gift_id": gift["id"], "recipient_id": gift["recipients"][0]["id"], "status": "shipped",
    }  # fmt: skip


def test_an_event_of_a_gift_to_several_names_no_recipient(team: TeamClients) -> None:
    gift = create_gift(team.test, 2)
    subscribe(team.test, *GIFT_KINDS)
    create_event(team.test, "gift.claimed", gift)
    (webhook,) = received_webhooks(team.world)
    assert webhook.data == {"gift_id": gift["id"], "recipient_id": None, "status": "claimed"}


def test_a_rejected_gift_cannot_move(team: TeamClients) -> None:
    gift = create_gift(team.test)
    reject(team.world, gift)
    for kind in GIFT_KINDS:
        expect_invalid_state(team.test, kind, gift)


@shows("T-4.199", "T-6.2")
def test_an_event_needs_a_record_of_the_same_test_key(team: TeamClients) -> None:
    live, test, second = create_order(team.live), create_order(team.test), create_order(team.test_second)
    subscribe(team.test, *ORDER_KINDS, host="first.example.com")
    subscribe(team.test_second, *ORDER_KINDS, host="second.example.com")
    subscribe(team.live, *ORDER_KINDS, host="live.example.com")
    body = {"type": "team_order.shipped", "resource_id": test["id"]}
    expect_error(team.live.post("/sandbox/events", body), 403, "test_key_required")
    for resource in (live["id"], second["id"], UNKNOWN_ID):
        body = {"type": "team_order.shipped", "resource_id": resource}
        assert invalid_fields(team.test.post("/sandbox/events", body)) == ["resource_id"]
    for client, record in ((team.live, live), (team.test, test), (team.test_second, second)):
        assert reload(client, record) == record
    create_event(team.test, "team_order.shipped", test)
    counts = [len(received_webhooks(team.world, f"{name}.example.com")) for name in ("first", "second", "live")]
    assert counts == [1, 0, 0]


def test_a_setting_shares_one_sandbox_in_the_team(team: TeamClients) -> None:
    team.world.change_settings(sandbox__namespace="team")
    order = create_order(team.test)
    create_event(team.test_second, "team_order.shipped", order)
    assert reload(team.test, order)["status"] == "shipped"


@shows("T-2.41")
@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"type": None}, "type"),
        ({"type": "team_order.exploded"}, "type"),
        ({"type": "approval.requested"}, "type"),
        ({"type": "balance.low"}, "type"),
        ({"type": 5}, "type"),
        ({"resource_id": None}, "resource_id"),
        ({"resource_id": 20_000_001}, "resource_id"),
        ({"resource_id": "20000001"}, "resource_id"),
        ({"resource_id": "not-a-uuid"}, "resource_id"),
    ],
)
def test_an_unknown_event_is_refused_and_not_delivered(team: TeamClients, members: dict[str, Any], field: str) -> None:
    subscribe(team.test)
    order = create_order(team.test)
    body = {"type": "team_order.shipped", "resource_id": order["id"], **members}
    body = {name: value for name, value in body.items() if value is not None}
    assert invalid_fields(team.test.post("/sandbox/events", body)) == [field]
    assert reload(team.test, order) == order
    assert team.world.deliveries() == []


def test_an_event_type_needs_a_record_of_its_kind(team: TeamClients) -> None:
    for kind, record in (("gift.shipped", create_order(team.test)), ("team_order.shipped", create_gift(team.test))):
        body = {"type": kind, "resource_id": record["id"]}
        assert invalid_fields(team.test.post("/sandbox/events", body)) == ["resource_id"]
        assert reload(team.test, record) == record


def test_uuids_are_case_insensitive(team: TeamClients) -> None:
    order = create_order(team.test)
    body = {"type": "team_order.shipped", "resource_id": order["id"].upper()}
    assert team.test.post_json("/sandbox/events", body, 200)["resource_id"] == order["id"]


@shows("T-4.208")
def test_a_repeated_sandbox_event_happens_once(team: TeamClients) -> None:
    order = create_order(team.test)
    body = {"type": "team_order.shipped", "resource_id": order["id"]}
    first = expect_status(team.test.post("/sandbox/events", body, Idempotency_Key="k"), 200)
    assert team.test.post("/sandbox/events", body, Idempotency_Key="k").body == first.body
    assert event_types(team.world) == ["team_order.shipped"]


def test_a_test_order_with_choices_takes_the_first_of_each(team: TeamClients) -> None:
    menu = [
        {"label": "Tea", "items": [{"item_slug": "tea-01"}]},
        {"label": "Honey", "items": [{"item_slug": "hony-01"}]},
    ]
    order = create_order(team.test, collection="wardrobe", mode="bundle", gift_choices=menu)
    create_event(team.test, "team_order.shipped", order)
    assert "tea-01" in team.test.get(f"/team-orders/{order['id']}/manifest.csv").text
