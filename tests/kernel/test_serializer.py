"""A state survives serialization, and bytes that hold anything else are refused."""

from __future__ import annotations

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
from giftsim.kernel import random_streams
from giftsim.kernel.seeded_uuid import draw_uuid, uuid_of
from giftsim.kernel.serializer import Damaged, content_of, deserialize, fingerprint, serialize
from giftsim.kernel.state import Definitions, State
from giftsim.worlds.registry import DEFAULT
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
    assert 0 <= random_streams.draw(seed, stream, counter) < 2**64
    assert 0 <= random_streams.fraction(seed, stream, counter) < 1
    assert len(random_streams.token(seed, stream, counter, 24)) == 24


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


def test_a_class_that_is_not_a_record_is_refused_by_name(simulator: Simulator) -> None:
    content = zlib.compress(pickle.dumps((OrderedDict(), {})))
    with pytest.raises(Damaged, match=r"^collections\.OrderedDict is not a record$"):
        deserialize(simulator.definitions, [content])


@pytest.mark.parametrize("content", [b"", b"\x80", pickle.dumps("text"), pickle.dumps((1, 2)), pickle.dumps(os.system)])
def test_other_bytes_are_refused(content: bytes, simulator: Simulator) -> None:
    for each in (content, zlib.compress(content)):
        with pytest.raises(Damaged):
            deserialize(simulator.definitions, [each])
