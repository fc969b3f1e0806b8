"""Redo: what the last undo took away comes back exactly, unless something new has happened since (G410)."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from giftsim.engine.worlds.taken_away import MAX_STRETCHES
from tests.support.api_clients import PartnerClient
from tests.support.http_receiver import OK_RESPONSE, HttpReceiver, http_receiver
from tests.support.responses import error_code
from tests.support.waiting import wait_until
from tests.support.worlds import ExistingWorld, World

WAIT_S = 10.0
LISTS = ("fingerprint", "orders", "events", "deliveries", "mail", "calls", "ledger", "snapshots", "timers", "clock")


def post_redo(world: World) -> Response:
    """The response to a redo."""
    return world.control.post(f"/worlds/{world.id}/redo", {})


def redoable(world: World) -> Any:
    """What a redo would bring back."""
    return world.call_control("GET", "/undo")["redo"]


def seen(world: World) -> list[bytes]:
    """The lists of a world, byte by byte."""
    return [world.control.get(f"/worlds/{world.id}/{name}").body for name in LISTS]


def undo_last(world: World) -> None:
    """Undo whatever was done last."""
    [last] = world.call_control("GET", "/undo?all=true&limit=1")["undo"]
    world.call_control("POST", "/undo", {"to": last["to"]})


def test_a_redo_brings_back_all_that_an_undo_took_away(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.create_order(idempotency_key="a")
    world.call_control("POST", "/snapshots", {"name": "kept"})
    world.advance("3d")
    partner.get("/team-orders")
    before, done = seen(world), world.call_control("GET", "/undo?all=true")["undo"]
    world.call_control("POST", "/undo", {"count": 1})
    assert seen(world) != before
    assert redoable(world) == {
        "summary": "POST /api/external/team-orders, and 2 more", "actions": 3,
        "at": "2027-01-04T09:00:00Z", "to_at": "2027-01-07T09:00:00Z",
    }  # fmt: skip
    redone = World.json_of(post_redo(world))
    assert [call["path"] for call in redone["redone"]] == ["/api/external/team-orders"]
    assert redone["now"] == "2027-01-07T09:00:00Z"
    assert seen(world) == before
    again = world.call_control("GET", "/undo?all=true")["undo"]
    assert [{**row, "to": 0} for row in again] == [{**row, "to": 0} for row in done]


def test_what_came_back_can_be_undone_again(world: World, partner: PartnerClient) -> None:
    start = seen(world)
    partner.create_order(idempotency_key="a")
    world.advance("1d")
    before = seen(world)
    for _ in range(3):
        undo_last(world)
        undo_last(world)
        assert seen(world) == start
        assert (post_redo(world).status, post_redo(world).status) == (200, 200)
        assert seen(world) == before
    world.call_control("POST", "/undo", {"count": 1})
    assert seen(world) == start


def test_after_several_undos_each_redo_brings_back_one(world: World) -> None:
    states = []
    for _ in range(3):
        states.append(seen(world))
        world.advance("1d")
    for state in reversed(states):
        undo_last(world)
        assert seen(world) == state
    for state in states:
        assert seen(world) == state
        assert post_redo(world).status == 200
    refused = post_redo(world)
    assert error_code(refused, 409) == "nothing_to_redo"


def test_a_world_keeps_the_last_undos_only(world: World) -> None:
    for _ in range(MAX_STRETCHES + 2):
        world.advance("1h")
    for _ in range(MAX_STRETCHES + 2):
        undo_last(world)
    redone = [post_redo(world).status for _ in range(MAX_STRETCHES + 1)]
    assert redone == [200] * MAX_STRETCHES + [409]
    assert world.now == f"2027-01-04T{9 + MAX_STRETCHES:02}:00:00Z"


@pytest.mark.parametrize("new", ["a call", "an action", "an advance", "a snapshot", "a restore", "a reset", "a rate"])
def test_after_anything_new_nothing_comes_back(new: str, world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "kept"})
    partner.create_order(idempotency_key="a")
    undo_last(world)
    assert redoable(world)
    match new:
        case "a call":
            partner.create_order(idempotency_key="b")
        case "an action":
            world.call_control("POST", "/simulate/account", {"key": "partner.prepaid", "add_cents": 1})
        case "an advance":
            world.advance("1s")
        case "a snapshot":
            world.call_control("POST", "/snapshots", {"name": "other"})
        case "a restore":
            world.call_control("POST", "/snapshots/kept/restore")
        case "a reset":
            world.call_control("POST", "/reset")
        case "a rate":
            world.call_control("PUT", "/clock", {"mode": "manual"})
    before = seen(world)[:-1]
    assert redoable(world) is None
    assert error_code(post_redo(world), 409) == "nothing_to_redo"
    assert seen(world)[:-1] == before


def test_calls_that_change_nothing_do_not_count_and_a_redo_removes_them(world: World, partner: PartnerClient) -> None:
    partner.create_order(idempotency_key="a")
    before = seen(world)
    undo_last(world)
    assert partner.get("/team-orders").status == 200
    assert partner.post("/team-orders", {}).status == 400
    assert world.control.post(f"/worlds/{world.id}/simulate/shipment", {"order_id": 1, "to": "shipped"}).status >= 400
    assert post_redo(world).status == 200
    assert seen(world) == before


def test_an_undo_after_something_new_takes_only_that_away(world: World) -> None:
    world.advance("1d")
    undo_last(world)
    world.advance("2h")
    before = seen(world)
    undo_last(world)
    assert post_redo(world).status == 200
    assert seen(world) == before
    assert redoable(world) is None


def test_a_world_returns_to_the_middle_of_an_advance_and_goes_on_from_there(
    world: World, partner: PartnerClient
) -> None:
    partner.create_order(idempotency_key="a")
    start = seen(world)
    [last] = world.call_control("GET", "/undo?all=true&limit=1")["undo"]
    to = world.call_control("GET", "/changes?from=now")["next"]
    world.advance("3d")
    before = seen(world)
    answer = world.call_control("POST", "/undo", {"to": to, "until": "2027-01-05T10:00:00Z"})
    assert (answer["now"], world.now) == ("2027-01-05T10:00:00Z", "2027-01-05T10:00:00Z")
    assert redoable(world)["at"] == "2027-01-05T10:00:00Z"
    undo_last(world)
    assert seen(world) == start
    assert (post_redo(world).status, post_redo(world).status) == (200, 200)
    assert seen(world) == before
    assert last["n"] == 1


@pytest.mark.parametrize(("until", "status", "code"), [
    ("2027-01-04T08:00:00Z", 409, "clock_backwards"),
    ("2027-01-09T08:00:00Z", 400, "invalid_body"),
    ("soon", 400, "invalid_body"),
])  # fmt: skip
def test_an_instant_outside_of_what_is_undone_is_refused_and_nothing_changes(
    until: str, status: int, code: str, world: World
) -> None:
    world.advance("3d")
    before = seen(world)
    refused = world.control.post(f"/worlds/{world.id}/undo", {"to": 0, "until": until})
    assert error_code(refused, status) == code
    assert seen(world) == before
    without = world.control.post(f"/worlds/{world.id}/undo", {"until": "2027-01-05T08:00:00Z"})
    assert error_code(without) == "invalid_body"


def test_those_who_follow_the_changes_learn_what_came_back(world: World, partner: PartnerClient) -> None:
    partner.create_order(idempotency_key="a")
    before = world.call_control("GET", "/changes")["changes"]
    undo_last(world)
    undone = world.call_control("GET", "/changes")
    post_redo(world)
    rewound, *back = world.call_control("GET", f"/changes?after={undone['next']}")["changes"]
    assert (rewound["kind"], rewound["to"]) == ("rewound", undone["next"])
    assert [{**each, "n": 0} for each in back] == [{**each, "n": 0} for each in before]
    assert [each["n"] for each in back] == list(range(rewound["n"] + 1, rewound["n"] + 1 + len(before)))


def test_the_timeline_counts_what_came_back(world: World, partner: PartnerClient) -> None:
    def counted() -> list[Any]:
        past = world.call_control("GET", "/timeline")["past"]
        return [(part["kind"], part["from"], part["to"], part["count"], part["failed"]) for part in past]

    partner.create_order(idempotency_key="a")
    world.advance("9d")
    before = counted()
    world.call_control("POST", "/undo", {"count": 1})
    assert counted() != before
    post_redo(world)
    assert counted() == before


def test_a_webhook_that_an_undo_sends_again_is_not_new(world: World, partner: PartnerClient) -> None:
    def wait_the_first_time(connection: socket.socket, receiver: HttpReceiver) -> None:
        while receiver.read(connection) is not None:
            if len(receiver.requests) == 1:
                receiver.released.wait(WAIT_S)
            connection.sendall(OK_RESPONSE)

    with http_receiver(wait_the_first_time) as receiver:
        partner.subscribe("team_order.claimed")
        order = partner.create_order(idempotency_key="a").json()["team_order"]["id"]
        world.simulate("claim", team_order_id=order, recipient=0)
        world.advance("1h")
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        world.call_control("POST", "/deliveries/1/resend")
        wait_until(lambda: bool(receiver.requests))
        partner.create_order(idempotency_key="b")
        receiver.released.set()
        assert [row["outcome"] for row in world.deliveries()] == ["delivered", "delivered"]
        before = seen(world)
        world.call_control("POST", "/undo", {"count": 1})
        assert [row["outcome"] for row in world.deliveries()] == ["delivered", "delivered"]
        assert len(receiver.requests) == 2
        assert post_redo(world).status == 200
        assert seen(world) == before


def test_a_fork_cannot_bring_back_what_its_parent_did(world: World, partner: PartnerClient) -> None:
    partner.create_order(idempotency_key="a")
    fork = ExistingWorld(world.simulator, world.call_control("POST", "/fork", {})["id"])
    fork.call_control("POST", "/undo", {"count": 1})
    assert redoable(fork) is None
    fork.advance("1d")
    undo_last(fork)
    assert redoable(fork)
    assert redoable(world) is None
