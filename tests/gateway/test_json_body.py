"""Strict JSON: what a body may be, and what is refused with which message."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.build import Simulator
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.gateway import json_body
from giftsim.engine.gateway.json_body import MAX_BYTES, MAX_DEPTH, MAX_VALUES
from giftsim.engine.gateway.problem import BodyTooLarge, InvalidBody, InvalidJson
from giftsim.services.gifting.interfaces.team.error_envelope import redact
from tests.support.api_clients import PartnerClient
from tests.support.worlds import World

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


def refusal(raw: bytes) -> str:
    """The message with which a body is refused as invalid JSON."""
    with pytest.raises(InvalidJson) as refused:
        json_body.parse(raw)
    return refused.value.message


@given(VALUES)
def test_every_json_value_is_parsed_as_it_was_written(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        assert json_body.parse(text.encode()) == value


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '[{"b": {"a": 1, "b": 2, "a": 3}}]'])
def test_a_member_given_twice_is_refused_by_name(text: str) -> None:
    assert refusal(text.encode()) == "the member 'a' is given twice in one object"


def test_the_same_member_in_two_objects_is_not_a_duplicate() -> None:
    assert json_body.parse(b'[{"a": 1}, {"a": {"a": 2}}]') == [{"a": 1}, {"a": {"a": 2}}]


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_of_javascript_are_not_json(constant: str) -> None:
    assert refusal(f'{{"a": {constant}}}'.encode()) == f"{constant} is not JSON"


def test_a_number_beyond_a_double_is_refused() -> None:
    assert refusal(b"[1e400]") == "the number 1e400 is too large"
    assert refusal(b"[-1e400]") == "the number -1e400 is too large"
    assert refusal(b"9" * 5_000) == "a number in the body has too many digits"


@pytest.mark.parametrize("text", [r'"\ud800"', r'{"a": ["\udfff"]}', r'{"\ud83d": 1}', r'"\ude00\ud83d"'])
def test_half_of_a_surrogate_pair_is_refused(text: str) -> None:
    assert refusal(text.encode()) == "a string has half of a surrogate pair"


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert json_body.parse(rb'"\ud83d\ude00"') == "\U0001f600"


@pytest.mark.parametrize("raw", [b'"\xff"', b'"\xed\xa0\x80"', '"ä"'.encode("latin-1")])
def test_a_body_that_is_not_utf_8_is_refused(raw: bytes) -> None:
    assert refusal(raw) == "the body is not UTF-8"


@pytest.mark.parametrize("raw", [b"", b"{", b"[1,]", b"{'a': 1}", b"{} {}", b"nope"])
def test_what_is_not_json_is_refused_with_its_place(raw: bytes) -> None:
    assert refusal(raw).startswith("the body is not JSON: ")


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_nesting_is_limited(opening: str, closing: str) -> None:
    def nested(depth: int) -> bytes:
        return (opening * depth + "1" + closing * depth).encode()

    json_body.parse(nested(MAX_DEPTH))
    for depth in (MAX_DEPTH + 1, 100_000):
        assert refusal(nested(depth)) == "the body is nested deeper than 64 levels"


def test_many_brackets_side_by_side_or_in_a_string_are_not_nesting() -> None:
    assert json_body.parse(b"[" + b"[]," * 1_000 + b"[]]") == [[]] * 1_001
    assert json_body.parse(b'"' + b"[" * 1_000 + b'"') == "[" * 1_000


def test_a_body_is_limited_to_a_quarter_of_a_million_values() -> None:
    for text in (b"[" + b"[]," * MAX_VALUES + b"[]]", b"{" + b'"a":1,' * MAX_VALUES + b'"a":1}', b"," * MAX_VALUES):
        with pytest.raises(BodyTooLarge) as refused:
            json_body.parse(text)
        assert refused.value.message == "the body has more than 250,000 values"
    assert len(json_body.parse(b"[" + b"1," * (MAX_VALUES - 1) + b"1]")) == MAX_VALUES


@pytest.mark.parametrize("text", ["," * MAX_VALUES, '\\",' * MAX_VALUES, ",\\\\" * MAX_VALUES])
def test_commas_in_a_string_are_not_values(text: str) -> None:
    assert len(json_body.parse(f'["{text}"]'.encode())) == 1


@pytest.mark.parametrize("text", [b'"' + b'\\",' * 300_000, b'",' * 300_000, b'"\\' * 100_000 + b"," * 300_000])
def test_strings_that_do_not_end_are_refused_without_going_back(text: bytes) -> None:
    with pytest.raises(InvalidBody):
        json_body.parse(text)


def test_a_body_is_limited_to_four_mebibytes() -> None:
    body = b'"' + b"x" * (MAX_BYTES - 2) + b'"'
    assert len(json_body.parse(body)) == MAX_BYTES - 2
    with pytest.raises(BodyTooLarge) as refused:
        json_body.parse(body + b" ")
    assert refused.value.message == "the body is larger than 4194304 bytes"


@given(
    st.text(alphabet='{}[]":,\\ud8a10.eE+-n \t\x01é', max_size=14) | st.builds(json.dumps, VALUES), st.integers(0, 8)
)
def test_a_text_is_refused_or_has_the_value_that_json_gives_it(text: str, cut: int) -> None:
    raw = text[: len(text) - cut].encode()
    with suppress(InvalidJson):
        assert repr(json_body.parse(raw)) == repr(json.loads(raw))  # 1, 1.0 and true are equal, and not the same


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c:d", ":"]), VALUES), min_size=1, max_size=4))
def test_a_member_is_never_lost(members: list[tuple[str, Any]]) -> None:
    raw = (
        "{" + ",".join(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in members) + "}"
    )
    if len({name for name, _ in members}) == len(members):
        assert json_body.parse(raw.encode()) == dict(members)
    else:
        assert "is given twice in one object" in refusal(raw.encode())


PATHS = (
    "/_sim/v1/health",
    "/_sim/v1/nothing",
    "/api/external/team-orders",
    "/api/teams/v1/orders",
    "/v1.1/museum-hours",
    "/openapi/partner.json",
    "/openapi/nothing.json",
    "/nothing",
)


@pytest.fixture(name="client")
def _client(simulator: Simulator) -> InProcessClient:
    """A client without a credential."""
    return simulator.client


@pytest.mark.parametrize("path", PATHS)
def test_a_json_body_ends_with_one_newline(client: InProcessClient, path: str) -> None:
    body = client.call("GET", path).body
    assert body.endswith((b"}\n", b"]\n"))
    assert body.count(b"\n") == 1


@pytest.mark.parametrize("path", PATHS)
def test_pretty_indents_the_same_json(client: InProcessClient, path: str) -> None:
    plain = client.call("GET", path).json()
    pretty = client.call("GET", f"{path}?pretty")
    assert without_request_id(pretty.json()) == without_request_id(plain)
    assert pretty.body.decode() == json.dumps(pretty.json(), indent=2, ensure_ascii=False) + "\n"


def test_pretty_is_not_a_parameter_of_a_call(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    response = partner.get("/team-orders?limit=1&pretty=true")
    assert response.body.startswith(b"{\n  ")
    assert [call["request"]["path"] for call in world.call_control("GET", "/calls")["calls"]][
        -1
    ] == "/api/external/team-orders?limit=1"


def test_another_value_of_pretty_is_an_unknown_parameter(client: InProcessClient) -> None:
    assert client.call("GET", "/_sim/v1/worlds?pretty=maybe").status == 400


def test_head_counts_the_newline(partner: PartnerClient) -> None:
    head = partner.call("HEAD", "/team-orders")
    assert (head.body, head.headers["content-length"]) == (b"", str(len(partner.get("/team-orders").body)))


def without_request_id(body: object) -> object:
    """A body without the request ids, which differ from call to call."""
    if isinstance(body, dict):
        return {name: without_request_id(value) for name, value in body.items() if name != "request_id"}
    return body


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("no recipient bo@example.com here", "no recipient [removed] here"),
        ("mailto bo%40example.com", "mailto [removed]"),
        ('"Bo <bo+gifts@sub.example.co.uk>"', '"Bo <[removed]>"'),
        ("see https://gifts.example/claim/w1/abc?x=1 now", "see [removed] now"),
        ("see //gifts.example/claim/w1/abc", "see [removed]"),
        ("see /claim/w1/abc", "see [removed]"),
        ("the key ptk_live_w1_a is revoked", "the key [removed] is revoked"),
        ("the key PK_TEST_w-1_Zz9", "the key [removed]"),
        ("session sess_w1_abc", "session [removed]"),
        ("signed by whsec_abcdefgh", "signed by [removed]"),
        ("see claim%2Fw1%2Fabc", "see [removed]"),
        ("token 0a1b2c3d4e5f6a7b!", "token [removed]!"),
        ("a@b, c@d; e@f: (g@h)", "[removed] [removed] [removed] [removed]"),
    ],
)
def test_what_grants_access_or_names_a_person_is_replaced(text: str, redacted: str) -> None:
    assert redact(text) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "recipients[0].email is required",
        "there is no operation at /api/teams/v1/team-orders/1001",
        "the order 1001 is canceled, not paid",
        "charge_refused_for_insufficient_funds",
        "1234567890123456",
        "0a1b2c3d4e5f6a7",
        "whsec_short",
        "@ alone",
    ],
)
def test_an_ordinary_message_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


def test_redacting_twice_changes_nothing_more() -> None:
    once = redact("bo@example.com at https://gifts.example/claim/w1/abc with ptk_live_w1_a")
    assert redact(once) == once == "[removed] at [removed] with [removed]"
