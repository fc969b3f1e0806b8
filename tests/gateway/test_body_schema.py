"""Schemas of bodies: what a violation says, which error code it has, and how ids depend on the mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from giftsim.engine.gateway.body_parts import SIZE, excerpt, invalid_part
from giftsim.engine.gateway.body_schema import Schema, Violation, dotted
from giftsim.engine.problem import MAX_COUNTED

ROW = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "tags": {"type": "array"}}}
SCHEMA = Schema(
    {
        "type": "object", "required": ["rows", "last"],
        "properties": {"rows": {"type": "array", "minItems": 2, "items": ROW}, "last": {"type": "integer"}},
    },
    {},
)  # fmt: skip
KNOWN = frozenset({"rows", "last", "name", "tags"})


def rows(valid: int, invalid: int) -> dict[str, Any]:
    """A body with so many valid rows and then so many invalid ones."""
    return {"rows": [{"name": "Bo"}] * valid + [5] * invalid, "last": 1}


def size(value: Any) -> int:
    """The number of values in a value, itself included."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(size, inner))


@pytest.mark.parametrize("valid", [0, 10, 3_000, 40_000, 99_999])
def test_the_first_violations_of_a_long_list_are_found_wherever_they_are(valid: int) -> None:
    violations = SCHEMA.violations(rows(valid, 50_000))
    assert violations[0].path == ("rows", valid)
    assert 0 < len(violations) <= 2 * SIZE


@given(
    st.sets(st.integers(0, 12_000) | st.sampled_from([1_665, 1_666, 2_499, 2_500, 4_999, 5_000, 12_000]), max_size=40),
    st.booleans(),
)
@settings(max_examples=20)
@example({12_000}, False)
def test_every_invalid_entry_of_a_long_list_is_found_once(bad: set[int], last: bool) -> None:
    body = rows(12_001, 0)
    for i in bad:
        body["rows"][i] = {"name": 5, "tags": [i]}
    if last:
        body["last"] = "x"
    found = [violation.path for violation in SCHEMA.violations(body)]
    expected = {("rows", i, "name") for i in bad} | ({("last",)} if last else set())
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_no_more_than_the_largest_number_of_errors_is_counted() -> None:
    assert len(SCHEMA.violations(rows(5, 70_000))) == MAX_COUNTED


def test_a_list_that_is_too_long_is_found_if_its_entries_are_valid() -> None:
    schema = Schema({"type": "object", "properties": {"rows": {"type": "array", "maxItems": 6_000}}}, {})
    (violation,) = schema.violations({"rows": [1] * 7_000, "other": [[2] * 9] * 900})
    assert (violation.path, violation.keyword) == (("rows",), "maxItems")


def test_of_a_small_body_every_violation_is_found() -> None:
    violations = SCHEMA.violations({**rows(3, 2), "last": "x"})
    assert {violation.path for violation in violations} == {("last",), ("rows", 3), ("rows", 4)}


def test_members_that_the_schema_names_are_kept_and_lists_do_not_become_too_short() -> None:
    body = {"rows": [{"name": "Bo", "tags": [1, 2, 3], "x": 1}] * 9, "other": [1] * 9, "last": 1}
    part = excerpt(body, 5, KNOWN)
    assert part == {"rows": [{"name": "Bo", "tags": [1, 2]}] * 2, "last": 1}
    assert SCHEMA.is_valid(part)


def test_nothing_is_missing_in_the_beginning_of_a_body_that_has_it_at_its_end() -> None:
    body = {**{f"unknown{i}": i for i in range(3 * SIZE)}, **rows(2, 1)}
    assert [violation.path for violation in SCHEMA.violations(body)] == [("rows", 2)]


def test_what_is_examined_does_not_grow_with_the_body() -> None:
    examined: list[int] = []

    def is_valid(part: Any) -> bool:
        examined.append(size(part))
        return SCHEMA.is_valid(part)

    for invalid in (100, 100_000):
        part = invalid_part(rows(10_000, invalid), KNOWN, is_valid)
        assert size(part) <= 2 * 10_000 + SIZE + 10
    assert len(examined) <= 20


NO_COMPONENTS: dict[str, Any] = {"components": {"schemas": {}}}
MODE_ID = {"x-mode-id": True, "type": ["integer", "string"], "minimum": 1, "format": "uuid"}
UUID = "0b6f5c9e-1f0a-4c61-8d4e-5b7f5e0a9a11"


def violations(schema: Mapping[str, Any], body: Any) -> list[Violation]:
    """What a schema without components finds in a body."""
    return Schema(schema, NO_COMPONENTS).violations(body)


def of_name(node: Mapping[str, Any], **outer: Any) -> dict[str, Any]:
    """The schema of an object that requires a member `name`."""
    return {"type": "object", "required": ["name"], "properties": {"name": node}, **outer}


def only(schema: Mapping[str, Any], body: Any) -> Violation:
    """The one violation of a body."""
    (violation,) = violations(schema, body)
    return violation


def test_a_body_that_fits_has_no_violations() -> None:
    assert violations(of_name({"type": "string"}), {"name": "Bo"}) == []


@pytest.mark.parametrize(
    ("inner", "outer", "code"),
    [
        ({"x-code": "bad_name"}, {"x-code": "bad_body"}, "bad_name"),
        ({}, {"x-code": "bad_body"}, "bad_body"),
        ({}, {}, None),
        ({"x-code": {"type": "wrong_type", "*": "bad_name"}}, {}, "wrong_type"),
        ({"x-code": {"maxLength": "too_long", "*": "bad_name"}}, {}, "bad_name"),
        ({"x-code": {"maxLength": "too_long"}}, {"x-code": "bad_body"}, "bad_body"),
        ({}, {"x-code": {"type": "not_an_object", "*": "bad_body"}}, "bad_body"),
    ],
)
def test_the_innermost_node_that_names_a_code_decides(
    inner: Mapping[str, Any], outer: Mapping[str, Any], code: str | None
) -> None:
    violation = only(of_name({"type": "string", **inner}, **outer), {"name": 1})
    assert (violation.code, violation.path, violation.keyword) == (code, ("name",), "type")


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ({"x-code": {"required": "name_required"}}, "name_required"),
        ({"x-code": "bad_name"}, "bad_body"),
        ({}, "bad_body"),
    ],
)
def test_a_missing_member_has_the_code_that_its_own_node_gives_for_it(inner: Mapping[str, Any], code: str) -> None:
    violation = only(of_name(inner, **{"x-code": "bad_body"}), {})
    assert (violation.code, violation.path, violation.keyword) == (code, ("name",), "required")
    assert violation.message == "name: is required"


def test_a_code_is_found_through_references() -> None:
    components = {
        "Name": {"type": "string"},
        "Person": {**of_name({"$ref": "#/components/schemas/Name"}), "x-code": "bad_person"},
        "Unused": {"$ref": "#/components/schemas/Missing"},
    }
    people = {"type": "array", "items": {"$ref": "#/components/schemas/Person"}, "x-code": "bad_list"}
    schema = Schema(people, {"components": {"schemas": components}})
    (violation,) = schema.violations([{"name": "Bo"}, {"name": 2}])
    assert (violation.code, violation.path) == ("bad_person", (1, "name"))
    assert list(schema.document["components"]["schemas"]) == ["Person", "Name"]


def test_the_contract_can_say_what_is_expected() -> None:
    assert only(of_name({"type": "string", "x-message": "is a first name"}), {"name": 1}).message == (
        "name: is a first name"
    )
    own = {"type": "string", "maxLength": 2, "x-message": {"maxLength": "has two letters"}}
    assert only(of_name(own), {"name": "abc"}).message == "name: has two letters"
    assert only(of_name(own), {"name": 1}).safe_message == "must be text"


@given(st.text(min_size=3, max_size=300))
def test_a_safe_message_never_repeats_the_body(secret: str) -> None:
    body = {"name": f"<{secret}>", "count": f"<{secret}>", f"<{secret}>": 1, "kind": f"<{secret}>"}
    schema = {
        "type": "object",
        "properties": {
            "name": {"maxLength": 2},
            "count": {"type": "integer"},
            "kind": {"enum": ["mug"]},
        },
        "additionalProperties": False,
    }
    found = violations(schema, body)
    assert {violation.keyword for violation in found} == {"maxLength", "type", "enum", "additionalProperties"}
    assert not any(f"<{secret}>" in violation.safe_message for violation in found)


def test_the_value_in_a_message_is_cut() -> None:
    message = only(of_name({"type": "integer"}), {"name": "x" * 1_000}).message
    assert message == f"name: must be a whole number, not '{'x' * 57}...'"


@pytest.mark.parametrize("kind", ["integer", ["integer", "null"], ["string", "integer"]])
@pytest.mark.parametrize("number", [1.0, -0.0, 1e300])
def test_a_number_like_one_point_zero_is_not_an_integer(kind: Any, number: float) -> None:
    violation = only(of_name({"type": kind, "x-code": {"type": "no_integer"}}), {"name": number})
    assert (violation.code, violation.path, violation.keyword) == ("no_integer", ("name",), "type")
    assert violation.message.startswith("name: must be ")
    assert violation.message.endswith(f", not {number}")


def test_a_number_with_a_fraction_has_one_violation_and_a_float_may_be_whole() -> None:
    assert only(of_name({"type": "integer"}), {"name": 1.5}).keyword == "type"
    assert violations(of_name({"type": "number"}), {"name": 1.0}) == []
    assert violations(of_name({"type": "integer"}), {"name": 2**70}) == []
    assert violations(of_name({"type": "integer"}), {"name": True}) != []


def test_one_branch_of_two_that_takes_an_integer_refuses_one_point_zero() -> None:
    either = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert violations(of_name(either), {"name": 1}) == []
    assert only(of_name(either), {"name": 1.0}).keyword == "anyOf"


@pytest.mark.parametrize(
    ("day", "fits"),
    [("0001-01-01", True), ("9999-12-31", True), ("0000-01-01", False), ("10000-01-01", False), ("2027-02-29", False),
     ("2027-1-1", False), ("2027-01-01\n", False), ("2027-W01-1", False)],
)  # fmt: skip
def test_a_date_is_in_the_years_1_to_9999(day: str, fits: bool) -> None:
    assert (violations({"type": "string", "format": "date"}, day) == []) is fits


@pytest.mark.parametrize(
    ("mode", "fitting", "unfit"),
    [("live", [1, 77], [0, "1", UUID, None]), ("test", [UUID], [1, "1", None])],
)
def test_an_id_is_a_number_in_live_mode_and_a_uuid_in_test_mode(
    mode: str, fitting: list[Any], unfit: list[Any]
) -> None:
    schema = Schema(of_name(MODE_ID), NO_COMPONENTS).for_mode(mode)
    assert [schema.violations({"name": value}) for value in fitting] == [[]] * len(fitting)
    assert all(schema.violations({"name": value}) for value in unfit)


def test_a_nullable_id_stays_nullable_in_every_mode() -> None:
    schema = Schema(of_name({**MODE_ID, "type": ["integer", "string", "null"]}), NO_COMPONENTS)
    assert [schema.for_mode(mode).violations({"name": None}) for mode in ("live", "test")] == [[], []]


def test_a_schema_without_mode_ids_is_the_same_in_every_mode() -> None:
    schema = Schema(of_name({"type": "string"}), NO_COMPONENTS)
    assert schema.for_mode("live") is schema.for_mode("test") is schema
    moded = Schema(of_name(MODE_ID), NO_COMPONENTS)
    assert moded.for_mode("live") is moded.for_mode("live") is not moded


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), "body"),
        (("a",), "a"),
        (("a" * 300,), "a" * 197 + "..."),
        (("recipients", 0, "email"), "recipients[0].email"),
        ((2, "a"), "[2].a"),
    ],
)
def test_a_path_is_written_with_dots_and_brackets(path: tuple[str | int, ...], text: str) -> None:
    assert dotted(path) == text


EITHER = {"anyOf": [of_name({"type": "string"}), {"type": "array", "items": of_name({"type": "string"})}]}


@pytest.mark.parametrize(
    ("body", "path"),
    [({"name": 1}, ("name",)), ([{"name": "Bo"}, {"name": 1}], (1, "name")), (1, ())],
)
def test_of_alternatives_the_one_that_a_value_is_meant_for_says_what_is_wrong(body: Any, path: tuple[Any, ...]) -> None:
    assert only(EITHER, body).path == path


def test_alternatives_with_a_message_are_not_looked_into() -> None:
    violation = only({**EITHER, "x-message": "must be a name or names"}, [{"name": 1}])
    assert (violation.path, violation.message) == ((), "body: must be a name or names")


def test_a_value_of_the_wrong_type_is_reported_once() -> None:
    kind = {"type": "string", "enum": ["mug", "card"]}
    assert only(of_name(kind), {"name": 5}).message == "name: must be text, not 5"
    assert only(of_name(kind), {"name": "cup"}).message == "name: must be one of mug, card, not 'cup'"


PLACED = Schema(
    {"type": "object", "additionalProperties": {"type": "object", "properties": {"id": {"type": "integer"}}}}, {}
)


NAMES = st.sampled_from(["", "0", "00", "02", "+2", "2", "-2", "a/b", "a~1b", "~0"]) | st.text(max_size=3)


@given(st.dictionaries(NAMES, st.sampled_from([{"id": "x"}, {"id": 1}, 5]), max_size=4))
@example({"02": {"id": "x"}, "2": 1})
@example({"": {"id": "x"}})
def test_violations_are_found_under_any_name(body: dict[str, Any]) -> None:
    wrong = {name for name, value in body.items() if value != {"id": 1}}
    violations = PLACED.violations(body)
    assert bool(violations) == bool(wrong)
    if len(body) == 1 and "" not in body:
        assert [violation.path[0] for violation in violations] == list(wrong)
