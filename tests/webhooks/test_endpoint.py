"""Who may subscribe to what, and how that ends: P-6.21 to P-6.24, P-7.28, P-8.3, B28 to B30, G26, G27."""

from __future__ import annotations

import pytest

from giftsim.webhooks import delivery, endpoint
from giftsim.webhooks.endpoint import Endpoint, EndpointNotFound, InvalidEvents, TooManyEndpoints
from giftsim.webhooks.event import PARTNER_KINDS
from giftsim.webhooks.url_rules import InvalidUrl
from tests.claims import claims
from tests.support.webhook_world import SHIPPED, WebhookWorld


def disable(scene: WebhookWorld, target: Endpoint) -> Endpoint:
    with scene.state.transaction():
        return delivery.disable_endpoint(scene.state, target)


def test_an_endpoint_is_enabled_and_has_an_id_and_a_secret_of_its_own() -> None:
    scene = WebhookWorld()
    first, second = scene.subscribe(), scene.subscribe()
    assert (first.status, first.id != second.id, first.secret != second.secret) == ("active", True, True)
    assert first.secret.startswith("whsec_")
    assert first.kinds == PARTNER_KINDS


@claims("P-6.21", "P-6.22", "P-6.23")
@pytest.mark.parametrize("url", ["http://a.example/", "https://93.184.216.34/", "https://u:p@a.example/", 7, None])
def test_a_bad_url_makes_no_endpoint(url: object) -> None:
    scene = WebhookWorld()
    with pytest.raises(InvalidUrl) as caught, scene.state.transaction():
        endpoint.create(scene.state, owner="account 0", key="k", url=url, kinds=[SHIPPED], known=PARTNER_KINDS)
    assert (caught.value.status, caught.value.code) == (400, "invalid_url")
    assert scene.endpoints == []


@claims("P-6.24")
@pytest.mark.parametrize("addresses", [["10.0.0.5"], ["93.184.215.14", "127.0.0.1"], ["169.254.0.1"], ["::1"], []])
def test_a_host_that_resolves_to_anything_but_public_addresses_makes_no_endpoint(addresses: list[str]) -> None:
    scene = WebhookWorld()
    scene.set_receiver(addresses=addresses)
    with pytest.raises(InvalidUrl):
        scene.subscribe()
    assert scene.endpoints == []


def test_other_ports_than_443_are_a_choice_of_the_world() -> None:
    scene = WebhookWorld()
    with pytest.raises(InvalidUrl):
        scene.subscribe(url="https://a.example:8443/")
    scene.change_setting("webhooks.url_ports", [443, 8443])
    scene.subscribe(url="https://a.example:8443/")
    scene.emit()
    scene.advance_until_idle()
    assert scene.control_row(1)["request"]["headers"]["Host"] == "a.example:8443"


@pytest.mark.parametrize("kinds", [None, [], "team_order.shipped", ["team_order.exploded"], [SHIPPED, 5], {}])
def test_a_bad_list_of_events_makes_no_endpoint(kinds: object) -> None:
    scene = WebhookWorld()
    with pytest.raises(InvalidEvents) as caught, scene.state.transaction():
        endpoint.create(
            scene.state, owner="account 0", key="k", url="https://a.example/", kinds=kinds, known=PARTNER_KINDS
        )
    assert (caught.value.status, caught.value.code) == (400, "invalid_events")
    assert scene.endpoints == []


def test_a_kind_named_twice_is_heard_once() -> None:
    scene = WebhookWorld()
    assert scene.subscribe(SHIPPED, SHIPPED).kinds == (SHIPPED,)


@claims("P-8.3")
def test_a_key_holds_ten_endpoints_and_another_key_is_not_hindered() -> None:
    scene = WebhookWorld()
    made = [scene.subscribe() for _ in range(10)]
    with pytest.raises(TooManyEndpoints) as caught:
        scene.subscribe()
    assert (caught.value.status, caught.value.code) == (409, "too_many_endpoints")
    scene.subscribe(key="another")
    disable(scene, made[3])
    scene.subscribe()


def test_endpoints_are_seen_by_their_owner_whatever_key_made_them() -> None:
    scene = WebhookWorld()
    first, second = scene.subscribe(key="a"), scene.subscribe(key="b")
    scene.subscribe(owner="account 1")
    disable(scene, first)
    assert [row.id for row in endpoint.list_endpoints(scene.state, "account 0")] == [first.id, second.id]
    assert endpoint.find(scene.state, "account 0", first.id).status == "disabled"
    with pytest.raises(EndpointNotFound):
        endpoint.find_enabled(scene.state, "account 0", first.id)


@pytest.mark.parametrize("endpoint_id", [0, -1, 2, 3, 10**20])
def test_an_endpoint_of_another_owner_is_not_found(endpoint_id: int) -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.subscribe(owner="account 1")
    with pytest.raises(EndpointNotFound) as caught:
        endpoint.find(scene.state, "account 0", endpoint_id)
    assert (caught.value.status, caught.value.code) == (404, "endpoint_not_found")


@claims("P-4.15")
def test_a_disabled_endpoint_hears_nothing_more_and_its_retries_are_dropped() -> None:
    scene = WebhookWorld()
    target = scene.subscribe()
    scene.set_receiver(then={"status": 500})
    scene.emit()
    scene.advance("40m")
    scene.emit()
    disabled = disable(scene, target)
    assert (disabled.status, disabled.pending, disabled.dead) == ("disabled", 0, 0)
    scene.emit()
    scene.advance_until_idle()
    assert len(scene.attempts) == 1
    assert [row.status for row in scene.deliveries] == ["dropped"]
    assert disable(scene, disabled) == disabled


@claims("P-8.4")
def test_the_detail_shows_the_last_fifty_deliveries_newest_first() -> None:
    scene = WebhookWorld()
    target = scene.subscribe()
    for subject in range(60):
        scene.emit(subject=subject)
    scene.advance("1h")
    shown = delivery.list_latest(scene.state, target.n)
    assert [row.n for row in shown] == list(range(59, 9, -1))


def test_counts_tell_pending_and_dead_deliveries_apart() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(then={"status": 500})
    scene.emit()
    scene.advance("5d")
    scene.emit()
    scene.emit()
    scene.advance("1h")
    assert [(row.pending, row.dead) for row in scene.endpoints] == [(2, 1)]
