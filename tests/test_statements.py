"""Each statement about the service is named by a test, or is an exception with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from giftsim.services.statements.statement import (
    KINDS,
    STATEMENTS_FILE,
    TESTS_FILE,
    load_statements,
    showing_tests,
)
from tests import shows as decorators
from tests.docs.pages import ROOT
from tools.docgen.statement_tests import ComputedId, naming_tests_in, statement_tests

HELP = 'see "Ids in docstrings" in CONTRIBUTING.md'

# Every statement of these families must be named by a test.
COVERED = ("museum", "partner", "team")

# Statements of a covered family that no test can name, each with the reason.
EXCEPTIONS: Final[Mapping[str, str]] = {}

SOURCE = """
CASES = [pytest.param(1, marks=shows("P-6.16")), pytest.param(2)]

@pytest.mark.parametrize("case", CASES)
def test_a(case): ...

@shows("P-6.2", "P-1.1")
class TestB:
    @shows("P-6.16")
    def test_c(self): ...

TestD = shows("M-2.1")(Machine.TestCase)

def test_e(): ...
"""


def test_the_list_of_showing_tests_is_up_to_date() -> None:
    assert TESTS_FILE.read_text(encoding="utf-8") == statement_tests(ROOT), "run `python -m tools docgen`"


def test_every_id_that_a_test_names_is_a_statement() -> None:
    assert sorted(showing_tests().keys() - load_statements().keys()) == [], HELP


def test_every_statement_of_a_covered_family_is_named_by_a_test() -> None:
    expected = {statement.id for statement in load_statements().values() if statement.family in COVERED}
    assert sorted(expected - showing_tests().keys() - EXCEPTIONS.keys()) == [], HELP


def test_exceptions_are_needed_and_have_reasons() -> None:
    assert sorted(EXCEPTIONS.keys() - load_statements().keys()) == []
    assert sorted(EXCEPTIONS.keys() & showing_tests().keys()) == []
    assert [name for name, reason in EXCEPTIONS.items() if not reason.strip()] == []


def test_there_are_539_statements_each_with_its_own_id() -> None:
    text = STATEMENTS_FILE.read_text(encoding="utf-8")
    assert sum(line.startswith("- id: ") for line in text.splitlines()) == len(load_statements()) == 539


def test_the_families_and_kinds_are_those_that_readers_can_ask_for() -> None:
    assert {statement.family for statement in load_statements().values()} == set(COVERED)
    assert {statement.kind for statement in load_statements().values()} == set(KINDS)


def test_ids_are_found_on_decorators_parameters_and_classes() -> None:
    assert list(naming_tests_in(SOURCE, "x.py")) == [
        ("x.py::test_a", ("P-6.16",)),
        ("x.py::TestB::test_c", ("P-1.1", "P-6.2", "P-6.16")),
        ("x.py::TestD::runTest", ("M-2.1",)),
    ]


def test_a_computed_id_is_refused() -> None:
    with pytest.raises(ComputedId, match="write the id as a literal"):
        list(naming_tests_in("@shows(*IDS)\ndef test_x(): ...\n", "x.py"))


@pytest.mark.parametrize("ids", [(), ("Z-9.9",), ("T-1.1", "Z-9.9")])
def test_the_decorator_refuses_unknown_ids(ids: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="unknown statement"):
        decorators.shows(*ids)


def test_the_decorator_adds_a_marker_with_the_ids() -> None:
    @decorators.shows("T-1.1", "T-1.2")
    def test_something() -> None: ...

    (mark,) = vars(test_something)["pytestmark"]
    assert (mark.name, mark.args) == ("shows", ("T-1.1", "T-1.2"))
