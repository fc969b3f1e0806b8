"""The page of an exam: its sentence, its findings, and the commands that repeat them."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.workbench.exam.findings import findings
from giftsim.workbench.exam.page.exam_page import exam_page, verdict

TESTS = {"counts": {"passed": 1, "failed": 0, "error": 1, "skipped": 0}, "seeds": [], "suites": [], "not_passed": []}


def data_with(*outcomes: str, **members: Any) -> dict[str, Any]:
    """The data of an exam whose rules came out like this."""
    rule = {"rule": "It holds.", "sources": ["P-4.17"], "reason": "", "why": "", "mend": "", "trace": "", "probes": 1}
    rows = [{**rule, "id": f"rule_{n}", "outcome": outcome} for n, outcome in enumerate(outcomes)]
    return {
        "seed": 7,
        "seed_hash": "9f",
        "passed": False,
        "runs": 1,
        "rules": rows,
        "findings": findings(rows),
        "app": "http://127.0.0.1:9100",
        "receiver": None,
        "only": [],
        "stopped": "",
        "labels": {},
        "versions": {"giftsim": "1.0", "contracts": {}},
        "tests": None,
        "coverage": None,
        "assumptions": None,
        **members,
    }


@pytest.mark.parametrize(
    ("outcomes", "members", "sentence"),
    [
        (("passed",), {}, "1 rule is obeyed."),
        (("passed", "passed", "not_offered"), {}, "2 rules are obeyed, 1 is not offered."),
        (("passed", "failed", "skipped"), {}, "1 of 3 rules is broken."),
        (("failed", "failed"), {"tests": TESTS}, "2 of 2 rules are broken. 1 test failed."),
        (("passed", "skipped", "skipped"), {}, "2 of 3 rules were not reached."),
        (("not_offered",), {}, "The app does nothing of what the rules ask for."),
        ((), {"tests": TESTS}, "1 test failed."),
        ((), {}, "Nothing was examined."),
    ],
)
def test_the_verdict_is_a_sentence(outcomes: tuple[str, ...], members: dict[str, Any], sentence: str) -> None:
    assert verdict(data_with(*outcomes, **members)) == sentence


@pytest.mark.parametrize(
    ("of", "command"),
    [
        ({}, "giftsim exam --app http://127.0.0.1:9100 --seed 7 --only rule_0"),
        (
            {"app": None, "receiver": "http://127.0.0.1:9000/a?b=c&d"},
            "giftsim exam --receiver 'http://127.0.0.1:9000/a?b=c&d' --seed 7 --only rule_0",
        ),
    ],
)
def test_a_finding_has_the_command_that_draws_it_again(of: dict[str, Any], command: str) -> None:
    page = exam_page(data_with("failed", **of)).decode()
    assert command.replace("&", "&amp;").replace("'", "&#39;") in page


def test_a_limited_exam_says_so() -> None:
    page = exam_page(data_with("passed", only=["rule_0", "receiver"])).decode()
    assert "Only rule_0, receiver, not the whole exam" in page
