"""The beginning of a large invalid body: what is wrong with it is found, and little more than that is examined."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.gateway.body_schema import SIZE, Schema, excerpt, invalid_part

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
