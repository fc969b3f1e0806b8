"""Unknown fields: members of a body that no schema names, wherever they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from giftsim.engine.gateway import middleware, rate_limits
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.execute import Stack, transact
from giftsim.engine.gateway.ignored_members import find_unknown_fields
from giftsim.engine.gateway.problem import RateLimited
from giftsim.engine.kernel.instants import MINUTE, SECOND, parse_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState, Problem
from tests.support.sample_api import gateway_state, make_call, sample_interface

NOW_MS = parse_instant("2027-01-04T09:00:20Z")


@pytest.fixture
def state() -> State:
    """A world 20 seconds into a minute, in which the plan of the callers allows two calls."""
    state = gateway_state(now_ms=NOW_MS)
    state.setting_values["rate_limits.starter"] = 2
    return state


def counted(state: State, caller: str = "ada") -> Call:
    """A call that was counted."""
    call = make_call(state=state, caller=caller)
    rate_limits.count(call)
    return call


def refused(state: State) -> tuple[Call, str]:
    """A call beyond the limit, and the message with which it is refused."""
    call = make_call(state=state)
    with pytest.raises(RateLimited) as problem:
        rate_limits.count(call)
    return call, problem.value.message


def test_headers_say_how_many_calls_are_left_and_when_the_window_ends(state: State) -> None:
    end_s = str((NOW_MS + 40 * SECOND) // SECOND)
    assert [counted(state).headers for _ in range(2)] == [
        {"X-RateLimit-Limit": "2", "X-RateLimit-Remaining": left, "X-RateLimit-Reset": end_s} for left in ("1", "0")
    ]


def test_a_call_beyond_the_limit_is_refused_until_the_minute_ends(state: State) -> None:
    counted(state), counted(state)
    call, message = refused(state)
    assert call.headers["X-RateLimit-Remaining"] == "0"
    assert call.headers["Retry-After"] == "40"
    assert message == (
        "more than 2 calls in this minute on the plan starter; this world's clock does not run: advance it by 40s, to"
        " 2027-01-04T09:01:00Z"
    )


def test_a_running_clock_is_waited_for(state: State) -> None:
    counted(state), counted(state)
    state.rate = 1.0
    assert refused(state)[1] == "more than 2 calls in this minute on the plan starter; wait until 2027-01-04T09:01:00Z"


def test_a_part_of_a_second_counts_as_a_whole_one(state: State) -> None:
    counted(state), counted(state)
    state.now_ms += 1
    assert refused(state)[0].headers["Retry-After"] == "40"
    state.now_ms += 998
    assert refused(state)[0].headers["Retry-After"] == "40"
    state.now_ms += 1
    assert refused(state)[0].headers["Retry-After"] == "39"


def test_a_refused_call_does_not_count(state: State) -> None:
    counted(state), counted(state)
    meters = dict(state.meters)
    refused(state)
    assert state.meters == meters


def test_the_next_minute_begins_with_an_empty_window(state: State) -> None:
    counted(state), counted(state)
    state.now_ms += 40 * SECOND - 1
    refused(state)
    state.now_ms += 1
    assert counted(state).headers["X-RateLimit-Remaining"] == "1"
    state.now_ms += 60 * MINUTE
    assert counted(state).headers["X-RateLimit-Remaining"] == "1"


def test_every_bucket_has_a_window_of_its_own(state: State) -> None:
    counted(state), counted(state)
    assert counted(state, caller="bo").headers["X-RateLimit-Remaining"] == "1"
    refused(state)


def test_windows_do_not_roll_back_with_a_transaction(state: State) -> None:
    def count_and_fail() -> None:
        with state.transaction():
            counted(state)
            raise InvalidState("the order is canceled")

    with pytest.raises(InvalidState):
        count_and_fail()
    assert counted(state).headers["X-RateLimit-Remaining"] == "0"


def test_a_response_keeps_its_own_headers() -> None:
    call, response = make_call(), Response(200, headers={"Retry-After": "5"})
    call.headers = {"Retry-After": "40", "Allow": "GET"}
    rate_limits.add_headers(response, call)
    assert response.headers == {"Retry-After": "5", "Allow": "GET"}


NAME = {"properties": {"name": {"type": "string"}}}
AGE = {"properties": {"age": {"type": "integer"}}}


def unknown(schema: Mapping[str, Any], body: Any) -> list[tuple[str | None, str]]:
    """The code and message of every unknown member."""
    return [(violation.code, violation.message) for violation in find_unknown_fields(schema, body)]


def test_a_member_that_the_schema_does_not_name_is_found() -> None:
    assert unknown(NAME, {"name": "Bo", "nmae": "Bo"}) == [(None, "nmae: unknown member")]
    assert unknown(NAME, {"name": "Bo"}) == []


def test_members_are_found_in_objects_and_arrays_within() -> None:
    schema = {"properties": {"people": {"items": NAME}, "boss": NAME}}
    body = {"people": [{"name": "a"}, {"nmae": "b"}], "boss": {"nmae": "c"}}
    assert unknown(schema, body) == [(None, "people[1].nmae: unknown member"), (None, "boss.nmae: unknown member")]


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_a_member_named_by_one_of_several_schemas_is_known(keyword: str) -> None:
    schema = {keyword: [NAME, AGE]}
    assert unknown(schema, {"name": "Bo", "age": 7}) == []
    assert unknown(schema, {"agee": 7}) == [(None, "agee: unknown member")]


@pytest.mark.parametrize(
    ("body", "unknown_members"),
    [
        ({"name": "Bo", "age": 7}, []),
        ({"name": "Bo", "size": 7}, ["size"]),
        ({"size": 7}, []),
        ({"age": 7}, ["age"]),
    ],
)
def test_a_condition_makes_the_members_of_the_branch_that_it_selects_known(
    body: Any, unknown_members: list[str]
) -> None:
    schema = {**NAME, "if": {"required": ["name"]}, "then": AGE, "else": {"properties": {"size": {}}}}
    assert unknown(schema, body) == [(None, f"{name}: unknown member") for name in unknown_members]


def test_a_condition_may_refer_to_a_component() -> None:
    schema = {
        **NAME, "if": {"$ref": "#/components/schemas/Named"}, "then": AGE,
        "components": {"schemas": {"Named": {"required": ["name"]}}},
    }  # fmt: skip
    assert unknown(schema, {"name": "Bo", "age": 7}) == []
    assert unknown(schema, {"age": 7}) == [(None, "age: unknown member")]


def test_references_are_followed() -> None:
    schema = {"$ref": "#/components/schemas/Person", "components": {"schemas": {"Person": NAME}}}
    assert unknown(schema, {"name": "Bo", "age": 7}) == [(None, "age: unknown member")]


def test_an_object_without_named_members_may_have_any() -> None:
    assert unknown({"type": "object"}, {"anything": {"at": "all"}}) == []
    assert unknown({"properties": {"extra": {"type": "object"}}}, {"extra": {"a": 1}}) == []


def test_members_of_a_map_are_checked_by_its_schema() -> None:
    schema = {"additionalProperties": NAME}
    assert unknown(schema, {"a": {"name": "Bo"}, "b": {"nmae": "Bo"}}) == [(None, "b.nmae: unknown member")]


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ({}, "bad_body"),
        ({"x-code": "bad_person"}, "bad_person"),
        ({"x-code": {"additionalProperties": "unknown_member", "*": "bad_person"}}, "unknown_member"),
        ({"x-code": {"*": "bad_person"}}, "bad_person"),
        ({"x-code": {"required": "person_required"}}, "bad_body"),
    ],
)
def test_the_nearest_node_with_a_code_gives_it(inner: Mapping[str, Any], code: str) -> None:
    schema = {"x-code": "bad_body", "properties": {"boss": {**NAME, **inner}}}
    assert unknown(schema, {"boss": {"x": 1}}) == [(code, "boss.x: unknown member")]


@pytest.mark.parametrize("body", [None, 1, "text", [], [1, [2]]])
def test_what_is_not_an_object_has_no_members(body: object) -> None:
    assert unknown(NAME, body) == []


def test_a_violation_can_be_reported_without_the_members_name() -> None:
    (violation,) = find_unknown_fields(NAME, {"secret": 1})
    assert (violation.path, violation.keyword) == (("secret",), "additionalProperties")
    assert violation.safe_message == "is not known"


def test_unknown_members_are_refused_where_the_world_says_so() -> None:
    state = gateway_state()

    def validate(**fields: Any) -> Response:
        call = make_call("POST", "/things", state=state, interface=sample_interface(**fields))
        call.body = {"name": "a", "nmae": "b"}
        return Stack(middleware.validate_body, transact).plan(call)(call)

    assert validate().status == 200
    state.set_setting("strict_bodies", True)
    with pytest.raises(Problem, match=r"^nmae: unknown member$"):
        validate()
    assert validate(can_refuse_unknown_fields=False).status == 200
    assert validate(simulated=False).status == 200
