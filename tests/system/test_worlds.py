"""Forks, snapshots, restores, resets and deletes of whole worlds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.concurrent_calls import call_concurrently
from tests.support.http_receiver import OK_RESPONSE, http_receiver
from tests.support.mixed_workload import MixedWorkload
from tests.support.orders import claim_tokens, order_body
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import wallet_cents
from tests.support.partner.orders import list_orders
from tests.support.responses import created, status_and_code
from tests.support.worlds import World

Make = Callable[..., World]
Fork = Callable[[World], World]

SEED = 5
PATIENCE_S = 60


@pytest.fixture
def fork(new_world: Make) -> Iterator[Fork]:
    """Create forks; they are deleted after the test."""
    forks: list[World] = []

    def make(world: World) -> World:
        description = world.call_control("POST", "/fork", {})
        twin = object.__new__(World)
        twin.simulator, twin.client, twin.description = world.simulator, world.client, description
        twin.id, twin.credentials = description["id"], description["credentials"]
        forks.append(twin)
        return twin

    yield make
    for twin in forks:
        twin.control.delete(f"/worlds/{twin.id}")


def run_rounds(world: World, rounds: int, earlier: MixedWorkload | None = None) -> MixedWorkload:
    """Continue a workload in another world for some rounds."""
    workload = MixedWorkload(world, SEED)
    if earlier:
        workload.go_on_from(earlier)
    else:
        workload.set_up()
    for _ in range(rounds):
        workload.round()
    return workload


def test_a_fork_and_its_parent_are_independent(new_world: Make, fork: Fork) -> None:
    world = new_world(seed=SEED)
    first = run_rounds(world, 6)
    forks = [fork(world) for _ in range(3)]
    present = world.fingerprint()
    run_rounds(forks[0], 6, first)
    assert [each.fingerprint() for each in (world, *forks[1:])] == [present] * 3
    run_rounds(world, 6, first)
    assert world.fingerprint() == forks[0].fingerprint() != present
    assert [each.fingerprint() for each in forks[1:]] == [present] * 2
    grandchild = fork(forks[1])
    run_rounds(forks[1], 6, first)
    assert grandchild.fingerprint() == present
    run_rounds(grandchild, 6, first)
    assert grandchild.fingerprint() == world.fingerprint()


def test_worlds_of_one_fixture_are_independent(new_world: Make) -> None:
    first = new_world(seed=SEED)
    untouched = first.fingerprint()
    run_rounds(first, 8)
    second = new_world(seed=SEED)
    assert second.fingerprint() == untouched
    run_rounds(second, 8)
    assert second.fingerprint() == first.fingerprint()


def test_concurrent_forks_are_identical(new_world: Make, fork: Fork) -> None:
    world = new_world(seed=SEED)
    workload = run_rounds(world, 3)
    forks = call_concurrently(*[partial(fork, world)] * 16)
    call_concurrently(*[partial(run_rounds, each, 3, workload) for each in forks])
    assert len({each.fingerprint() for each in forks}) == 1
    assert len({each.id for each in forks}) == 16


def test_a_snapshot_does_not_change_later(new_world: Make) -> None:
    world = new_world(seed=SEED)
    workload = run_rounds(world, 5)
    world.call_control("POST", "/snapshots", {"name": "middle"})
    middle = world.fingerprint()
    ends = set()
    for _ in range(3):
        run_rounds(world, 4, workload)
        ends.add(world.fingerprint())
        world.call_control("POST", "/snapshots/middle/restore")
        assert world.fingerprint() == middle
    assert len(ends) == 1


def test_a_fork_replays_its_parents_response_with_its_own_links(world: World, fork: Fork) -> None:
    first = world.partner().create_order(return_claim_links=True)
    twin = fork(world)
    again = twin.partner().create_order(return_claim_links=True)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.text == first.text.replace(f"/claim/{world.id}/", f"/claim/{twin.id}/") != first.text
    token = claim_tokens(created(again))[0]
    assert twin.claim(token).status == 200
    assert world.claim(token).status == 200


def test_a_fork_has_its_own_idempotency_keys(world: World, fork: Fork) -> None:
    created(world.partner().create_order(idempotency_key="before"))
    twin = fork(world)
    for each, name in ((world, "mine"), (twin, "yours")):
        assert created(each.partner().create_order(idempotency_key="after", name=name))["team_order"]["id"] == 1002
        assert each.partner().create_order(idempotency_key="before").headers["idempotent-replayed"] == "true"
    assert status_and_code(twin.partner().create_order(idempotency_key="after", name="mine")) == (
        409,
        "idempotency_payload_mismatch",
    )
    world.partner().post("/team-orders/1001/cancel", {})
    assert (wallet_cents(world), wallet_cents(twin)) == (500_000 - ROW_CENTS, 500_000 - 2 * ROW_CENTS)


def test_a_restore_undoes_idempotency_keys(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "free"})
    first = partner.create_order(name="one")
    world.call_control("POST", "/snapshots", {"name": "used"})
    world.call_control("POST", "/snapshots/free/restore")
    assert list_orders(world) == []
    assert created(partner.create_order(name="two"))["team_order"]["name"] == "two"
    world.call_control("POST", "/snapshots/used/restore")
    assert partner.create_order(name="one").body == first.body
    assert status_and_code(partner.create_order(name="two")) == (409, "idempotency_payload_mismatch")


def test_a_restore_undoes_an_unknown_charge_and_its_held_amount(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "before"})
    with pytest.raises(ConnectionError):
        partner.post("/team-orders", order_body(), X_Sim_Fault="crash=after_charge")
    world.call_control("POST", "/snapshots", {"name": "unknown"})
    world.simulate("outcome", idempotency_key="first", outcome="paid")
    world.call_control("POST", "/snapshots/unknown/restore")
    assert status_and_code(partner.create_order()) == (409, "idempotency_outcome_unknown")
    world.call_control("POST", "/snapshots/before/restore")
    created(partner.create_order())
    assert wallet_cents(world) == 500_000 - ROW_CENTS


def test_a_reset_ends_a_delivery_in_flight_and_drops_its_result(world: World, partner: PartnerClient) -> None:
    arrived, answer = threading.Event(), threading.Event()

    def behave(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        arrived.set()
        answer.wait(PATIENCE_S)
        connection.sendall(OK_RESPONSE)

    untouched = world.fingerprint()
    partner.subscribe("team_order.claimed")
    created(partner.create_order())
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.advance("2h")
    with http_receiver(behave) as machine:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{machine.port}")
        world.call_control("POST", "/deliveries/1/resend")
        assert arrived.wait(PATIENCE_S)
        world.call_control("POST", "/reset")
        answer.set()
        assert world.fingerprint() == untouched
    assert world.deliveries() == []


def test_a_world_with_a_delivery_in_flight_is_deleted_at_once(new_world: Make) -> None:
    world, arrived = new_world(), threading.Event()

    def behave(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        arrived.set()
        connection.recv(1)

    partner = world.partner()
    partner.subscribe("team_order.claimed")
    with http_receiver(behave) as machine:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{machine.port}")
        pinging = threading.Thread(target=world.client.call, args=("POST", "/api/external/webhooks/1/test"),
                                   kwargs={"headers": partner.headers})  # fmt: skip
        pinging.start()
        assert arrived.wait(PATIENCE_S)
        world.call_control("DELETE", "")
        assert status_and_code(partner.get("/webhooks")) == (401, "unauthorized")
    pinging.join(PATIENCE_S)
    assert not pinging.is_alive()


def test_calls_without_a_credential_are_in_no_worlds_call_log(world: World, partner: PartnerClient) -> None:
    before = world.call_control("GET", "/fingerprint")
    anonymous = PartnerClient(world.client, partner.contract, {})
    ids = {anonymous.get("/team-orders").headers["x-request-id"] for _ in range(3)}
    foreign = PartnerClient(world.client, partner.contract, {"Authorization": "Bearer pk_live_nowhere-at-all_prepaid"})
    ids |= {foreign.get("/team-orders").headers["x-request-id"] for _ in range(3)}
    assert len(ids) == 6
    assert world.call_control("GET", "/fingerprint") == before
    assert world.call_control("GET", "/calls")["calls"] == []


def test_a_refused_call_is_in_the_call_log_of_its_credentials_world(world: World, partner: PartnerClient) -> None:
    unknown = world.partner(key=f"pk_live_{world.id}_nobody")
    assert status_and_code(unknown.get("/team-orders")) == (401, "unauthorized")
    by_header = PartnerClient(world.client, partner.contract, {"X-Sim-World": world.id})
    assert status_and_code(by_header.get("/team-orders")) == (401, "unauthorized")
    assert world.call_control("GET", "/fingerprint")["calls"] == 2
    assert [call["response"]["status"] for call in world.call_control("GET", "/calls")["calls"]] == [401, 401]
