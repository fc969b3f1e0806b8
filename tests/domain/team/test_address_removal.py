"""No email address and no claim link is left in free text, wherever they stand in it; other text stays."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.domain.team.address_removal import REMOVED, remove_addresses

PIECES = st.lists(st.sampled_from(["a", "@", "%40", "/claim/", "<", ">", " ", "\n", ".", "b/c"]), max_size=12).map(
    "".join
)
PRIVATE = re.compile(r"[^\s<>@](?:@|%40)[^\s<>]|/claim/[^\s<>]")


@given(PIECES)
def test_nothing_private_is_left(text: str) -> None:
    assert PRIVATE.search(remove_addresses(text)) is None


@given(PIECES)
def test_text_without_anything_private_stays(text: str) -> None:
    if PRIVATE.search(text) is None:
        assert remove_addresses(text) == text


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("for bo@example.com, with love", f"for {REMOVED} with love"),
        ("Bo <bo@example.com>", f"Bo <{REMOVED}>"),
        ("<http://x.example/claim/w1/abc>", f"<{REMOVED}>"),
        ("bo@example.com</claim/w1/abc", f"{REMOVED}<{REMOVED}"),
        ("bo%40example.com", REMOVED),
        ("meet @ noon", "meet @ noon"),
    ],
)
def test_each_private_word_is_replaced(text: str, cleaned: str) -> None:
    assert remove_addresses(text) == cleaned
