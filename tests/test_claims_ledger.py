"""Every claim about the service is named by a test, or excused in one place with a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from tests import claims as ledger

TESTS = Path(__file__).parent
HELP = 'see "Ids in docstrings" in CONTRIBUTING.md'

# The families of which every claim has to be named by a test: "P" partner, "T" team, "M" museum.
COVERED = ("M", "P", "T")

# Claims of a covered family that no test names, each with the reason why none can.
EXCUSED: Mapping[str, str] = MappingProxyType({})


def naming_calls(source: str) -> Iterator[ast.Call]:
    """Every call of `claims(...)` in the text, whether it decorates a test or marks a parameter."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "claims":
            yield node


def named_ids(source: str) -> Iterator[str]:
    """The ids those calls name; a ValueError for one that is not spelled out, since it could not be searched for."""
    for call in naming_calls(source):
        for argument in call.args:
            if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                raise ValueError(f"line {argument.lineno}: spell the id out, not `{ast.unparse(argument)}`")
            yield argument.value


def named_by_tests() -> frozenset[str]:
    """The ids named anywhere in the tests, read from their text so that nothing need be imported."""
    return frozenset(name for path in TESTS.rglob("*.py") for name in named_ids(path.read_text(encoding="utf-8")))


def test_every_id_named_by_a_test_is_a_known_claim() -> None:
    assert sorted(named_by_tests() - ledger.CLAIMS.keys()) == [], HELP


def test_every_claim_of_a_covered_family_is_named_by_a_test_or_excused() -> None:
    expected = {claim.id for claim in ledger.CLAIMS.values() if claim.family in COVERED}
    assert sorted(expected - named_by_tests() - EXCUSED.keys()) == [], HELP


def test_no_excuse_outlives_its_cause() -> None:
    assert sorted(EXCUSED.keys() - ledger.CLAIMS.keys()) == []
    assert sorted(EXCUSED.keys() & named_by_tests()) == []
    assert [name for name, reason in EXCUSED.items() if not reason.strip()] == []


def test_the_covered_families_exist() -> None:
    assert set(COVERED) <= {claim.family for claim in ledger.CLAIMS.values()}


def test_the_ledger_holds_each_id_once() -> None:
    text = ledger.LEDGER.read_text(encoding="utf-8")
    assert sum(line.startswith("- id: ") for line in text.splitlines()) == len(ledger.CLAIMS)


def test_ids_are_found_on_decorators_and_on_parameters() -> None:
    source = "@claims('A-1', 'A-2')\ndef test_x(): ...\ncase = pytest.param(1, marks=claims('B-1'))\n"
    assert list(named_ids(source)) == ["A-1", "A-2", "B-1"]


def test_an_id_that_is_computed_is_refused() -> None:
    with pytest.raises(ValueError, match="spell the id out"):
        list(named_ids("@claims(*IDS)\ndef test_x(): ...\n"))


@pytest.mark.parametrize("ids", [(), ("Z-9.9",), ("T-1.1", "Z-9.9")])
def test_the_decorator_refuses_what_the_ledger_does_not_hold(ids: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="no such claim"):
        ledger.claims(*ids)


def test_the_decorator_leaves_the_ids_on_the_test_as_a_mark() -> None:
    @ledger.claims("T-1.1", "T-1.2")
    def test_something() -> None: ...

    (mark,) = vars(test_something)["pytestmark"]
    assert (mark.name, mark.args) == ("claims", ("T-1.1", "T-1.2"))
