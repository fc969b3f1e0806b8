"""Undo: the world as it was before the last client call that changed anything (G40)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.event_log.events import ClientCall
from giftsim.event_log.log import MAX_EVENTS, EventLog
from giftsim.gateway.in_process_client import Response
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO
from tests.support.worlds import World


def undo(world: World, **body: int) -> Any:
    """Take writes back; the paths of the calls that are gone, newest first."""
    return [call["path"] for call in world.call_control("POST", "/undo", body)["undone"]]


def refused(world: World, **body: int) -> Response:
    return world.control.post(f"/worlds/{world.id}/undo", body)


def looked_at(world: World) -> Any:
    """All that is compared: the state, and what people read of it."""
    return [world.call_control("GET", what) for what in ("/fingerprint", "/journal", "/mail", "/deliveries", "/clock")]


def ordered(partner: PartnerClient, key: str) -> int:
    order_id: int = partner.create_order(idempotency_key=key).json()["team_order"]["id"]
    return order_id


def test_the_last_write_is_taken_back_with_all_that_came_after_it(world: World, partner: PartnerClient) -> None:
    ordered(partner, "a")
    world.advance("3d")
    before = looked_at(world)
    order_id = ordered(partner, "b")
    world.simulate("claim", team_order_id=order_id, recipient=0, address=RENO)
    world.change_settings(museum__strict_dates=False)
    world.advance("30d")
    assert undo(world) == ["/api/external/team-orders"]
    assert looked_at(world) == before


def test_again_it_goes_one_further_back_and_many_at_once_are_the_same(world: World, partner: PartnerClient) -> None:
    before = looked_at(world)
    partner.subscribe("team_order.claimed")
    ordered(partner, "a")
    ordered(partner, "b")
    assert undo(world) == ["/api/external/team-orders"]
    assert undo(world, count=2) == ["/api/external/team-orders", "/api/external/webhooks"]
    assert looked_at(world) == before


def test_reads_refusals_and_replays_are_no_writes(world: World, partner: PartnerClient) -> None:
    ordered(partner, "a")
    partner.get("/team-orders")
    assert partner.create_order(idempotency_key="bad", items=[]).status == 400
    ordered(partner, "a")
    assert undo(world) == ["/api/external/team-orders"]
    assert partner.get("/team-orders").json()["team_orders"] == []


def test_a_call_that_only_met_a_fault_is_no_write(world: World, partner: PartnerClient) -> None:
    ordered(partner, "a")
    world.add_fault({"status": 503}, when={"first": 2})
    assert partner.get("/team-orders").status == 503
    assert partner.create_order(idempotency_key="b").status == 503
    undo(world)
    assert partner.get("/team-orders").json()["team_orders"] == []


def test_a_refusal_that_leaves_an_order_is_a_write(world: World) -> None:
    poor = world.partner("partner.no_funds")
    before = looked_at(world)
    assert poor.create_order().status == 402
    assert undo(world) == ["/api/external/team-orders"]
    assert looked_at(world) == before


def test_what_is_done_after_an_undo_is_done_as_if_nothing_had_been(
    new_world: Callable[..., World],
) -> None:
    world, twin = new_world(), new_world()
    for each in (world, twin):
        ordered(each.partner(), "a")
    ordered(world.partner(), "b")
    undo(world)
    for each in (world, twin):
        ordered(each.partner(), "c")
        each.advance("3d")
    assert world.call_control("GET", "/fingerprint") == twin.call_control("GET", "/fingerprint")


def test_a_fork_takes_back_what_it_has_from_its_parent_and_the_parent_keeps_it(
    world: World, partner: PartnerClient
) -> None:
    before = world.call_control("GET", "/fingerprint")
    ordered(partner, "a")
    after = world.call_control("GET", "/fingerprint")
    fork = world.call_control("POST", "/fork", {})["id"]
    world.json_of(world.control.post(f"/worlds/{fork}/undo"))
    assert world.json_of(world.control.get(f"/worlds/{fork}/fingerprint")) == before
    assert world.call_control("GET", "/fingerprint") == after
    world.control.delete(f"/worlds/{fork}")


def test_a_guests_claim_is_taken_back_as_well(world: World, partner: PartnerClient) -> None:
    ordered(partner, "a")
    before = looked_at(world)
    [mail] = world.call_control("GET", "/mail")["mail"]
    link = "/" + mail["links"][0].split("/", 3)[3]
    assert world.client.call("POST", link, body={"address": RENO}).status == 200
    [path] = undo(world)
    assert path.startswith(f"/claim/{world.id}/***")
    assert looked_at(world) == before


def test_a_restored_snapshot_is_where_undo_goes_on_from(world: World, partner: PartnerClient) -> None:
    ordered(partner, "a")
    world.call_control("POST", "/snapshots", {"name": "kept"})
    ordered(partner, "b")
    world.call_control("POST", "/snapshots/kept/restore")
    restored = world.call_control("GET", "/fingerprint")
    ordered(partner, "c")
    undo(world)
    assert world.call_control("GET", "/fingerprint") == restored


def test_snapshots_of_what_is_taken_back_are_gone_with_it(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "before"})
    ordered(partner, "a")
    world.call_control("POST", "/snapshots", {"name": "after"})
    undo(world)
    assert [kept["name"] for kept in world.call_control("GET", "/snapshots")["snapshots"]] == ["before"]


def test_a_reset_forgets_what_could_be_taken_back(world: World, partner: PartnerClient) -> None:
    ordered(partner, "a")
    world.call_control("POST", "/reset")
    assert refused(world).json()["error"]["code"] == "nothing_to_undo"


def test_more_than_there_is_takes_nothing_back(world: World, partner: PartnerClient) -> None:
    ordered(partner, "a")
    before = looked_at(world)
    response = refused(world, count=2)
    assert response.status == 409
    assert response.json()["error"]["message"] == (f"world {world.id} has 1 client writes to undo, not 2")
    assert looked_at(world) == before


@pytest.mark.parametrize("count", [0, 1001, True])
def test_a_count_that_means_nothing_is_refused(world: World, count: int) -> None:
    assert refused(world, count=count).status == 400


def test_a_world_that_grew_past_the_bound_says_that_its_start_is_gone() -> None:
    log = EventLog("w1")
    for _ in range(MAX_EVENTS + 5):
        log.add(ClientCall(path="/"))
    assert log.dropped == 5
    assert log.path_to(MAX_EVENTS) is None
    assert log.next_n == MAX_EVENTS + 6


def test_an_order_that_was_taken_back_can_be_made_again_with_its_key(world: World, partner: PartnerClient) -> None:
    first = partner.create_order(idempotency_key="a")
    undo(world)
    again = partner.create_order(idempotency_key="a", gift_sender="Bea")
    assert again.status == 201
    assert again.json()["team_order"]["id"] == first.json()["team_order"]["id"]
