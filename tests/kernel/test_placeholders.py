"""Placeholders: the origin and the world id are filled in, and no text of a caller can look like one."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from giftsim.kernel.placeholders import WORLD, fill, fill_text, link


def test_a_link_is_absolute_once_it_is_filled() -> None:
    stored = msgspec.json.encode({"link": link(f"/claim/{WORLD}/abc")})
    filled = fill(stored, "http://127.0.0.1:8080", "w1")
    assert msgspec.json.decode(filled) == {"link": "http://127.0.0.1:8080/claim/w1/abc"}
    assert fill_text(stored.decode(), "http://127.0.0.1:8080", "w1").encode() == filled


def test_a_link_without_a_world_has_its_origin_and_a_world_alone_is_filled_too() -> None:
    assert fill(msgspec.json.encode(link("/claim")), "http://127.0.0.1:8080", "w1") == b'"http://127.0.0.1:8080/claim"'
    assert fill(WORLD.encode(), "http://127.0.0.1:8080", "w1") == b"w1"


@given(st.text())
def test_no_text_in_json_is_changed(text: str) -> None:
    stored = msgspec.json.encode(text)
    assert fill(stored, "http://origin.example", "w1") == stored
