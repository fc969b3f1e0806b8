"""Each claim about the service is named by a test, or is an exception with a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from giftsim.claims.claim import CLAIMS_FILE, load_claims
from tests import claims as decorators

TESTS = Path(__file__).parent
HELP = 'see "Ids in docstrings" in CONTRIBUTING.md'

# Every claim of these families must be named by a test.
COVERED = ("museum", "partner", "team")

# Claims of a covered family that no test can name, each with the reason.
EXCEPTIONS: Mapping[str, str] = MappingProxyType({})


def naming_calls(source: str) -> Iterator[ast.Call]:
    """Every call of `claims(...)` in the source: decorators of tests and marks of parameters."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "claims":
            yield node


def named_ids(source: str) -> Iterator[str]:
    """The ids in these calls. ValueError for an id that is not a literal, since a search would not find it."""
    for call in naming_calls(source):
        for argument in call.args:
            if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                raise ValueError(f"line {argument.lineno}: write the id as a literal, not `{ast.unparse(argument)}`")
            yield argument.value


def named_by_tests() -> frozenset[str]:
    """The ids named in the tests, read from their source without importing it."""
    return frozenset(name for path in TESTS.rglob("*.py") for name in named_ids(path.read_text(encoding="utf-8")))


def test_every_id_that_a_test_names_is_a_claim() -> None:
    assert sorted(named_by_tests() - load_claims().keys()) == [], HELP


def test_every_claim_of_a_covered_family_is_named_by_a_test() -> None:
    expected = {claim.id for claim in load_claims().values() if claim.family in COVERED}
    assert sorted(expected - named_by_tests() - EXCEPTIONS.keys()) == [], HELP


def test_exceptions_are_needed_and_have_reasons() -> None:
    assert sorted(EXCEPTIONS.keys() - load_claims().keys()) == []
    assert sorted(EXCEPTIONS.keys() & named_by_tests()) == []
    assert [name for name, reason in EXCEPTIONS.items() if not reason.strip()] == []


def test_the_covered_families_exist() -> None:
    assert set(COVERED) <= {claim.family for claim in load_claims().values()}


def test_each_claim_has_its_own_id() -> None:
    text = CLAIMS_FILE.read_text(encoding="utf-8")
    assert sum(line.startswith("- id: ") for line in text.splitlines()) == len(load_claims())


def test_ids_are_found_on_decorators_and_on_parameters() -> None:
    source = "@claims('A-1', 'A-2')\ndef test_x(): ...\ncase = pytest.param(1, marks=claims('B-1'))\n"
    assert list(named_ids(source)) == ["A-1", "A-2", "B-1"]


def test_a_computed_id_is_refused() -> None:
    with pytest.raises(ValueError, match="write the id as a literal"):
        list(named_ids("@claims(*IDS)\ndef test_x(): ...\n"))


@pytest.mark.parametrize("ids", [(), ("Z-9.9",), ("T-1.1", "Z-9.9")])
def test_the_decorator_refuses_unknown_ids(ids: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="unknown claim"):
        decorators.claims(*ids)


def test_the_decorator_adds_a_marker_with_the_ids() -> None:
    @decorators.claims("T-1.1", "T-1.2")
    def test_something() -> None: ...

    (mark,) = vars(test_something)["pytestmark"]
    assert (mark.name, mark.args) == ("claims", ("T-1.1", "T-1.2"))
