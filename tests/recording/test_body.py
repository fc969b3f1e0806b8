"""Bodies in a recording: as data if that sends the same, else as text, else in Base64."""

from __future__ import annotations

import pytest

from giftsim.kernel.placeholders import WORLD
from giftsim.recording.steps import (
    MAX_DEPTH,
    MAX_INTEGER,
    MAX_WHITE_SPACE,
    control_data,
    request_members,
    response_members,
)
from giftsim.recording.world_text import WorldVariables

VARIABLES = WorldVariables("w1", "http://giftsim.example")


def test_an_object_or_a_list_is_recorded_as_data() -> None:
    assert request_members(b'{"a": [1, true, null, "x"]}') == {"body": {"a": [1, True, None, "x"]}}
    assert request_members(b"[ ]") == {"body": []}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"a": 1.0}',
        f'{{"a": {MAX_INTEGER}}}',
        '"text"',
        "7",
        "no json",
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        "[" + " " * MAX_WHITE_SPACE + "]",
    ],
)
def test_json_that_data_would_change_is_recorded_as_text(text: str) -> None:
    assert request_members(text.encode()) == {"body": text}


def test_bytes_that_are_no_text_are_recorded_in_base64() -> None:
    assert request_members(b"\xff") == {"base64": "/w=="}
    assert response_members(b"\xff", VARIABLES, opaque=False) == {"body": {"base64": "/w=="}}


def test_an_empty_body_has_no_member() -> None:
    assert request_members(b"") == {}
    assert response_members(b"", VARIABLES, opaque=False) == {}


def test_request_text_that_looks_like_a_variable_or_names_the_world_stays_the_clients() -> None:
    assert request_members(b'{"a": "${x} pk_live_w1_y"}') == {"body": {"a": "$${x} pk_live_w1_y"}}
    assert request_members(b"${x}") == {"body": "$${x}"}


def test_a_response_is_text_with_variables_for_its_placeholders() -> None:
    assert response_members(f'{{"link":"/{WORLD}"}}'.encode(), VARIABLES, opaque=False) == {
        "body": '{"link":"/${world}"}'
    }


def test_an_opaque_response_has_no_placeholders_and_is_recorded_in_base64() -> None:
    assert response_members(b"a\x02", VARIABLES, opaque=True) == {"body": {"base64": "YQI="}}


def test_a_control_call_may_have_no_body() -> None:
    assert control_data(b" \n") is None
    assert control_data(b'{"by": "1h"}') == {"by": "1h"}
