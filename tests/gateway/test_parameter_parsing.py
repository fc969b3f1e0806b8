"""Query and path parameters of a call: what is filled in, and how several mistakes are reported."""

from __future__ import annotations

import pytest

from giftsim.gateway.parameter_parsing import parse_path, parse_query
from giftsim.gateway.problem import InvalidParameter, RouteNotFound
from tests.support.sample_api import gateway_state, make_call, sample_interface


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
