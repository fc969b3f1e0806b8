"""Cursors: a cursor continues the list for which it was issued, and opens no other."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from giftsim.engine.gateway.problem import InvalidCursor
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.interfaces.team.pagination import decode_cursor, encode_cursor
from tests.support.sample_api import gateway_state

STATES = tuple(gateway_state(seed) for seed in (1, 2, 3))
LIST_KEYS = st.lists(st.text(max_size=12), min_size=1, max_size=4).map(tuple)
SLOTS = st.integers(0, 2**63)
PEOPLE = ("team 0", "people")


@given(list_key=LIST_KEYS, slot=SLOTS, state=st.sampled_from(STATES))
def test_a_cursor_leads_back_to_its_slot(list_key: tuple[str, ...], slot: int, state: State) -> None:
    cursor = encode_cursor(state, list_key, slot)
    assert decode_cursor(state, list_key, cursor) == slot
    assert cursor == encode_cursor(state, list_key, slot)
    assert cursor.isascii()


@given(one=LIST_KEYS, other=LIST_KEYS, slot=SLOTS, state=st.sampled_from(STATES))
def test_a_cursor_opens_no_other_list(one: tuple[str, ...], other: tuple[str, ...], slot: int, state: State) -> None:
    assume(one != other)
    with pytest.raises(InvalidCursor):
        decode_cursor(state, other, encode_cursor(state, one, slot))


@given(list_key=LIST_KEYS, slot=SLOTS)
def test_a_cursor_opens_no_list_of_a_world_with_another_seed(list_key: tuple[str, ...], slot: int) -> None:
    cursors = [encode_cursor(state, list_key, slot) for state in STATES]
    for state, cursor in zip(STATES, [*cursors[1:], cursors[0]], strict=True):
        with pytest.raises(InvalidCursor):
            decode_cursor(state, list_key, cursor)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ab", "c"), ("a", "bc")),
        (("a", ""), ("a",)),
        (("1:a",), ("a",)),
        (("a|b",), ("a", "b")),
        (("", "a"), ("a", "")),
    ],
)
def test_the_parts_of_a_list_key_do_not_run_together(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert encode_cursor(STATES[0], one, 7) != encode_cursor(STATES[0], other, 7)


@given(slot=SLOTS, at=st.integers(0, 31), letter=st.sampled_from("AZaz09-_"))
def test_a_cursor_with_another_letter_is_refused(slot: int, at: int, letter: str) -> None:
    cursor = encode_cursor(STATES[0], PEOPLE, slot)
    changed = cursor[:at] + letter + cursor[at + 1 :]
    assume(changed != cursor)
    with pytest.raises(InvalidCursor):
        decode_cursor(STATES[0], PEOPLE, changed)


@pytest.mark.parametrize("change", ["{}=", "{}A", " {}", "{}\n", "{}AAAA"])
def test_a_cursor_is_accepted_in_its_own_spelling_only(change: str) -> None:
    cursor = encode_cursor(STATES[0], PEOPLE, 7)
    with pytest.raises(InvalidCursor):
        decode_cursor(STATES[0], PEOPLE, change.format(cursor))


@given(st.text(max_size=60))
def test_other_texts_are_refused_with_one_message(text: str) -> None:
    with pytest.raises(InvalidCursor) as refused:
        decode_cursor(STATES[0], PEOPLE, text)
    assert refused.value.message == "the cursor was not issued for this team, mode, list and filters"


def test_neighbouring_slots_have_unlike_cursors() -> None:
    one, next_one = (encode_cursor(STATES[0], PEOPLE, slot) for slot in (7, 8))
    assert sum(a != b for a, b in zip(one, next_one, strict=True)) > len(one) // 2
