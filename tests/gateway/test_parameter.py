"""Parameters: the value of a text, and what is said of a text that has none."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.gateway.parameter import InvalidValue, Parameter
from giftsim.engine.gateway.parameter_parsing import parse_path, parse_query
from giftsim.engine.gateway.problem import InvalidParameter, RouteNotFound
from tests.support.sample_api import gateway_state, make_call, sample_interface

COMPONENTS = {"components": {"schemas": {"Kind": {"enum": ["mug", "card"], "x-code": "invalid_kind"}}}}


def parameter(schema: dict[str, Any], **members: Any) -> Parameter:
    """A query parameter `p` of a schema."""
    return Parameter.read(COMPONENTS, {"name": "p", "in": "query", "schema": schema, **members})


def refusal(schema: dict[str, Any], text: str) -> tuple[str, str]:
    """What is expected, and the whole message."""
    with pytest.raises(InvalidValue) as refused:
        parameter(schema).parse(text)
    return refused.value.expected, str(refused.value)


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "integer"}, "-12", -12),
        ({"type": "integer", "minimum": 0}, "1000000000000000000", 10**18),
        ({"type": "integer", "minimum": 0}, str(2**63 - 1), 2**63 - 1),
        ({"type": "integer", "minimum": 1, "maximum": 3}, "1", 1),
        ({"type": "integer", "minimum": 1, "maximum": 3}, "3", 3),
        ({"type": "boolean"}, "true", True),
        ({"type": "boolean"}, "false", False),
        ({"type": "string", "enum": ["a", "b"]}, "b", "b"),
        ({"type": "string", "format": "date"}, "2028-02-29", "2028-02-29"),
        ({"format": "uuid"}, "0B6f5c9e-1f0a-4c61-8d4e-5b7f5e0a9a11", "0B6f5c9e-1f0a-4c61-8d4e-5b7f5e0a9a11"),
        ({"pattern": "^[a-z]+$"}, "abc", "abc"),
        ({"type": "string"}, "", ""),
        ({"maxLength": 3}, "äöü", "äöü"),
    ],
)
def test_a_text_that_fits_is_read_by_its_schema(schema: dict[str, Any], text: str, value: Any) -> None:
    parsed = parameter(schema).parse(text)
    assert (parsed, type(parsed)) == (value, type(value))


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        *[({"type": "integer"}, text, "p is a whole number") for text in ("", "1.0", "1e2", "+1", " 1", "٣")],
        ({"type": "integer"}, str(2**63), f"p is a whole number from -{2**63 - 1} to {2**63 - 1}"),
        ({"type": "integer", "minimum": 0}, str(2**63), f"p is a whole number from 0 to {2**63 - 1}"),
        ({"type": "integer", "minimum": 1}, "0", "p is a whole number from 1"),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "10", "p is a whole number from 1 to 9"),
        *[({"type": "boolean"}, text, "p is true or false") for text in ("True", "1", "")],
        ({"enum": ["a", "b"]}, "A", "p is one of a, b"),
        *[
            ({"format": "date"}, text, "p is a date written YYYY-MM-DD")
            for text in ("2027-02-29", "2027-1-4", "20270104", "2027-01-04T00:00")
        ],
        *[({"format": "uuid"}, text, "p is a UUID") for text in ("1", "0b6f5c9e1f0a4c618d4e5b7f5e0a9a11")],
    ],
)
def test_a_text_that_does_not_fit_is_refused_and_repeated(schema: dict[str, Any], text: str, expected: str) -> None:
    assert refusal(schema, text) == (expected, f"{expected}, not {text!r}")


def test_a_pattern_is_refused_in_words() -> None:
    assert refusal({"pattern": "^[A-Z]{2}$"}, "US\n")[1] == (
        "p is a two-letter country code in capitals, such as US, not 'US\\n'"
    )


def test_long_texts_are_refused_without_repeating_them() -> None:
    assert refusal({"maxLength": 3}, "abcd") == ("p is longer than 3 characters",) * 2
    assert refusal({}, "x" * 10_001) == ("p is longer than 10000 characters",) * 2


def test_a_repeated_text_is_cut() -> None:
    assert refusal({"type": "integer"}, "9" * 5_000)[0] == "p is a whole number"
    assert refusal({"type": "boolean"}, "x" * 100)[1] == f"p is true or false, not {'x' * 60!r}"


def test_a_parameter_that_is_not_given_has_its_default() -> None:
    assert parameter({"type": "integer", "default": 20}).parse(None) == 20
    assert parameter({"type": "integer"}).parse(None) is None


def test_a_required_parameter_must_be_given() -> None:
    with pytest.raises(InvalidValue, match=r"^parameter p is required$"):
        parameter({"type": "integer", "default": 20}, required=True).parse(None)


@pytest.mark.parametrize(("text", "value"), [("-5", 1), ("0", 1), ("7", 7), ("1000", 100)])
def test_a_number_out_of_bounds_can_be_clamped(text: str, value: int) -> None:
    assert parameter({"type": "integer", "minimum": 1, "maximum": 100}).parse(text, clamp=True) == value


def test_only_whole_numbers_between_two_bounds_are_clamped() -> None:
    with pytest.raises(InvalidValue):
        parameter({"type": "integer", "minimum": 1, "maximum": 100}).parse("1.5", clamp=True)
    with pytest.raises(InvalidValue):
        parameter({"type": "integer", "minimum": 1}).parse("0", clamp=True)


def test_a_code_is_the_parameters_own_before_that_of_its_schema() -> None:
    reference = {"$ref": "#/components/schemas/Kind"}
    assert parameter(reference).code == "invalid_kind"
    assert parameter(reference).parse("card") == "card"
    assert parameter(reference, **{"x-code": "own"}).code == "own"
    assert parameter({}).code is None


def test_a_path_id_can_name_what_it_identifies() -> None:
    assert parameter({}, **{"x-id": "order"}).noun == "order"
    assert parameter({}).noun is None


def test_declared_parameters_are_filled_in_with_their_defaults() -> None:
    call = make_call(query="kind=card")
    parse_query(call)
    assert call.query == {"limit": 20, "kind": "card"}


def test_every_invalid_parameter_is_named_and_the_first_gives_the_code() -> None:
    with pytest.raises(InvalidParameter) as refused:
        parse_query(make_call(query="kind=hat&limit=0"))
    assert (
        refused.value.message == "limit is a whole number from 1 to 100, not '0'; kind is one of mug, card, not 'hat'"
    )
    assert (refused.value.code, refused.value.details) == ("invalid_parameter", {})
    with pytest.raises(InvalidParameter) as refused:
        parse_query(make_call(query="kind=hat"))
    assert (refused.value.code, refused.value.details) == ("invalid_kind", {})


def test_a_parameter_given_twice_is_refused() -> None:
    with pytest.raises(InvalidParameter) as refused:
        parse_query(make_call(query="limit=1&limit=1"))
    assert refused.value.message == "the parameter limit is given 2 times"


def test_an_empty_value_is_a_value() -> None:
    with pytest.raises(InvalidParameter):
        parse_query(make_call(query="limit="))


def test_a_simulated_interface_ignores_unknown_parameters() -> None:
    call = make_call(query="limt=5")
    parse_query(call)
    assert call.query == {"limit": 20, "kind": None}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("limt=5", "unknown parameter 'limt'; did you mean limit?"),
        ("zzz=5", "unknown parameter 'zzz'; known are limit, kind"),
    ],
)
def test_the_control_api_refuses_unknown_parameters_by_name(query: str, message: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        parse_query(make_call(query=query, interface=sample_interface(simulated=False)))
    assert refused.value.message == message


def test_an_interface_can_refuse_without_repeating_input() -> None:
    with pytest.raises(InvalidParameter) as refused:
        parse_query(make_call(query="kind=secret", interface=sample_interface(echoes_input=False)))
    assert refused.value.message == "kind is one of mug, card"


def test_a_path_id_is_read_by_its_schema() -> None:
    call = make_call(path="/things/12")
    parse_path(call)
    assert call.params == {"id": 12}


@pytest.mark.parametrize(("malformed_id_is_404", "problem"), [(True, RouteNotFound), (False, InvalidParameter)])
def test_a_malformed_path_id_is_a_404_or_a_400_as_the_interface_says(
    malformed_id_is_404: bool, problem: type[Exception]
) -> None:
    interface = sample_interface(malformed_id_is_404=malformed_id_is_404)
    with pytest.raises(problem, match="id is a whole number from 1, not 'x'"):
        parse_path(make_call(path="/things/x", interface=interface))


def test_limits_are_clamped_where_the_world_says_so_and_nothing_else_is() -> None:
    state = gateway_state()
    state.setting_values["clamp_limits"] = True
    call = make_call(query="limit=1000", state=state)
    parse_query(call)
    assert call.query["limit"] == 100
    with pytest.raises(RouteNotFound):
        parse_path(make_call(path="/things/0", state=state))
    with pytest.raises(InvalidParameter):
        parse_query(make_call(query="limit=1000", state=state, interface=sample_interface(simulated=False)))
