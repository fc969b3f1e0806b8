"""Copies of a world in time: reset, fork, snapshot and restore, and the fingerprint that tells them apart."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from tests.support.api_clients import PartnerClient
from tests.support.responses import status_and_code
from tests.support.worlds import World

Make = Callable[..., World]


def test_reset_gives_back_exactly_what_was_created(world: World) -> None:
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


def fork_of(world: World, **body: str) -> World:
    """A fork, in a tester's hands like its parent."""
    twin = copy(world)
    twin.description = world.call_control("POST", "/fork", body)
    twin.id, twin.credentials = twin.description["id"], twin.description["credentials"]
    return twin


def test_a_fork_has_the_same_state_and_the_same_future_and_its_own_keys(world: World) -> None:
    world.partner().create_order()
    twin = fork_of(world, id="fork-of-mine")
    assert twin.credentials["partner.prepaid"]["value"] == "pk_live_fork-of-mine_prepaid"
    assert twin.fingerprint() == world.fingerprint()
    for each in (world, twin):
        each.advance("1d")
        each.partner().create_order(idempotency_key="second")
    assert twin.fingerprint() == world.fingerprint()
    world.partner().create_order(idempotency_key="third")
    assert twin.partner().get("/team-orders").json()["total"] == 2
    twin.call_control("DELETE", "")


def test_a_fork_hands_out_its_own_claim_links(world: World) -> None:
    world.partner().create_order()
    twin = fork_of(world)
    (mine,), (its,) = [[mail["links"] for mail in each.mail()] for each in (world, twin)]
    assert its == [link.replace(f"/{world.id}/", f"/{twin.id}/") for link in mine] != mine
    twin.call_control("DELETE", "")


def test_a_fork_is_reset_to_the_moment_it_was_made(world: World) -> None:
    world.partner().create_order()
    twin = fork_of(world)
    before = twin.fingerprint()
    twin.advance("5d")
    twin.partner().create_order(idempotency_key="second")
    twin.call_control("POST", "/reset")
    assert twin.fingerprint() == before == world.fingerprint()
    twin.call_control("DELETE", "")


def test_a_snapshot_brings_back_clock_timers_inbox_and_all(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    partner.create_order()
    saved = world.call_control("POST", "/snapshots", {"name": "before"})
    assert saved == {"name": "before", "now": world.now, "calls": 2}
    before = world.fingerprint()
    world.simulate("shipment", team_order_id=1001, to="shipped")
    world.advance("2d")
    assert world.deliveries()
    world.call_control("POST", "/snapshots/before/restore")
    assert world.fingerprint() == before
    assert world.deliveries() == []
    assert world.call_control("GET", "/snapshots")["snapshots"] == [saved]
    world.call_control("DELETE", "/snapshots/before")
    for method, path in (("POST", "/snapshots/before/restore"), ("DELETE", "/snapshots/before")):
        assert status_and_code(world.control.call(method, f"/worlds/{world.id}{path}")) == (404, "snapshot_not_found")


def test_a_snapshot_can_be_restored_again_and_again(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "start"})
    prints = []
    for _ in range(3):
        partner.create_order()
        world.advance("7d")
        prints.append(world.fingerprint())
        world.call_control("POST", "/snapshots/start/restore")
    assert len(set(prints)) == 1


def test_the_same_seed_and_calls_give_the_same_fingerprint_whatever_the_world_is_called(new_world: Make) -> None:
    worlds = [new_world(seed=11), new_world(seed=11, id="named-otherwise")]
    for world in worlds:
        partner = world.partner()
        partner.subscribe("team_order.claimed")
        partner.create_order(return_claim_links=True)
        world.advance("2d")
    assert worlds[0].fingerprint() == worlds[1].fingerprint()
    assert new_world(seed=12).fingerprint() != new_world(seed=11).fingerprint()


def test_reading_through_the_control_plane_changes_no_fingerprint(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    before = world.fingerprint()
    paths = (
        "", "/clock", "/timers", "/settings", "/snapshots", "/receivers", "/deliveries", "/mail", "/journal", "/usage",
        "/events", "/payments", "/ledger", "/parcels", "/orders", "/catalogue", "/accounts", "/faults", "/simulate",
    )  # fmt: skip
    for path in paths:
        world.call_control("GET", path)
    world.advance(by="9d", dry_run=True)
    assert world.fingerprint() == before


def test_control_calls_are_not_client_calls(world: World) -> None:
    world.partner().get("/team-orders")
    assert [world.call_control("GET", "/fingerprint")["calls"] for _ in range(3)] == [1, 1, 1]
    assert len(world.call_control("GET", "/journal")["calls"]) == 1
