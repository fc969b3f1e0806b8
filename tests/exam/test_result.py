"""The result of the tests of an app, with their coverage and assumptions: `giftsim exam --tests`."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

from giftsim.workbench.exam.exam import RuleResult, seed_hash
from giftsim.workbench.exam.exam_rule import Outcome, Rule
from giftsim.workbench.exam.inputs import read_tests
from giftsim.workbench.exam.result import Beside, counts, exam_data
from tests.exam.command_line import data_of, run

AREA = {"met": ["createTeamOrder"], "missing": ["cancelTeamOrder"], "apart": [], "percent": 50.0}
FILES = ("passing.xml", "junit.xml")
COVERAGE = {"areas": {"operations": AREA, "events": {**AREA, "missing": [], "percent": 100.0}}, "next": []}
LEANING = {"test": "test_shop.py::test_mug", "decision": "B25", "variant": "slow_parcels", "failure": "assert <1> == 2"}


def test_tests_that_failed_fail_the_result(folder: Path) -> None:
    done = run("--tests", "junit.xml", "--label", "app=1.4=2", "--out", "made", "--json")
    assert done.exit_code == 1, done.output
    verdict = json.loads(done.stdout)
    assert verdict == {"seed": None, "seed_hash": "", "passed": False, "runs": None, "rules": []}
    data = data_of(folder / "made")
    assert data["tests"]["counts"] == {"passed": 1, "failed": 1, "error": 1, "skipped": 1}
    assert [case["message"] for case in data["tests"]["not_passed"]] == ["assert 1 == <b>", "no shop", "later"]
    assert (data["labels"], data["tests"]["seeds"]) == ({"app": "1.4=2"}, ["random_seed 42"])


def test_tests_that_passed_pass(folder: Path) -> None:
    done = run("--tests", "passing.xml")
    assert (done.exit_code, done.stdout) == (0, "No test failed.\n.giftsim/exam/exam.html\n")


def test_coverage_and_assumptions_stand_beside_the_tests(folder: Path) -> None:
    (folder / "coverage.json").write_text(json.dumps({**COVERAGE, "met": ["the keeper's own"]}))
    (folder / "assumptions.json").write_text('[{"id": "A1", "text": "Cents are <whole>"}]')
    beside = ("--coverage", "coverage.json", "--assumptions", "assumptions.json")
    assert run("--tests", "passing.xml", *beside, "--out", "made").exit_code == 0
    data, page = data_of(folder / "made"), (folder / "made" / "exam.html").read_text()
    assert data["coverage"] == COVERAGE
    assert data["assumptions"] == [{"id": "A1", "text": "Cents are <whole>"}]
    assert "operations: 1 missing" in page
    assert "Cents are &lt;whole&gt;" in page
    assert '<b>50%</b> <span class="soft">operations, events 100%</span>' in page


def test_tests_that_lean_on_a_guess_are_explained(folder: Path) -> None:
    (folder / "found.json").write_text(json.dumps({"touched": ["B25", "B1"], "leaning": [LEANING], "safe": ["B1"]}))
    assert run("--assumptions", "found.json", "--out", "made").exit_code == 0
    data, page = data_of(folder / "made"), (folder / "made" / "exam.html").read_text()
    [row] = data["assumptions"]["leaning"]
    assert {**row, **LEANING} == row
    assert (row["title"], row["other"]) == ("Lead times", "They take about twice as long.")
    assert "<pre>assert &lt;1&gt; == 2</pre>" in page
    assert "Not documented: The documents do not say how long production and shipping take." in page
    assert '<b>1</b> <span class="soft">test leans on a guess</span>' in page


def test_an_input_that_cannot_be_read_leaves_the_earlier_result(folder: Path) -> None:
    run("--tests", "passing.xml")
    before = data_of(folder / ".giftsim/exam")
    assert run("--tests", "passing.xml", "--coverage", "junit.xml").exit_code == 2
    assert data_of(folder / ".giftsim/exam") == before


class Held:
    """An exam that was held."""

    def __init__(self, *outcomes: Outcome) -> None:
        rules = [Rule(id=f"rule_{n}", rule="It holds.", sources=("P-4.17",), probes=()) for n in range(len(outcomes))]
        self.results = {each.id: RuleResult(each, outcome) for each, outcome in zip(rules, outcomes, strict=True)}
        self.seed, self.passed = 5, Outcome.FAILED not in outcomes

    def hold(self) -> Generator[RuleResult]:
        """It was held already."""
        yield from ()

    def close(self) -> None:
        """Nothing is open."""


def test_what_fails_beside_an_exam_fails_the_whole(folder: Path) -> None:
    held = Held(Outcome.PASSED, Outcome.NOT_OFFERED)
    alone = Beside(labels={}, versions={})
    passing, failing = (Beside(labels={}, versions={}, tests=read_tests([folder / name])) for name in FILES)
    assert [exam_data(held, each)["passed"] for each in (alone, passing, failing)] == [True, True, False]
    data = exam_data(Held(Outcome.FAILED, Outcome.SKIPPED), alone, app="http://127.0.0.1:1", runs=2)
    assert (data["passed"], data["seed"], data["seed_hash"], data["runs"]) == (False, 5, seed_hash(5), 2)
    assert counts(data["rules"]) == {"passed": 0, "failed": 1, "not_offered": 0, "skipped": 1}
