"""Random streams: the same for the same seed and name, different otherwise, and undone with a transaction."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from giftsim.kernel import random_streams
from giftsim.kernel.seeded_uuid import draw_uuid, uuid_of
from giftsim.kernel.state import Definitions, State


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
