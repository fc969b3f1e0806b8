"""What the logs of a world keep in memory is bounded, whatever comes: bodies, headers and responses count (G3)."""

from __future__ import annotations

import pytest

from giftsim.engine.log import log as event_log
from giftsim.engine.log.inputs import ClientCall, ControlCall
from tests.support.api_clients import PartnerClient
from tests.support.worlds import World

BOUND = 200_000
LARGE = b"x" * (64 * 1024 + 1)


def kept_bytes(world: World) -> int:
    """The content that the event log of a world holds: requests, and the responses that are kept with them."""
    total = 0
    for segment, event in world.simulator.registry.worlds[world.id].event_log.all():
        if isinstance(event, ClientCall | ControlCall):
            total += len(event.path) + len(event.body)
        if isinstance(event, ClientCall):
            total += sum(len(name) + len(value) for name, value in event.headers)
            outcome = segment.outcomes.get(event.n)
            total += len(outcome.entry.answer) if outcome and outcome.entry else 0
    return total


@pytest.fixture(autouse=True)
def _small_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log keeps 200 kB."""
    monkeypatch.setattr(event_log, "MAX_BYTES", BOUND)


def test_responses_count_against_the_bound(world: World, partner: PartnerClient) -> None:
    for number in range(20):
        partner.create_order(idempotency_key=f"k{number}")
    for _ in range(60):
        assert len(partner.get("/team-orders?limit=20").body) > 8_000
    assert kept_bytes(world) < BOUND


def test_headers_count_against_the_bound(world: World, partner: PartnerClient) -> None:
    for _ in range(20):
        world.client.call("GET", "/api/external/skus", headers={**partner.headers, "X-Trace": "x" * 40_000})
    assert kept_bytes(world) < BOUND


def test_control_calls_count_against_the_bound(world: World) -> None:
    for number in range(40):
        names = [f"{number} {'x' * 60}" for _ in range(100)]
        people = [{"id": f"{n}", "object_type": "contact", "name": name} for n, name in enumerate(names)]
        world.simulate("crm", provider="hubspot", upsert=[{**who, "email": "bo@example.com"} for who in people])
    assert kept_bytes(world) < BOUND


def test_segments_of_forks_count_against_the_bound(world: World, partner: PartnerClient) -> None:
    for _ in range(30):
        partner.get("/team-orders", X_Trace="x" * 20_000)
        fork = world.call_control("POST", "/fork", {})["id"]
        world.control.delete(f"/worlds/{fork}")
    assert kept_bytes(world) < BOUND


def test_a_call_larger_than_the_bound_is_answered_and_not_kept(world: World, partner: PartnerClient) -> None:
    order = partner.create_order(gift_sender="Ada", items=[], x="y" * BOUND)
    assert order.status == 400
    assert kept_bytes(world) < BOUND
    assert partner.create_order(idempotency_key="a").status == 201


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/api/external/team-orders", {"Authorization": "Bearer pk_live_{w}_nobody"}),
        ("/api/external/team-orders", {"X-Sim-World": "{w}"}),
        ("/api/external/nowhere", {"Authorization": "Bearer pk_live_{w}_prepaid"}),
        ("/api/teams/v1/gifts", {"Authorization": "Bearer ptk_live_{w}_nobody", "X-Sim-World": "{w}"}),
        ("/claim/{w}/no-such-token", {"Content-Type": "application/x-www-form-urlencoded"}),
    ],
)
def test_large_bodies_of_refused_callers_are_not_kept(world: World, path: str, headers: dict[str, str]) -> None:
    named = {name: value.replace("{w}", world.id) for name, value in headers.items()}
    world.client.call("POST", path.replace("{w}", world.id), body=LARGE, headers=named)
    world.client.call("POST", path.replace("{w}", world.id), body=b"a=b", headers=named)
    bodies = [
        event.body
        for _, event in world.simulator.registry.worlds[world.id].event_log.all()
        if isinstance(event, ClientCall)
    ]
    assert [body for body in bodies if body] == [b"a=b"]
    entries = world.simulator.registry.worlds[world.id].calls.log.entries
    assert all(len(entry.body) < 10 for entry in entries)


def test_a_large_body_of_a_known_caller_is_kept(world: World, partner: PartnerClient) -> None:
    assert world.client.call("POST", "/api/external/team-orders", body=LARGE, headers=partner.headers).status == 400
    [(_, event)] = world.simulator.registry.worlds[world.id].event_log.all()
    assert isinstance(event, ClientCall)
    assert event.body == LARGE
