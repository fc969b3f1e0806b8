"""Endpoints: creating, listing and disabling them (P-6.21 to P-6.24, P-8.3, P-8.4, B28, G26, G27)."""

from __future__ import annotations

import hashlib
import hmac
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.webhooks import delivery, dispatch, endpoint, signature
from giftsim.engine.webhooks.endpoint import Endpoint, EndpointNotFound, InvalidEvents, TooManyEndpoints
from giftsim.engine.webhooks.outgoing import WebhooksUnavailable, remove_signing_key
from giftsim.engine.webhooks.signature import sign
from giftsim.engine.webhooks.url_rules import InvalidUrl
from giftsim.services.gifting.domain.webhook_kinds import PARTNER_KINDS
from tests.shows import shows
from tests.support.webhook_world import SHIPPED, WebhookWorld


def disable(world: WebhookWorld, target: Endpoint) -> Endpoint:
    with world.state.transaction():
        return delivery.disable_endpoint(world.state, target)


def test_a_new_endpoint_is_enabled_with_its_own_id_and_secret() -> None:
    world = WebhookWorld()
    first, second = world.subscribe(), world.subscribe()
    assert (first.status, first.id != second.id, first.secret != second.secret) == ("active", True, True)
    assert first.secret.startswith("whsec_")
    assert first.kinds == PARTNER_KINDS


@shows("P-6.21", "P-6.22", "P-6.23")
@pytest.mark.parametrize("url", ["http://a.example/", "https://93.184.216.34/", "https://u:p@a.example/", 7, None])
def test_an_invalid_url_creates_no_endpoint(url: object) -> None:
    world = WebhookWorld()
    with pytest.raises(InvalidUrl) as caught, world.state.transaction():
        endpoint.create_endpoint(world.state, owner="account 0", key="k", url=url, kinds=[SHIPPED], known=PARTNER_KINDS)
    assert (caught.value.status, caught.value.code) == (400, "invalid_url")
    assert world.endpoints == []


@shows("P-6.24")
@pytest.mark.parametrize("addresses", [["10.0.0.5"], ["93.184.215.14", "127.0.0.1"], ["169.254.0.1"], ["::1"], []])
def test_a_host_without_only_public_addresses_creates_no_endpoint(addresses: list[str]) -> None:
    world = WebhookWorld()
    world.set_receiver(addresses=addresses)
    with pytest.raises(InvalidUrl):
        world.subscribe()
    assert world.endpoints == []


def test_a_setting_allows_other_ports_than_443() -> None:
    world = WebhookWorld()
    with pytest.raises(InvalidUrl):
        world.subscribe(url="https://a.example:8443/")
    world.change_setting("webhooks.url_ports", [443, 8443])
    world.subscribe(url="https://a.example:8443/")
    world.emit()
    world.advance_until_idle()
    assert world.control_row(1)["request"]["headers"]["Host"] == "a.example:8443"


@pytest.mark.parametrize("kinds", [None, [], "team_order.shipped", ["team_order.exploded"], [SHIPPED, 5], {}])
def test_an_invalid_list_of_events_creates_no_endpoint(kinds: object) -> None:
    world = WebhookWorld()
    with pytest.raises(InvalidEvents) as caught, world.state.transaction():
        endpoint.create_endpoint(
            world.state, owner="account 0", key="k", url="https://a.example/", kinds=kinds, known=PARTNER_KINDS
        )
    assert (caught.value.status, caught.value.code) == (400, "invalid_events")
    assert world.endpoints == []


def test_duplicate_kinds_are_dropped() -> None:
    world = WebhookWorld()
    assert world.subscribe(SHIPPED, SHIPPED).kinds == (SHIPPED,)


@shows("P-8.3")
def test_each_key_may_have_ten_active_endpoints() -> None:
    world = WebhookWorld()
    made = [world.subscribe() for _ in range(10)]
    with pytest.raises(TooManyEndpoints) as caught:
        world.subscribe()
    assert (caught.value.status, caught.value.code) == (409, "too_many_endpoints")
    world.subscribe(key="another")
    disable(world, made[3])
    world.subscribe()


def test_an_owner_sees_the_endpoints_of_all_its_keys() -> None:
    world = WebhookWorld()
    first, second = world.subscribe(key="a"), world.subscribe(key="b")
    world.subscribe(owner="account 1")
    disable(world, first)
    assert [row.id for row in endpoint.list_endpoints(world.state, "account 0")] == [first.id, second.id]
    assert endpoint.find_endpoint(world.state, "account 0", first.id).status == "disabled"
    with pytest.raises(EndpointNotFound):
        endpoint.find_enabled(world.state, "account 0", first.id)


@pytest.mark.parametrize("endpoint_id", [0, -1, 2, 3, 10**20])
def test_an_endpoint_of_another_owner_is_not_found(endpoint_id: int) -> None:
    world = WebhookWorld()
    world.subscribe()
    world.subscribe(owner="account 1")
    with pytest.raises(EndpointNotFound) as caught:
        endpoint.find_endpoint(world.state, "account 0", endpoint_id)
    assert (caught.value.status, caught.value.code) == (404, "endpoint_not_found")


@shows("P-4.15")
def test_a_disabled_endpoint_gets_no_events_and_its_retries_are_dropped() -> None:
    world = WebhookWorld()
    target = world.subscribe()
    world.set_receiver(then={"status": 500})
    world.emit()
    world.advance("40m")
    world.emit()
    disabled = disable(world, target)
    assert (disabled.status, disabled.pending, disabled.dead) == ("disabled", 0, 0)
    world.emit()
    world.advance_until_idle()
    assert len(world.attempts) == 1
    assert [row.status for row in world.deliveries] == ["dropped"]
    assert disable(world, disabled) == disabled


@shows("P-8.4")
def test_the_latest_fifty_deliveries_are_listed_newest_first() -> None:
    world = WebhookWorld()
    target = world.subscribe()
    for subject in range(60):
        world.emit(subject=subject)
    world.advance("1h")
    shown = delivery.list_latest(world.state, target.n)
    assert [row.n for row in shown] == list(range(59, 9, -1))


def test_endpoints_count_pending_and_dead_deliveries() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(then={"status": 500})
    world.emit()
    world.advance("5d")
    world.emit()
    world.emit()
    world.advance("1h")
    assert [(row.pending, row.dead) for row in world.endpoints] == [(2, 1)]


TO = "http://127.0.0.1:9000"


def remove_key(world: WebhookWorld) -> None:
    with world.state.transaction():
        remove_signing_key(world.state)


def restore_key(world: WebhookWorld) -> None:
    with world.state.transaction():
        dispatch.restore_signing_key(world.state)


@shows("P-7.28")
def test_without_a_signing_key_endpoints_are_neither_created_nor_tested() -> None:
    world = WebhookWorld()
    world.subscribe()
    remove_key(world)
    for refused in (world.subscribe, world.ping):
        with pytest.raises(WebhooksUnavailable) as caught:
            refused()
        assert (caught.value.status, caught.value.code) == (503, "webhooks_unavailable")
    restore_key(world)
    world.subscribe()
    assert world.ping().outcome == "delivered"


def test_without_a_signing_key_deliveries_wait_until_it_is_restored() -> None:
    world = WebhookWorld()
    world.subscribe()
    remove_key(world)
    world.emit(subject=1)
    world.emit(subject=2)
    world.advance_until_idle()
    assert world.attempts == []
    assert [(row.status, row.next_attempt_ms) for row in world.deliveries] == [("pending", None)] * 2
    world.advance("3h")
    restore_key(world)
    assert [attempt.event for attempt in world.attempts] == [0, 1]
    assert [row.status for row in world.deliveries] == ["delivered"] * 2


def test_a_retry_that_waited_for_the_key_keeps_its_place_on_the_ladder() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(script=[{"status": 500}, {"status": 500}])
    world.emit()
    world.advance("41m")
    remove_key(world)
    world.advance("2h")
    assert len(world.attempts) == 1
    restore_key(world)
    assert [attempt.number for attempt in world.attempts] == [1, 2]
    assert world.control_row(2)["next_attempt_at"] == "2027-01-04T12:16:00Z"


def test_restoring_the_key_sends_neither_attempts_in_flight_nor_future_ones() -> None:
    world = WebhookWorld()
    world.subscribe(url="https://a.partner.example/")
    world.subscribe(url="https://b.partner.example/")
    world.set_receiver("a.partner.example", mode="forward", to=TO)
    world.set_receiver("b.partner.example", script=[{"status": 500}])
    world.emit()
    for _ in range(3):
        timer = world.state.timers.peek()
        assert timer is not None
        world.state.fire(timer)
    remove_key(world)
    restore_key(world)
    assert len(world.attempts) == 2
    world.advance_until_idle()
    assert len(world.attempts) == 3


SECRETS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
TIMES = st.integers(0, 10**11)


def receiver_digest(secret: str, t: int, body: bytes) -> str:
    """The digest as documented for receivers, computed with the long form of hmac."""
    return hmac.new(secret.encode("utf-8"), str(t).encode("ascii") + b"." + body, hashlib.sha256).hexdigest()


def test_the_headers_have_the_documented_names() -> None:
    names = (signature.HEADER, signature.EVENT_HEADER, signature.EVENT_ID_HEADER)
    assert names == ("X-Service-Signature", "X-Service-Event", "X-Service-Event-Id")


def test_a_signature_matches_the_one_from_openssl() -> None:
    # From: printf '1798990800.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_4f9a
    header = sign("whsec_4f9a", 1_798_990_800, b'{"id":"evt_1"}')
    assert header == "t=1798990800,v1=c567297df7877b96eb284858843bc2654972f1fa0a9cc7d9f0174f0822049272"


@given(SECRETS, TIMES, st.binary())
def test_a_receiver_computes_the_same_digest_from_the_raw_body(secret: str, t: int, body: bytes) -> None:
    header = sign(secret, t, body)
    assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", header, re.ASCII)
    assert header == f"t={t},v1={receiver_digest(secret, t, body)}"
