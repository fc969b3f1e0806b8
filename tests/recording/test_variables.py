"""Scenario variables in recorded text: `${world}` and `${origin}` replace what differs from world to world."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.kernel.placeholders import ORIGIN, WORLD, fill_text
from giftsim.recording.world_text import WorldVariables, escape, map_strings

VARIABLES = WorldVariables("w1", "http://127.0.0.1:8080")
# A `$` right before a placeholder cannot be recorded: `$${world}` is the escaped text `${world}`. No response has one.
TEXTS = st.text(st.sampled_from([*"$${}aworldigin/:", ORIGIN, WORLD]), max_size=20).filter(
    lambda text: f"${ORIGIN}" not in text and f"${WORLD}" not in text
)


def substituted(text: str, origin: str, world: str) -> str:
    """What a scenario makes of recorded text: `$${` is a literal `${`, and the variables have their values."""
    parts = [part.replace("${origin}", origin).replace("${world}", world) for part in text.split("$${")]
    return "${".join(parts)


@pytest.mark.parametrize(
    ("text", "recorded"),
    [
        ("Bearer pk_live_w1_prepaid", "Bearer pk_live_${world}_prepaid"),
        ("ptk_test_w1_approver", "ptk_test_${world}_approver"),
        ("sess_w1", "sess_${world}"),
        ("http://127.0.0.1:8080/claim/w1/token", "${origin}/claim/${world}/token"),
        ("museum.w1:secret", "museum.${world}:secret"),
    ],
)
def test_the_world_id_in_keys_and_links_becomes_a_variable(text: str, recorded: str) -> None:
    assert VARIABLES.request_text(text) == recorded


@pytest.mark.parametrize("text", ["w1", "/orders/w1", "pk_live_w12_prepaid", "xpk_live_w1_", "/claim/w1x"])
def test_the_world_id_elsewhere_is_the_clients_own_text(text: str) -> None:
    assert VARIABLES.request_text(text) == text


def test_a_world_id_with_characters_of_a_pattern_is_matched_literally() -> None:
    variables = WorldVariables("a.b", "http://giftsim.example")
    assert variables.request_text("pk_live_a.b_x pk_live_axb_x") == "pk_live_${world}_x pk_live_axb_x"


def test_placeholders_of_a_stored_response_become_variables() -> None:
    assert VARIABLES.stored_text(f"{ORIGIN}/claim/{WORLD}/t") == "${origin}/claim/${world}/t"


def test_text_that_looks_like_a_variable_is_escaped() -> None:
    assert escape("${world} $${x} $x") == "$${world} $$${x} $x"
    assert VARIABLES.request_text("${origin}") == VARIABLES.stored_text("${origin}") == "$${origin}"


@given(TEXTS)
def test_recorded_text_gives_the_stored_text_of_the_other_world(text: str) -> None:
    recorded = VARIABLES.stored_text(text)
    assert substituted(recorded, "http://other", "w2") == fill_text(text, "http://other", "w2")


def test_every_string_of_json_data_is_converted_but_no_member_name() -> None:
    data: Any = {"pk_live_w1_a": ["pk_live_w1_a", 1, None, {"x": "http://127.0.0.1:8080"}]}
    assert VARIABLES.request_data(data) == {"pk_live_w1_a": ["pk_live_${world}_a", 1, None, {"x": "${origin}"}]}


def test_mapping_strings_leaves_the_original_data_unchanged() -> None:
    data = {"a": ["x", True]}
    assert map_strings(data, str.upper) == {"a": ["X", True]}
    assert data == {"a": ["x", True]}
