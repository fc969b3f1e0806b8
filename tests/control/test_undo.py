"""Undo: the world returns to its state before the last client call that changed it (G40)."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from giftsim.engine.log.inputs import ClientCall
from giftsim.engine.log.log import MAX_EVENTS, EventLog
from tests.support.api_clients import PartnerClient
from tests.support.http_receiver import OK_RESPONSE, HttpReceiver, http_receiver
from tests.support.orders import RENO
from tests.support.responses import error_code
from tests.support.waiting import wait_until
from tests.support.worlds import World

WAIT_S = 10.0


def undo(world: World, **body: int) -> Any:
    """Undo client writes; the paths of the undone calls, newest first."""
    return [call["path"] for call in world.call_control("POST", "/undo", body)["undone"]]


def post_undo(world: World, **body: int) -> Response:
    """The response to an undo."""
    return world.control.post(f"/worlds/{world.id}/undo", body)


def observed(world: World) -> Any:
    """The fingerprint of a world and the lists that users read."""
    return [world.call_control("GET", path) for path in ("/fingerprint", "/calls", "/mail", "/deliveries", "/clock")]


def create_order(partner: PartnerClient, key: str) -> int:
    """Create an order with an idempotency key; its id."""
    order_id: int = partner.create_order(idempotency_key=key).json()["team_order"]["id"]
    return order_id


def undoable(world: World, query: str = "") -> Any:
    """The writes that an undo takes back, newest first."""
    return world.call_control("GET", f"/undo{query}")["undo"]


def test_the_writes_that_can_be_undone_are_listed_newest_first(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    create_order(partner, "a")
    partner.get("/team-orders")
    order = create_order(partner, "b")
    [mail, *_] = reversed(world.call_control("GET", "/mail")["mail"])
    assert world.claim(mail["links"][0].rpartition("/")[2]).status == 200
    rows = undoable(world)
    assert [(row["n"], row["operation"], row["credential"], row["call"]) for row in rows] == [
        (1, None, None, None),
        (2, "createTeamOrder", "partner.prepaid", 4),
        (3, "createTeamOrder", "partner.prepaid", 2),
        (4, "createWebhook", "partner.prepaid", 1),
    ]
    assert rows[0]["path"].startswith(f"/claim/{world.id}/***")
    assert [row["n"] for row in undoable(world, "?after=1&limit=2")] == [2, 3]
    undo(world, count=2)
    assert [row["call"] for row in undoable(world)] == [2, 1]
    assert partner.get(f"/team-orders/{order}").status == 404


def test_the_fork_of_a_world_lists_the_writes_of_its_parent(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    fork = world.call_control("POST", "/fork", {})["id"]
    [row] = world.json_of(world.control.get(f"/worlds/{fork}/undo"))["undo"]
    assert (row["operation"], row["credential"], row["call"]) == ("createTeamOrder", "partner.prepaid", None)
    world.control.delete(f"/worlds/{fork}")


def test_the_last_write_is_undone_with_everything_after_it(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    world.advance("3d")
    before = observed(world)
    order_id = create_order(partner, "b")
    world.simulate("claim", team_order_id=order_id, recipient=0, address=RENO)
    world.change_settings(museum__strict_dates=False)
    world.advance("30d")
    assert undo(world) == ["/api/external/team-orders"]
    assert observed(world) == before


def test_writes_are_undone_one_by_one_or_several_at_once(world: World, partner: PartnerClient) -> None:
    before = observed(world)
    partner.subscribe("team_order.claimed")
    create_order(partner, "a")
    create_order(partner, "b")
    assert undo(world) == ["/api/external/team-orders"]
    assert undo(world, count=2) == ["/api/external/team-orders", "/api/external/webhooks"]
    assert observed(world) == before


def test_reads_refusals_and_idempotent_replays_are_not_writes(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    partner.get("/team-orders")
    assert partner.create_order(idempotency_key="bad", items=[]).status == 400
    create_order(partner, "a")
    assert undo(world) == ["/api/external/team-orders"]
    assert partner.get("/team-orders").json()["team_orders"] == []


def test_a_call_refused_by_a_fault_is_not_a_write(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    world.add_fault({"status": 503}, when={"first": 2})
    assert partner.get("/team-orders").status == 503
    assert partner.create_order(idempotency_key="b").status == 503
    undo(world)
    assert partner.get("/team-orders").json()["team_orders"] == []


def test_a_refusal_that_created_an_order_is_a_write(world: World) -> None:
    poor = world.partner("partner.no_funds")
    before = observed(world)
    assert poor.create_order().status == 402
    assert undo(world) == ["/api/external/team-orders"]
    assert observed(world) == before


def actions(world: World) -> list[tuple[str, str]]:
    """Kind and summary of all that can be undone, newest first."""
    return [(row["kind"], row["summary"]) for row in undoable(world, "?all=true")]


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_everything_that_was_done_is_listed_and_undone_row_by_row(world: World, partner: PartnerClient) -> None:
    seen = [observed(world)]
    for act in (
        lambda: create_order(partner, "a"),
        lambda: world.simulate("claim", team_order_id=1001, recipient=0, address=RENO),
        lambda: world.advance("1d"),
        lambda: world.call_control("POST", "/snapshots", {"name": "kept"}),
        lambda: world.change_settings(museum__strict_dates=False),
        lambda: world.call_control("POST", "/snapshots/kept/restore"),
        lambda: world.call_control("PUT", "/clock", {"mode": "manual"}),
        lambda: world.call_control("DELETE", "/snapshots/kept"),
    ):
        act()
        seen.append(observed(world))
    assert actions(world) == [
        ("snapshot", "the snapshot kept was deleted"),
        ("clock", "the clock was stopped"),
        ("snapshot", "the snapshot kept was restored"),
        ("control", "Change settings, all or none"),
        ("snapshot", "the snapshot kept was saved"),
        ("clock", "the clock was advanced from 2027-01-04T09:00:00Z to 2027-01-05T09:00:00Z"),
        ("control", "Claim a gift as a recipient, by entering an address"),
        ("call", "POST /api/external/team-orders"),
    ]
    for before in reversed(seen[:-1]):
        undo(world, to=undoable(world, "?all=true")[0]["to"])
        assert observed(world) == before
    assert undoable(world, "?all=true") == []


def test_an_undo_to_a_change_takes_back_what_others_did_since(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    before, last = observed(world), world.call_control("GET", "/changes?from=now")["next"]
    world.advance("3d")
    create_order(partner, "b")
    partner.get("/team-orders")
    assert undo(world, to=last) == ["/api/external/team-orders"]
    assert observed(world) == before
    (rewound,) = world.call_control("GET", f"/changes?after={last}")["changes"]
    assert (rewound["kind"], rewound["to"]) == ("rewound", last)


def test_an_undo_to_the_same_change_works_again_and_again_in_a_world_where_nothing_is_left(
    world: World, partner: PartnerClient
) -> None:
    before = observed(world)
    create_order(partner, "a")
    undo(world)
    last = world.call_control("GET", "/changes?from=now")["next"]
    for _ in range(3):
        world.advance("3d")
        assert undo(world, to=last) == []
        assert observed(world) == before


def test_an_undo_to_a_change_within_a_call_keeps_the_whole_call(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    before = observed(world)
    call, mail = world.call_control("GET", "/changes")["changes"]
    assert (call["kind"], mail["kind"]) == ("call", "mail")
    world.advance("1d")
    undo(world, to=call["n"])
    assert observed(world) == before


def test_an_undo_to_a_change_that_is_gone_is_refused(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    (gone, _) = (each["n"] for each in world.call_control("GET", "/changes")["changes"])
    undo(world, to=0)
    last = world.call_control("GET", "/changes?from=now")["next"]
    create_order(partner, "b")
    for to, reason in (
        (gone, "it was undone, or is too long ago"),
        (-1, "it was undone, or is too long ago"),
        (last + 2, f"nothing has happened in world {world.id} after change {last + 2}"),
        (10**9, "nothing has"),
    ):
        response = post_undo(world, to=to)
        assert error_code(response, 409) == "nothing_to_undo"
        assert reason in response.json()["error"]["message"]
    world.call_control("POST", "/reset")
    assert error_code(post_undo(world, to=last), 409) == "nothing_to_undo"
    assert post_undo(world, to=last, count=1).status == 400


def test_a_fork_undoes_what_its_parent_did_under_negative_numbers(world: World, partner: PartnerClient) -> None:
    before = world.fingerprint()
    create_order(partner, "a")
    world.advance("1d")
    fork = world.call_control("POST", "/fork", {})["id"]
    rows = world.json_of(world.control.get(f"/worlds/{fork}/undo?all=true"))["undo"]
    assert [row["kind"] for row in rows] == ["clock", "call"]
    assert rows[1]["to"] < rows[0]["to"] < 0
    world.json_of(world.control.post(f"/worlds/{fork}/undo", {"to": rows[1]["to"]}))
    assert world.json_of(world.control.get(f"/worlds/{fork}/fingerprint"))["sha256"] == before
    world.control.delete(f"/worlds/{fork}")


def test_a_snapshot_that_was_replaced_comes_back(world: World, partner: PartnerClient) -> None:
    for name in ("first", "kept", "last"):
        world.call_control("POST", "/snapshots", {"name": name})
    before = world.call_control("GET", "/snapshots")
    create_order(partner, "a")
    world.call_control("POST", "/snapshots", {"name": "kept"})
    world.call_control("DELETE", "/snapshots/kept")
    undo(world)
    assert world.call_control("GET", "/snapshots") == before


def test_a_world_after_an_undo_equals_one_where_the_call_was_never_made(
    new_world: Callable[..., World],
) -> None:
    world, twin = new_world(), new_world()
    for each in (world, twin):
        create_order(each.partner(), "a")
    create_order(world.partner(), "b")
    undo(world)
    for each in (world, twin):
        create_order(each.partner(), "c")
        each.advance("3d")
    assert world.call_control("GET", "/fingerprint") == twin.call_control("GET", "/fingerprint")


def test_a_fork_of_a_world_that_was_reset_undoes_no_more_than_that_world(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    fork = world.call_control("POST", "/fork", {})["id"]
    world.json_of(world.control.post(f"/worlds/{fork}/reset"))
    fork_of_fork = world.json_of(world.control.post(f"/worlds/{fork}/fork", {}))["id"]
    for each in (fork, fork_of_fork):
        assert error_code(world.control.post(f"/worlds/{each}/undo"), 409) == "nothing_to_undo"
        world.control.delete(f"/worlds/{each}")


def test_a_fork_can_undo_a_write_of_its_parent_and_the_parent_keeps_it(world: World, partner: PartnerClient) -> None:
    before = world.call_control("GET", "/fingerprint")
    create_order(partner, "a")
    after = world.call_control("GET", "/fingerprint")
    fork = world.call_control("POST", "/fork", {})["id"]
    world.json_of(world.control.post(f"/worlds/{fork}/undo"))
    assert world.json_of(world.control.get(f"/worlds/{fork}/fingerprint")) == before
    assert world.call_control("GET", "/fingerprint") == after
    world.control.delete(f"/worlds/{fork}")


def test_a_claim_on_the_claim_page_is_undone(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    before = observed(world)
    [mail] = world.call_control("GET", "/mail")["mail"]
    link = "/" + mail["links"][0].split("/", 3)[3]
    assert world.client.call("POST", link, body={"address": RENO}).status == 200
    [path] = undo(world)
    assert path.startswith(f"/claim/{world.id}/***")
    assert observed(world) == before


def test_undo_after_a_restore_returns_to_the_snapshot(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    world.call_control("POST", "/snapshots", {"name": "kept"})
    create_order(partner, "b")
    world.call_control("POST", "/snapshots/kept/restore")
    restored = world.call_control("GET", "/fingerprint")
    create_order(partner, "c")
    undo(world)
    assert world.call_control("GET", "/fingerprint") == restored


def test_undo_deletes_snapshots_saved_after_the_undone_call(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "before"})
    create_order(partner, "a")
    world.call_control("POST", "/snapshots", {"name": "after"})
    undo(world)
    assert [snapshot["name"] for snapshot in world.call_control("GET", "/snapshots")["snapshots"]] == ["before"]


def test_nothing_can_be_undone_after_a_reset(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    world.call_control("POST", "/reset")
    assert post_undo(world).json()["error"]["code"] == "nothing_to_undo"


def test_undoing_more_writes_than_there_are_is_refused(world: World, partner: PartnerClient) -> None:
    create_order(partner, "a")
    before = observed(world)
    response = post_undo(world, count=2)
    assert response.status == 409
    assert response.json()["error"]["message"] == (f"world {world.id} has 1 client writes to undo, not 2")
    assert observed(world) == before


@pytest.mark.parametrize("count", [0, 1001, True])
def test_an_invalid_count_is_refused(world: World, count: int) -> None:
    assert post_undo(world, count=count).status == 400


def test_a_log_that_dropped_events_has_no_path_from_its_start() -> None:
    log = EventLog("w1")
    for _ in range(MAX_EVENTS + 5):
        log.add(ClientCall(path="/"))
    assert log.dropped == 5
    assert log.path_to(MAX_EVENTS) is None
    assert log.next_n == MAX_EVENTS + 6


def test_an_undone_order_can_be_created_again_with_the_same_idempotency_key(
    world: World, partner: PartnerClient
) -> None:
    first = partner.create_order(idempotency_key="a")
    undo(world)
    again = partner.create_order(idempotency_key="a", gift_sender="Bea")
    assert again.status == 201
    assert again.json()["team_order"]["id"] == first.json()["team_order"]["id"]


def test_a_delivery_that_was_under_way_at_the_instant_of_return_is_sent_again(
    world: World, partner: PartnerClient
) -> None:
    def wait_the_first_time(connection: socket.socket, receiver: HttpReceiver) -> None:
        while receiver.read(connection) is not None:
            if len(receiver.requests) == 1:
                receiver.released.wait(WAIT_S)
            connection.sendall(OK_RESPONSE)

    with http_receiver(wait_the_first_time) as receiver:
        partner.subscribe("team_order.claimed")
        order = create_order(partner, "a")
        world.simulate("claim", team_order_id=order, recipient=0)
        world.advance("1h")
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        world.call_control("POST", "/deliveries/1/resend")
        wait_until(lambda: bool(receiver.requests))
        create_order(partner, "b")
        receiver.released.set()
        assert [row["outcome"] for row in world.deliveries()] == ["delivered", "delivered"]
        undo(world)
        assert [row["outcome"] for row in world.deliveries()] == ["delivered", "delivered"]
        assert receiver.requests[0].partition(b"\r\n\r\n")[2] == receiver.requests[1].partition(b"\r\n\r\n")[2]
