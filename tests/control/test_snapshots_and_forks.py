"""Reset, forks, snapshots, and the fingerprint that compares worlds."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from tests.support.api_clients import PartnerClient
from tests.support.responses import status_and_code
from tests.support.worlds import World

Make = Callable[..., World]


def test_a_reset_world_equals_the_created_one(world: World) -> None:
    before = world.call_control("GET", "/fingerprint")
    world.partner().create_order()
    world.advance("3d")
    world.change_settings(partner__claim_expiry_days=3)
    world.add_fault({"status": 503})
    world.call_control("POST", "/snapshots", {"name": "later"})
    world.call_control("POST", "/reset")
    assert world.call_control("GET", "/fingerprint") == before
    assert world.call_control("GET", "/journal")["calls"] == []
    assert world.call_control("GET", "/snapshots")["snapshots"] == []
    assert world.mail() == []
    assert world.partner().get("/team-orders").json()["total"] == 0


def create_fork(world: World, **body: str) -> World:
    """Fork a world."""
    fork = copy(world)
    fork.description = world.call_control("POST", "/fork", body)
    fork.id, fork.credentials = fork.description["id"], fork.description["credentials"]
    return fork


def test_a_fork_has_the_same_state_and_future_but_its_own_keys(world: World) -> None:
    world.partner().create_order()
    fork = create_fork(world, id="fork-of-mine")
    assert fork.credentials["partner.prepaid"]["value"] == "pk_live_fork-of-mine_prepaid"
    assert fork.fingerprint() == world.fingerprint()
    for each in (world, fork):
        each.advance("1d")
        each.partner().create_order(idempotency_key="second")
    assert fork.fingerprint() == world.fingerprint()
    world.partner().create_order(idempotency_key="third")
    assert fork.partner().get("/team-orders").json()["total"] == 2
    fork.call_control("DELETE", "")


def test_a_fork_has_its_own_claim_links(world: World) -> None:
    world.partner().create_order()
    fork = create_fork(world)
    (original,), (forked,) = [[mail["links"] for mail in each.mail()] for each in (world, fork)]
    assert forked == [link.replace(f"/{world.id}/", f"/{fork.id}/") for link in original] != original
    fork.call_control("DELETE", "")


def test_a_fork_is_reset_to_its_creation(world: World) -> None:
    world.partner().create_order()
    fork = create_fork(world)
    before = fork.fingerprint()
    fork.advance("5d")
    fork.partner().create_order(idempotency_key="second")
    fork.call_control("POST", "/reset")
    assert fork.fingerprint() == before == world.fingerprint()
    fork.call_control("DELETE", "")


def test_a_restored_snapshot_equals_the_saved_world(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    partner.create_order()
    saved = world.call_control("POST", "/snapshots", {"name": "before"})
    nothing = dict.fromkeys(("calls", "orders", "events", "deliveries", "mail"), 0)
    assert saved == {"name": "before", "now": world.now, "calls": 2, "since": nothing}
    before = world.fingerprint()
    world.simulate("shipment", team_order_id=1001, to="shipped")
    world.advance("2d")
    assert world.deliveries()
    [listed] = world.call_control("GET", "/snapshots")["snapshots"]
    assert listed["since"] == {**nothing, "events": 3, "deliveries": 1}
    world.call_control("POST", "/snapshots/before/restore")
    assert world.fingerprint() == before
    assert world.deliveries() == []
    assert world.call_control("GET", "/snapshots")["snapshots"] == [saved]
    world.call_control("DELETE", "/snapshots/before")
    for method, path in (("POST", "/snapshots/before/restore"), ("DELETE", "/snapshots/before")):
        assert status_and_code(world.control.call(method, f"/worlds/{world.id}{path}")) == (404, "snapshot_not_found")


def test_a_world_keeps_a_hundred_snapshots(world: World) -> None:
    for n in range(100):
        world.call_control("POST", "/snapshots", {"name": f"s{n}"})
    more = world.control.post(f"/worlds/{world.id}/snapshots", {"name": "one-more"})
    assert status_and_code(more) == (400, "invalid_world")
    world.call_control("POST", "/snapshots", {"name": "s7"})
    world.call_control("DELETE", "/snapshots/s8")
    world.call_control("POST", "/snapshots", {"name": "one-more"})


def test_a_snapshot_can_be_restored_many_times(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "start"})
    fingerprints = []
    for _ in range(3):
        partner.create_order()
        world.advance("7d")
        fingerprints.append(world.fingerprint())
        world.call_control("POST", "/snapshots/start/restore")
    assert len(set(fingerprints)) == 1


def test_the_fingerprint_depends_on_seed_and_calls_but_not_on_the_world_id(new_world: Make) -> None:
    worlds = [new_world(seed=11), new_world(seed=11, id="named-otherwise")]
    for world in worlds:
        partner = world.partner()
        partner.subscribe("team_order.claimed")
        partner.create_order(return_claim_links=True)
        world.advance("2d")
    assert worlds[0].fingerprint() == worlds[1].fingerprint()
    assert new_world(seed=12).fingerprint() != new_world(seed=11).fingerprint()


def test_reading_through_the_control_api_does_not_change_the_fingerprint(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    before = world.fingerprint()
    paths = (
        "", "/clock", "/timers", "/settings", "/snapshots", "/receivers", "/deliveries", "/mail", "/journal", "/usage",
        "/undo", "/events", "/payments", "/ledger", "/parcels", "/orders", "/catalogue", "/accounts", "/faults",
        "/simulate",
    )  # fmt: skip
    for path in paths:
        world.call_control("GET", path)
    world.advance(by="9d", dry_run=True)
    assert world.fingerprint() == before


def test_control_calls_are_not_client_calls(world: World) -> None:
    world.partner().get("/team-orders")
    assert [world.call_control("GET", "/fingerprint")["calls"] for _ in range(3)] == [1, 1, 1]
    assert len(world.call_control("GET", "/journal")["calls"]) == 1
