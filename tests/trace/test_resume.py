"""A world as it was after an entry of a trace, to go on from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.log.journal_file import JournalFile
from giftsim.engine.worlds import checkpoint
from giftsim.workbench.trace.file import pack_page, unpack_page
from tests.support.api_clients import CONTROL_CONTRACT, ApiClient, PartnerClient
from tests.support.http_receiver import OK_RESPONSE, http_receiver, respond_always
from tests.support.orders import RENO
from tests.support.responses import error_code
from tests.support.restarts import RestartableSimulator
from tests.support.traces import entries, state_after, trace_of
from tests.support.worlds import ExistingWorld, World


@pytest.fixture(scope="module")
def other() -> Iterator[Simulator]:
    """Another simulator, in which traces are opened."""
    simulator = Simulator(fixture="bare")
    yield simulator
    simulator.close()


def page_of(world: World) -> str:
    """The trace of a world as a file."""
    return str(world.control.get(f"/worlds/{world.id}/trace").text)


def open_at(simulator: Simulator, page: str, at: int | None = None, **more: Any) -> Response:
    """Open a trace in a simulator."""
    body = {"trace": page, **({"at": at} if at else {}), **more}
    return ApiClient(simulator.client, CONTROL_CONTRACT, {}).post("/worlds", body)


def opened(simulator: Simulator, page: str, at: int | None = None) -> ExistingWorld:
    """The world after an entry of a trace, in another simulator."""
    response = open_at(simulator, page, at)
    assert response.status == 201, response.text
    return ExistingWorld(simulator, response.json()["id"])


def without_empty(members: dict[str, Any]) -> dict[str, Any]:
    """Members as a new record has them."""
    return {name: value for name, value in members.items() if value not in (None, "", [])}


def assert_same_state(found: tuple[dict[str, Any], set[int]], expected: tuple[dict[str, Any], set[int]]) -> None:
    """Assert that a world has the records that another had. What never changed, its trace need not have."""
    assert {key: without_empty(row) for key, row in found[0].items()} == {
        key: without_empty(row) for key, row in expected[0].items() if key in found[0]
    }
    assert {key.partition("/")[0] for key in expected[0].keys() - found[0].keys()} <= {"key", "recipient"}
    assert len(found[1]) == len(expected[1])


def busy_life(world: World) -> None:
    """Orders, a claim, webhooks that fail and are retried, a snapshot and a fault."""
    partner = world.partner()
    partner.subscribe("team_order.claimed", "team_order.shipped")
    world.set_receiver(script=[{"status": 500}, {"timeout": True}])
    order = partner.create_order().json()["team_order"]["id"]
    partner.create_order(idempotency_key="second")
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("6h")
    world.call_control("POST", "/snapshots", {"name": "kept"})
    world.add_fault({"drop": "after"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        partner.create_order(idempotency_key="third")
    world.advance("40d")
    partner.post(f"/team-orders/{order}/cancel")


def test_each_entry_is_a_place_to_go_on_from(world: World, other: Simulator) -> None:
    busy_life(world)
    trace, page = trace_of(world), page_of(world)
    assert len(trace["entries"]) > 30
    for at in range(1, len(trace["entries"]) + 1):
        found = opened(other, page, at)
        begun = trace_of(found)
        assert_same_state(state_after(begun, len(begun["entries"])), state_after(trace, at))
        if at < len(trace["entries"]) and trace["entries"][at - 1]["kind"] != "advance":
            assert begun["world"]["now"] == trace["entries"][at - 1]["at"]


def test_from_there_the_same_future_follows(world: World, other: Simulator) -> None:
    busy_life(world)
    page, trace = page_of(world), trace_of(world)
    [shipped] = entries(trace, "timer", "handed to the carrier")
    found = opened(other, page, shipped["n"])
    found.advance(to=world.now)
    assert found.rows("deliveries")[-1]["type"] == "team_order.shipped"
    assert found.fingerprint() != world.fingerprint()  # the last call is not made yet
    found.partner().post("/team-orders/1001/cancel")
    assert found.fingerprint() == world.fingerprint()


def test_without_a_place_it_is_the_whole_world(world: World, other: Simulator) -> None:
    busy_life(world)
    found = opened(other, page_of(world))
    assert found.fingerprint() == world.fingerprint()
    assert found.now == world.now


def test_what_a_receiver_outside_answered_is_played_too(world: World, partner: PartnerClient, other: Simulator) -> None:
    partner.subscribe("team_order.claimed")
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        order = partner.create_order().json()["team_order"]["id"]
        world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
        world.advance("2h")
    trace = trace_of(world)
    [attempt] = entries(trace, "attempt")
    [answer] = entries(trace, "answer")
    assert attempt["attempt"]["answered_by"] == answer["n"]
    assert (attempt["attempt"]["outcome"], attempt["attempt"]["status"]) == ("delivered", 200)
    found = opened(other, page_of(world), answer["n"])
    assert found.deliveries()[0]["outcome"] == "delivered"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"at": 99}, "the trace has the entries 1 to 1, not 99"),
        ({"seed": 3}, "seed: not with `trace`"),
    ],
)
def test_what_cannot_be_opened_is_refused(world: World, more: dict[str, Any], message: str) -> None:
    response = open_at(world.simulator, page_of(world), **more)
    assert response.status == 400
    assert message in response.text


def test_what_is_not_a_trace_is_refused(world: World) -> None:
    response = open_at(world.simulator, "<html></html>")
    assert error_code(response) == "invalid_trace"
    response = world.control.post("/worlds", {"at": 3})
    assert error_code(response) == "invalid_body"


def test_a_recording_that_gives_other_responses_is_refused_and_leaves_no_world(
    world: World, partner: PartnerClient
) -> None:
    partner.create_order()
    data = unpack_page(page_of(world).encode())
    changed = data.replace(b"2600,", b"2601,")
    assert changed != data
    before = [row["id"] for row in world.control.get("/worlds").json()["worlds"]]
    response = open_at(world.simulator, pack_page(changed, "changed").decode())
    assert error_code(response, 409) == "trace_differs"
    assert [row["id"] for row in world.control.get("/worlds").json()["worlds"]] == before


def test_after_a_restart_it_has_what_came_before(tmp_path: Path) -> None:
    restartable = RestartableSimulator(tmp_path / "journal")
    try:
        for n in range(5):
            restartable.order(f"order-{n}")
        registry = restartable.simulator.registry
        file = cast(JournalFile, registry.runtime.journal_file)
        checkpoint.write_all(registry, file, file.size)
        restartable.restart()
        restartable.order("last")
        trace = trace_of(ExistingWorld(restartable.simulator, "default"))
        assert len(entries(trace, "call")) == 6
        assert "recording" in trace
    finally:
        restartable.simulator.close()
