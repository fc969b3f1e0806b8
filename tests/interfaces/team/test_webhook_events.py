"""Webhook events of a team: when they are sent, to which subscription, signatures and retries (T-6.4 to T-6.23, A6)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.shows import shows
from tests.support.instants import unix_s
from tests.support.partner.webhooks import ReceivedWebhook, is_valid_signature, retry_instants
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import approve, create_gift, create_order
from tests.support.team.webhooks import (
    APPROVAL_KINDS,
    EVENT_TYPES,
    GIFT_KINDS,
    HOST,
    INVOICE_KINDS,
    ORDER_KINDS,
    SIGNATURE_HEADER,
    create_sandbox_event,
    deliver_gift,
    received_types,
    received_webhooks,
    subscribe,
    webhooks_of_every_type,
)


def set_balance(client: TeamClient, amount_cents: int) -> None:
    """Set the team's balance, in cents."""
    client.world.simulate("team", balance_cents=amount_cents)


@shows("T-6.4", "T-6.5", "T-6.6", "T-6.7")
def test_each_step_of_a_gift_sends_one_event_when_it_happens(team: TeamClients) -> None:
    world, subscription = team.world, subscribe(team.live, *GIFT_KINDS)
    assert subscription["livemode"] is True
    gift = create_gift(team.live)
    assert received_types(world) == []
    approve(world, gift)
    assert received_types(world) == ["gift.sent"]
    second = deliver_gift(world, team.live)
    webhooks = [webhook for webhook in received_webhooks(world) if webhook.data["gift_id"] == second["id"]]
    assert [webhook.type for webhook in webhooks] == list(GIFT_KINDS)
    assert [webhook.data["status"] for webhook in webhooks] == ["sent", "claimed", "shipped", "delivered"]
    recipient = second["recipients"][0]["id"]
    assert [webhook.data["recipient_id"] for webhook in webhooks] == [None, recipient, recipient, recipient]
    world.advance("60d")
    assert [webhook.type for webhook in received_webhooks(world) if webhook.data["gift_id"] == second["id"]] == list(
        GIFT_KINDS
    )


@shows("T-6.4", "T-6.5", "T-6.6")
def test_a_gift_to_many_sends_one_sent_event_and_then_events_per_recipient(team: TeamClients) -> None:
    subscribe(team.live, *GIFT_KINDS)
    gift = create_gift(team.live, 3)
    approve(team.world, gift)
    team.world.simulate("shipment", gift_id=gift["id"], to="shipped")
    received = [(webhook.type, webhook.data["recipient_id"]) for webhook in received_webhooks(team.world)]
    recipient_ids = [row["id"] for row in gift["recipients"]]
    assert received[0] == ("gift.sent", None)
    assert sorted(received[1:]) == sorted(
        (kind, one) for one in recipient_ids for kind in ("gift.claimed", "gift.shipped")
    )


@shows("T-6.8")
def test_a_team_order_sends_events_when_shipped_and_delivered(team: TeamClients) -> None:
    subscribe(team.live, *ORDER_KINDS)
    order = create_order(team.live)
    created = order["id"]
    approve(team.world, order)
    assert received_types(team.world) == []
    for to, count in (("shipped", 1), ("delivered", 2)):
        team.world.simulate("shipment", team_order_id=created, to=to)
        webhooks = received_webhooks(team.world)
        assert len(webhooks) == count
        assert webhooks[-1].type == f"team_order.{to}"
        data = {"team_order_id": created, "campaign_id": created, "status": to, "payment_status": "paid"}
        assert webhooks[-1].data == data


@shows("T-6.9", "T-6.10")
@pytest.mark.parametrize(("decision", "status"), [("approve", "approved"), ("reject", "rejected")])
def test_an_approval_sends_events_when_requested_and_decided(team: TeamClients, decision: str, status: str) -> None:
    subscribe(team.live, *APPROVAL_KINDS)
    order = create_order(team.live)["id"]
    assert received_types(team.world) == []
    asks = [team.live.post_json(f"/team-orders/{order}/request-approval", {"note": "please"}, 200) for _ in range(2)]
    approval = asks[-1]
    team.world.simulate("approval", approval_id=approval["id"], decision=decision)
    webhooks = received_webhooks(team.world)
    assert [webhook.type for webhook in webhooks] == list(APPROVAL_KINDS)
    named = {"approval_id": approval["id"], "resource_type": "team_order", "resource_id": order}
    assert [webhook.data for webhook in webhooks] == [{**named, "status": "pending"}, {**named, "status": status}]


@shows("T-6.11", "T-6.12")
def test_an_invoice_sends_events_when_issued_and_paid(team: TeamClients) -> None:
    subscribe(team.live, *INVOICE_KINDS)
    invoice = team.live.post_json("/deposit-invoices", {"amount_cents": 100})["id"]
    assert received_types(team.world) == ["invoice.issued"]
    team.world.simulate("invoice", invoice_id=invoice, outcome="paid")
    webhooks = received_webhooks(team.world)
    assert [(webhook.type, webhook.data["status"]) for webhook in webhooks] == [
        ("invoice.issued", "open"),
        ("invoice.paid", "paid"),
    ]
    assert {webhook.data["invoice_id"] for webhook in webhooks} == {invoice}


@shows("T-6.13", "T-6.14")
def test_a_low_balance_sends_one_event_per_fall_below_the_threshold(team: TeamClients) -> None:
    subscribe(team.live, "balance.low")
    counts = []
    for cents in (6000, 5000, 4999, 3000, 0, 4999, 5000, 5001, 4000, 9000, 5000, 100):
        set_balance(team.live, cents)
        counts.append(len(received_webhooks(team.world)))
    assert counts == [0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3]
    subscription = team.live.get_json("/webhooks")["data"][0]["id"]
    data = {"team_id": team.live.get_json("/team")["id"], "webhook_id": subscription, "status": "below_threshold"}
    assert all(webhook.data == data for webhook in received_webhooks(team.world))


@shows("T-6.13")
def test_a_purchase_that_takes_the_balance_below_the_threshold_sends_an_event(team: TeamClients) -> None:
    subscribe(team.live, "balance.low")
    set_balance(team.live, 6000)
    approve(team.world, create_gift(team.live))
    assert team.live.get_json("/billing/balance")["balance_cents"] < 5000
    assert received_types(team.world) == ["balance.low"]


@shows("T-6.14")
def test_a_subscription_created_below_its_threshold_gets_no_event_until_the_balance_was_above(
    team: TeamClients,
) -> None:
    set_balance(team.live, 3000)
    subscribe(team.live, "balance.low")
    for cents, count in ((2000, 0), (9000, 0), (4000, 1)):
        set_balance(team.live, cents)
        assert len(received_webhooks(team.world)) == count


@shows("T-6.14")
def test_a_test_key_never_causes_a_low_balance_event(team: TeamClients) -> None:
    set_balance(team.live, 5000)
    subscribe(team.live, "balance.low")
    subscribe(team.test, "balance.low", host="test.team.example", balance_threshold_cents=10**8)
    create_sandbox_event(team.test, "gift.delivered", create_gift(team.test))
    create_sandbox_event(team.test, "team_order.delivered", create_order(team.test))
    assert (received_types(team.world), received_types(team.world, "test.team.example")) == ([], [])
    set_balance(team.live, 4000)
    assert received_types(team.world, "test.team.example") == []


@shows("T-6.15")
def test_each_subscription_has_its_own_threshold(team: TeamClients) -> None:
    set_balance(team.live, 6000)
    hosts = {"five.team.example": 5000, "two.team.example": 2000}
    for host, cents in hosts.items():
        subscribe(team.live, "balance.low", host=host, balance_threshold_cents=cents)
    set_balance(team.live, 3000)
    assert [len(received_webhooks(team.world, host)) for host in hosts] == [1, 0]
    set_balance(team.live, 1999)
    assert [len(received_webhooks(team.world, host)) for host in hosts] == [1, 1]


@shows("T-6.1")
def test_a_live_subscription_gets_the_events_of_all_live_keys_of_its_team(team: TeamClients) -> None:
    subscribe(team.live, "approval.requested")
    for client in (team.requester, team.other, team.live, team.test):
        create_gift(client)
    assert len(received_webhooks(team.world)) == 2


@shows("T-6.2")
def test_a_test_subscription_gets_only_the_events_of_its_own_key(team: TeamClients) -> None:
    hosts = {"first.team.example": team.test, "second.team.example": team.test_second, "live.team.example": team.live}
    for host, client in hosts.items():
        subscribe(client, *GIFT_KINDS, host=host)
    gift = create_gift(team.test)
    event = create_sandbox_event(team.test, "gift.shipped", gift)
    assert [len(received_webhooks(team.world, host)) for host in hosts] == [1, 0, 0]
    assert received_webhooks(team.world, "first.team.example")[0].event_id == event["event_id"]
    deliver_gift(team.world, team.live)
    assert [len(received_webhooks(team.world, host)) for host in hosts] == [1, 0, 4]


@shows("T-6.16")
def test_livemode_of_an_event_follows_the_key(team: TeamClients) -> None:
    subscribe(team.test, *GIFT_KINDS, *ORDER_KINDS, *APPROVAL_KINDS, host="test.team.example")
    parcel, order = create_gift(team.test), create_order(team.test)
    for kind in (*GIFT_KINDS, *ORDER_KINDS):
        create_sandbox_event(team.test, kind, parcel if kind in GIFT_KINDS else order)
    webhooks = received_webhooks(team.world, "test.team.example")
    assert {webhook.type for webhook in webhooks} >= {*GIFT_KINDS, *ORDER_KINDS}
    assert all(webhook.body["livemode"] is False for webhook in webhooks)
    assert all(webhook.body["livemode"] is True for webhook in webhooks_of_every_type(team.world, team.live))


@shows("T-6.17")
def test_a_subscription_gets_only_the_event_types_it_names(team: TeamClients) -> None:
    alone = {kind: f"only{n}.team.example" for n, kind in enumerate(EVENT_TYPES)}
    for kind, host in alone.items():
        subscribe(team.live, kind, host=host)
    webhooks_of_every_type(team.world, team.live)
    assert all(set(received_types(team.world, host)) == {kind} for kind, host in alone.items())


@shows("T-6.18", "T-6.19")
def test_the_documented_signature_check_accepts_every_delivery_and_no_altered_one(team: TeamClients) -> None:
    other = subscribe(team.live, host="other.team.example")["secret"]
    webhooks = webhooks_of_every_type(team.world, team.live)
    secret = subscribe(team.live, "gift.sent")["secret"]
    assert all(re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", webhook.headers[SIGNATURE_HEADER]) for webhook in webhooks)
    assert not any(_is_signature_valid(other, webhook) or _is_signature_valid(secret, webhook) for webhook in webhooks)
    other_webhooks = received_webhooks(team.world, "other.team.example")
    assert {webhook.type for webhook in other_webhooks} == {*EVENT_TYPES}
    for webhook in other_webhooks:
        assert _is_signature_valid(other, webhook)
        header, now = webhook.headers[SIGNATURE_HEADER], unix_s(webhook.at)
        assert not is_valid_signature(other, header, webhook.text.encode() + b" ", now)
        assert not is_valid_signature(other.removeprefix("whsec_"), header, webhook.text.encode(), now)
        assert not is_valid_signature(other, header.replace(f"t={now}", f"t={now + 1}"), webhook.text.encode(), now)


def _is_signature_valid(secret: str, webhook: ReceivedWebhook) -> bool:
    return is_valid_signature(secret, webhook.headers[SIGNATURE_HEADER], webhook.text.encode(), unix_s(webhook.at))


@shows("T-6.20", "T-6.21", "T-6.22", "T-6.23")
def test_a_failing_delivery_is_attempted_nine_times_each_newly_signed_and_then_dead(team: TeamClients) -> None:
    world, secret = team.world, subscribe(team.live, "approval.requested")["secret"]
    world.set_receiver(HOST, then={"status": 500})
    first = world.now
    create_gift(team.live)
    assert [webhook.at for webhook in received_webhooks(world)] == [first]
    world.advance("200d")
    webhooks = received_webhooks(world)
    assert [webhook.at for webhook in webhooks] == retry_instants(first)
    assert [webhook.attempt for webhook in webhooks] == list(range(1, 10))
    assert [webhook.signed_at_s for webhook in webhooks] == [unix_s(at) for at in retry_instants(first)]
    assert all(
        is_valid_signature(secret, webhook.headers[SIGNATURE_HEADER], webhook.text.encode(), unix_s(webhook.at))
        for webhook in webhooks
    )
    assert len({webhook.event_id for webhook in webhooks}) == len({webhook.text for webhook in webhooks}) == 1
    assert [webhook.next_attempt_at for webhook in webhooks] == [*retry_instants(first)[1:], None]
    assert {row["delivery"] for row in world.deliveries()} == {"dead"}


@shows("T-6.21", "T-6.22")
def test_a_delivery_is_retried_until_it_succeeds(team: TeamClients) -> None:
    world = team.world
    subscribe(team.live, "approval.requested")
    world.set_receiver(HOST, script=[{"status": 500}, {"timeout": True}], then={"status": 204})
    create_gift(team.live)
    assert [row["delivery"] for row in world.deliveries()] == ["pending"]
    world.advance("60d")
    create_gift(team.live)
    webhooks = received_webhooks(world)
    assert [webhook.outcome for webhook in webhooks] == ["http_status", "timeout", "delivered", "delivered"]
    assert len({webhook.event_id for webhook in webhooks[:3]}) == 1
    assert webhooks[3].event_id != webhooks[0].event_id
    assert {row["delivery"] for row in world.deliveries()} == {"delivered"}


def test_events_are_sent_at_once_and_contain_no_name_or_email(team: TeamClients) -> None:
    webhooks = webhooks_of_every_type(team.world, team.live)
    assert {webhook.at for webhook in webhooks} == {team.world.now}
    assert {webhook.body["created_at"] for webhook in webhooks} == {team.world.now}
    for webhook in webhooks:
        assert "@" not in webhook.text
        assert "Person" not in webhook.text
        assert "claim/" not in webhook.text
    assert len({webhook.event_id for webhook in webhooks}) == len(webhooks)


def test_the_same_seed_and_calls_send_the_same_bytes(new_world: Any) -> None:
    sent = []
    for _ in range(2):
        world = new_world()
        sent.append(
            [(webhook.headers, webhook.text) for webhook in webhooks_of_every_type(world, TeamClients(world).live)]
        )
    assert sent[0] == sent[1]
