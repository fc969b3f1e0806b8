"""The result of an exam as data, which is the same for the page, the file and the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from giftsim.workbench.exam.exam import Exam, RuleResult, seed_hash
from giftsim.workbench.exam.rule import Outcome

FORMAT: Final = 1


def rule_row(result: RuleResult) -> dict[str, Any]:
    """A rule and how it came out. Texts that there are not are empty; `trace` is a path below the folder."""
    return {
        "id": result.rule.id,
        "rule": result.rule.rule,
        "sources": list(result.rule.sources),
        "outcome": str(result.outcome),
        "reason": result.reason or "",
        "why": result.why or "",
        "mend": result.mend or "",
        "trace": result.trace or "",
        "probes": result.probes,
    }


def exam_data(exam: Exam, runs: int | None) -> dict[str, Any]:
    """The result of an exam of an app as JSON data. `runs` is None where no count can be kept."""
    return {
        "exam": FORMAT,
        "app": exam.app.protocol.app,
        "seed": exam.seed,
        "seed_hash": seed_hash(exam.seed),
        "passed": exam.passed,
        "runs": runs,
        "rules": [rule_row(each) for each in exam.results.values()],
    }


def counts(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many rules had which outcome."""
    found = Counter(row["outcome"] for row in rows)
    return {str(outcome): found[outcome] for outcome in Outcome}
