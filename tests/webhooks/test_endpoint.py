"""Endpoints: creating, listing and disabling them (P-6.21 to P-6.24, P-8.3, P-8.4, B28, G26, G27)."""

from __future__ import annotations

import pytest

from giftsim.webhooks import delivery, endpoint
from giftsim.webhooks.endpoint import Endpoint, EndpointNotFound, InvalidEvents, TooManyEndpoints
from giftsim.webhooks.event import PARTNER_KINDS
from giftsim.webhooks.url_rules import InvalidUrl
from tests.claims import claims
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


@claims("P-6.21", "P-6.22", "P-6.23")
@pytest.mark.parametrize("url", ["http://a.example/", "https://93.184.216.34/", "https://u:p@a.example/", 7, None])
def test_an_invalid_url_creates_no_endpoint(url: object) -> None:
    world = WebhookWorld()
    with pytest.raises(InvalidUrl) as caught, world.state.transaction():
        endpoint.create(world.state, owner="account 0", key="k", url=url, kinds=[SHIPPED], known=PARTNER_KINDS)
    assert (caught.value.status, caught.value.code) == (400, "invalid_url")
    assert world.endpoints == []


@claims("P-6.24")
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
        endpoint.create(
            world.state, owner="account 0", key="k", url="https://a.example/", kinds=kinds, known=PARTNER_KINDS
        )
    assert (caught.value.status, caught.value.code) == (400, "invalid_events")
    assert world.endpoints == []


def test_duplicate_kinds_are_dropped() -> None:
    world = WebhookWorld()
    assert world.subscribe(SHIPPED, SHIPPED).kinds == (SHIPPED,)


@claims("P-8.3")
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
    assert endpoint.find(world.state, "account 0", first.id).status == "disabled"
    with pytest.raises(EndpointNotFound):
        endpoint.find_enabled(world.state, "account 0", first.id)


@pytest.mark.parametrize("endpoint_id", [0, -1, 2, 3, 10**20])
def test_an_endpoint_of_another_owner_is_not_found(endpoint_id: int) -> None:
    world = WebhookWorld()
    world.subscribe()
    world.subscribe(owner="account 1")
    with pytest.raises(EndpointNotFound) as caught:
        endpoint.find(world.state, "account 0", endpoint_id)
    assert (caught.value.status, caught.value.code) == (404, "endpoint_not_found")


@claims("P-4.15")
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


@claims("P-8.4")
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
