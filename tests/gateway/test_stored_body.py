"""Bodies of stored responses: packed or not, a replay, a fork, a checkpoint and a fingerprint see the same bytes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.engine.gateway.idempotency_record import IDEMPOTENCY_RECORDS, LARGEST, TOGETHER, Pack, StoredBody, pack
from giftsim.engine.kernel.serializer import content_of, deserialize, fingerprint, serialize
from giftsim.engine.kernel.state import State
from tests.shows import shows

ORDERS = 2 * TOGETHER + 5
BODY = {"gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}], "recipients": [{"name": "Bo", "email": "bo@b.co"}]}


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    """A simulator with money for the orders."""
    simulator = Simulator(fixture="empty")
    simulator.client.call(
        "POST", "/_sim/v1/worlds/default/simulate/account", body={"key": "partner.prepaid", "add_cents": 10**9}
    )
    yield simulator
    simulator.close()


def create(simulator: Simulator, number: int, world: str = "default") -> tuple[bytes, str | None]:
    """Create an order, or send its request once more: the body of the response, and whether it says that it repeats."""
    response = simulator.client.call(
        "POST",
        "/api/external/team-orders",
        body={**BODY, "idempotency_key": f"key-{number}"},
        headers={"Authorization": f"Bearer pk_live_{world}_prepaid"},
    )
    assert response.status == 201, response.text
    return response.body, response.headers.get("idempotent-replayed")


def bodies(state: State) -> list[StoredBody]:
    """The bodies of the responses that a world has stored."""
    return [row.body for row in state[IDEMPOTENCY_RECORDS] if row.body is not None]


@shows("P-4.17")
def test_a_replay_is_the_same_byte_for_byte_however_many_orders_came_after_it(simulator: Simulator) -> None:
    first = [create(simulator, number)[0] for number in range(ORDERS)]
    simulator.client.call("POST", "/_sim/v1/worlds/default/fork", body={"id": "twin"})
    kept = [body.kept for body in bodies(simulator.registry.worlds["default"].state)]
    assert [isinstance(each, Pack) for each in kept] == [number < 2 * TOGETHER for number in range(ORDERS)]
    for world in ("default", "twin"):
        assert [create(simulator, number, world) for number in range(ORDERS)] == [(body, "true") for body in first]


def test_packing_leaves_the_fingerprint_and_a_checkpoint_keeps_what_is_packed(simulator: Simulator) -> None:
    for number in range(TOGETHER):
        create(simulator, number)
    state = simulator.registry.worlds["default"].state
    contents, before = [body.read() for body in bodies(state)], fingerprint(state)
    pack(bodies(state))
    assert fingerprint(state) == before
    read = deserialize(state.definitions, [serialize(content_of(state))])
    assert fingerprint(read) == before
    assert all(isinstance(body.kept, Pack) for body in bodies(read))
    assert [body.read() for body in bodies(read)] == contents


@given(st.lists(st.one_of(st.none(), st.binary(max_size=300), st.just(bytes(LARGEST + 1))), max_size=TOGETHER))
def test_packed_bodies_read_as_before_and_are_equal_to_what_they_were(contents: list[bytes | None]) -> None:
    made = [None if content is None else StoredBody(content) for content in contents]
    for _ in range(2):
        pack(made)
        assert [body and body.read() for body in made] == contents
        assert made == [None if content is None else StoredBody(content) for content in contents]
    assert all(not isinstance(body.kept, bytes) or len(body.kept) > LARGEST for body in made if body)
