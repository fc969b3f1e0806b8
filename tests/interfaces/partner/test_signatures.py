"""How a receiver knows who sent a delivery, and when (P-2.40, P-6.10 to P-6.14, B43, B46, G24)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from giftsim.worlds import system_clock
from tests.claims import claims
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.instants import unix_s
from tests.support.partner.orders import move_parcels
from tests.support.partner.webhooks import (
    EVENT_TYPES,
    ReceivedWebhook,
    assert_webhook_conforms,
    fail_host,
    is_valid_signature,
    received_webhooks,
    retry_instants,
    run_next_hour,
    ship_order,
)
from tests.support.worlds import World

SIGNATURE = "X-Service-Signature"
SHIFTED = {"stale_signature": -600, "future_signature": 600}


def told(world: World, partner: PartnerClient) -> list[ReceivedWebhook]:
    """One delivery of every kind, a ping too."""
    move_parcels(world, partner.create_order(), "delivered")
    move_parcels(world, partner.create_order(idempotency_key="second"), "rejected")
    world.simulate("single_order", key="partner.prepaid", to="delivered")
    partner.post("/webhooks/1/test")
    run_next_hour(world)
    posts = received_webhooks(world)
    assert {post.type for post in posts} == {*EVENT_TYPES, "ping"}
    return posts


@claims("P-2.40", "P-6.12")
def test_the_create_answer_names_the_header_that_every_delivery_has(world: World, partner: PartnerClient) -> None:
    named = partner.subscribe(*EVENT_TYPES)["signature_header"]
    assert named == SIGNATURE
    for post in told(world, partner):
        assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", post.headers[named])


@claims("P-6.10", "P-6.11")
def test_headers_name_the_kind_and_the_event_of_the_body(world: World, partner: PartnerClient) -> None:
    partner.subscribe(*EVENT_TYPES)
    for post in told(world, partner):
        assert post.headers["X-Service-Event"] == post.body["type"] == post.type
        assert post.headers["X-Service-Event-Id"] == post.body["id"] == post.event_id
        assert post.headers["Host"] == WEBHOOK_HOST


@claims("P-6.13", "P-6.14")
def test_a_receiver_s_own_check_by_the_documents_accepts_every_delivery(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe(*EVENT_TYPES)["secret"]
    for post in told(world, partner):
        assert is_valid_signature(secret, post.headers[SIGNATURE], post.text.encode(), unix_s(post.at))
        assert post.signed_at_s == unix_s(post.at)


@claims("P-6.13")
def test_the_signature_is_over_the_raw_bytes_with_the_whole_secret(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    ship_order(world, partner)
    now = unix_s(run_next_hour(world))
    (post,) = received_webhooks(world)
    header, body = post.headers[SIGNATURE], post.text.encode()
    assert not is_valid_signature(secret.removeprefix("whsec_"), header, body, now)
    assert not is_valid_signature(secret, header, json.dumps(post.body).encode(), now)
    assert not is_valid_signature(secret, header, body + b"\n", now)
    assert not is_valid_signature(secret, header.replace(f"t={now}", f"t={now + 1}"), body, now)
    assert not is_valid_signature(secret, header, body, now + 301)


@claims("P-6.13")
def test_each_endpoint_is_signed_for_by_its_own_secret(world: World, partner: PartnerClient) -> None:
    hosts = ("a.partner.example", "b.partner.example")
    secrets = [partner.subscribe("team_order.shipped", host=host)["secret"] for host in hosts]
    ship_order(world, partner)
    now = unix_s(run_next_hour(world))
    posts = [received_webhooks(world, host=host)[0] for host in hosts]
    fits = [
        [is_valid_signature(s, post.headers[SIGNATURE], post.text.encode(), now) for s in secrets] for post in posts
    ]
    assert fits == [[True, False], [False, True]]


@claims("P-6.14", "P-6.13")
def test_every_retry_is_signed_anew_at_its_own_time(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    fail_host(world)
    ship_order(world, partner)
    first = run_next_hour(world)
    world.advance("60d")
    posts = received_webhooks(world)
    assert [post.signed_at_s for post in posts] == [unix_s(at) for at in retry_instants(first)]
    assert len({post.headers[SIGNATURE].partition("v1=")[2] for post in posts}) == 9
    assert all(
        is_valid_signature(secret, post.headers[SIGNATURE], post.text.encode(), unix_s(post.at)) for post in posts
    )


def test_a_resend_and_a_ping_are_signed_when_they_are_sent(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    ship_order(world, partner)
    run_next_hour(world)
    world.advance("700d")
    world.call_control("POST", "/deliveries/1/resend")
    partner.post("/webhooks/1/test")
    for post in received_webhooks(world)[1:]:
        assert is_valid_signature(secret, post.headers[SIGNATURE], post.text.encode(), unix_s(world.now))


def test_a_captured_delivery_can_be_signed_for_the_real_present(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    ship_order(world, partner)
    run_next_hour(world)
    (post,) = received_webhooks(world)
    as_sent = world.call_control("GET", "/deliveries/1/request")
    assert as_sent == {"headers": post.headers, "body": post.text}
    fresh = world.call_control("GET", "/deliveries/1/request?sign=now")
    assert_webhook_conforms(post.type, fresh["headers"], fresh["body"])
    assert fresh["body"] == post.text
    assert is_valid_signature(secret, fresh["headers"][SIGNATURE], fresh["body"].encode(), int(system_clock.seconds()))


@pytest.mark.parametrize(("choice", "real"), [("auto", False), ("simulated", False), ("wall", True)])
def test_a_world_may_choose_the_clock_of_its_signatures(
    world: World, partner: PartnerClient, choice: str, real: bool
) -> None:
    world.change_settings(webhooks__signature_time=choice)
    secret = partner.subscribe("team_order.shipped")["secret"]
    ship_order(world, partner)
    run_next_hour(world)
    (post,) = received_webhooks(world)
    now_s = int(system_clock.seconds()) if real else unix_s(post.at)
    assert is_valid_signature(secret, post.headers[SIGNATURE], post.text.encode(), now_s)


@pytest.mark.parametrize("effect", ["bad_signature", *SHIFTED])
def test_a_fault_sends_what_a_receiver_must_refuse_and_the_next_is_good_again(
    world: World, partner: PartnerClient, effect: str
) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    world.add_fault({"webhook": effect}, when={"first": 1})
    world.set_receiver(script=[{"status": 400}])
    ship_order(world, partner)
    run_next_hour(world)
    world.advance("5m")
    bad, good = received_webhooks(world)
    checks: list[Any] = [
        is_valid_signature(secret, post.headers[SIGNATURE], post.text.encode(), unix_s(post.at)) for post in (bad, good)
    ]
    assert checks == [False, True]
    assert bad.signed_at_s - unix_s(bad.at) == SHIFTED.get(effect, 0)
    off_s = SHIFTED.get(effect, 0)
    shift_only = is_valid_signature(secret, bad.headers[SIGNATURE], bad.text.encode(), unix_s(bad.at) + off_s)
    assert shift_only == (effect in SHIFTED)
    assert (bad.event_id, bad.text) == (good.event_id, good.text)


def test_the_same_seed_and_calls_sign_the_same_bytes(new_world: Any) -> None:
    sent = []
    for _ in range(2):
        world = new_world()
        world.partner().subscribe(*EVENT_TYPES)
        sent.append([(post.headers, post.text) for post in told(world, world.partner())])
    assert sent[0] == sent[1]
