"""A state survives serialization, and bytes that hold anything else are refused."""

from __future__ import annotations

import io
import os
import pickle
import zlib
from collections import OrderedDict
from contextlib import suppress
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.engine.kernel import random_streams
from giftsim.engine.kernel.seeded_uuid import draw_uuid, uuid_of
from giftsim.engine.kernel.serializer import (
    ROWS_AT_ONCE,
    Damaged,
    changed_content,
    content_of,
    deserialize,
    fingerprint,
    row_count,
    serialize,
)
from giftsim.engine.kernel.state import Definitions, State
from giftsim.engine.worlds.registry import DEFAULT
from tests.support.orders import order_body


def fresh(seed: int = 1) -> State:
    return State(Definitions([]), seed, 0)


def test_a_stream_follows_from_seed_and_name() -> None:
    assert [fresh().draw("a") for _ in range(2)] == [fresh().draw("a")] * 2
    assert len({fresh().draw("a"), fresh().draw("b"), fresh(2).draw("a")}) == 3
    tokens = {state.token(stream, 24) for state in (fresh(), fresh(2)) for stream in ("a", "a", "b")}
    assert len(tokens) == 6


def test_streams_do_not_affect_one_another() -> None:
    state = fresh()
    state.draw("other")
    assert state.draw("a") == fresh().draw("a")


def test_a_rolled_back_draw_is_drawn_again() -> None:
    state = fresh()
    with suppress(ZeroDivisionError), state.transaction():
        state.draw("a")
        raise ZeroDivisionError
    assert state.draw("a") == fresh().draw("a")


@given(st.integers(0, 2**31), st.text(max_size=20), st.integers(0, 10**6))
def test_values_are_in_their_range(seed: int, stream: str, counter: int) -> None:
    assert 0 <= random_streams.draw_number(seed, stream, counter) < 2**64
    assert 0 <= random_streams.draw_fraction(seed, stream, counter) < 1
    assert len(random_streams.draw_token(seed, stream, counter, 24)) == 24


def test_uuids_are_of_version_4() -> None:
    state = fresh()
    for text in (draw_uuid(state, "a"), draw_uuid(state, "a"), uuid_of(1, "b", 7)):
        assert (UUID(text).version, str(UUID(text))) == (4, text)


def test_a_state_is_the_same_after_serialization() -> None:
    simulator = Simulator()
    world = simulator.registry.worlds[DEFAULT]
    key = simulator.client.call("GET", f"/_sim/v1/worlds/{DEFAULT}").json()["credentials"]["partner.prepaid"]["headers"]
    assert simulator.client.call("POST", "/api/external/team-orders", body=order_body(), headers=key).status == 201
    content = serialize(content_of(world.state))
    copy = deserialize(simulator.definitions, [content])
    assert fingerprint(copy) == fingerprint(world.state)
    last = max(world.state.timers.live.values(), key=lambda timer: timer.serial)
    world.state.timers.cancel(last)  # its number is not given again
    copy = deserialize(simulator.definitions, [serialize(content_of(world.state))])
    assert copy.timers.serial == last.serial
    again = deserialize(simulator.definitions, [serialize(content_of(copy))])
    assert serialize(content_of(again)) == serialize(content_of(copy))
    simulator.close()


@pytest.mark.parametrize("orders", [1, 200])
def test_what_changed_is_read_in_pieces_of_the_same_size_however_many_tables_it_is_in(orders: int) -> None:
    simulator = Simulator()
    world = simulator.registry.worlds[DEFAULT]
    before, first = serialize(content_of(world.state)), world.event_log.next_n
    control = f"/_sim/v1/worlds/{DEFAULT}"
    simulator.client.call("POST", f"{control}/simulate/account", body={"key": "partner.prepaid", "add_cents": 10**9})
    key = simulator.client.call("GET", control).json()["credentials"]["partner.prepaid"]["headers"]
    for number in range(orders):
        body = order_body(idempotency_key=f"k{number}")
        assert simulator.client.call("POST", "/api/external/team-orders", body=body, headers=key).status == 201
    world.keep_undo_log()
    touched = world.event_log.touched_since(first - 1)
    assert touched is not None
    content = changed_content(world.state, touched)
    file, pieces = io.BytesIO(zlib.decompress(serialize(content))), list[int]()
    pickle.load(file)
    with suppress(EOFError):
        while True:
            pieces.append(sum(len(rows) for _, _, rows in pickle.load(file)))
    assert len(content[2]) > 5
    assert len(pieces) <= row_count(content) // ROWS_AT_ONCE + 1
    assert max(pieces) < 2 * ROWS_AT_ONCE
    copy = deserialize(simulator.definitions, [before, serialize(content)])
    assert fingerprint(copy) == fingerprint(world.state)
    simulator.close()


def test_a_class_that_is_not_a_record_is_refused_by_name(simulator: Simulator) -> None:
    content = zlib.compress(pickle.dumps((OrderedDict(), {})))
    with pytest.raises(Damaged, match=r"^collections\.OrderedDict is not a record$"):
        deserialize(simulator.definitions, [content])


@pytest.mark.parametrize("content", [b"", b"\x80", pickle.dumps("text"), pickle.dumps((1, 2)), pickle.dumps(os.system)])
def test_other_bytes_are_refused(content: bytes, simulator: Simulator) -> None:
    for each in (content, zlib.compress(content)):
        with pytest.raises(Damaged):
            deserialize(simulator.definitions, [each])
