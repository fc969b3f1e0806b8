"""The result of an exam as data, which is the same for the page, the file, JUnit and the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec

from giftsim.workbench.exam.exam import RuleResult, seed_hash
from giftsim.workbench.exam.exam_rule import Outcome
from giftsim.workbench.exam.findings import findings
from giftsim.workbench.exam.junit import JunitTests

VERDICT: Final = ("seed", "seed_hash", "passed", "runs", "rules")  # what `--json` prints


class AnyExam(Protocol):
    """An exam of an app, or of its receiver alone."""

    seed: int

    @property
    def results(self) -> Mapping[str, RuleResult]:
        """The result of each rule by its id."""

    @property
    def passed(self) -> bool:
        """Whether it was passed."""

    def hold(self) -> Generator[RuleResult]:
        """Hold it; the result of a rule as it changes."""

    def close(self) -> None:
        """End what it started."""


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """What a result has beside the exam: labels, versions, the app's tests, its coverage, and its assumptions."""

    labels: Mapping[str, str]
    versions: Mapping[str, Any]
    tests: JunitTests | None = None
    coverage: Mapping[str, Any] | None = None
    assumptions: Any = None

    @property
    def passed(self) -> bool:
        """Whether no test failed."""
        return self.tests is None or not (self.tests.counts["failed"] or self.tests.counts["error"])

    @property
    def data(self) -> dict[str, Any]:
        """This as JSON data, without the facts from which coverage reports are merged."""
        areas = None if self.coverage is None else {name: self.coverage.get(name, []) for name in ("areas", "next")}
        return {
            "labels": dict(self.labels),
            "versions": dict(self.versions),
            "tests": None if self.tests is None else self.tests.data,
            "coverage": areas,
            "assumptions": self.assumptions,
        }


def exam_data(
    exam: AnyExam | None,
    beside: Beside,
    *,
    app: str | None = None,
    receiver: str | None = None,
    only: Sequence[str] = (),
    runs: int | None = None,
    stopped: str = "",
) -> dict[str, Any]:
    """The whole result as JSON data: of an exam of an app or a receiver, or without one, of the app's tests.

    `only` are the ids and groups to which it was limited, `runs` is None where no count can be kept, and `stopped` says
    what ended it early, such as Ctrl-C: what was stopped is not passed.
    """
    rows = [] if exam is None else [_row(each) for each in exam.results.values()]
    return {
        "seed": None if exam is None else exam.seed,
        "seed_hash": "" if exam is None else seed_hash(exam.seed),
        "passed": not stopped and beside.passed and (exam is None or exam.passed),
        "runs": runs,
        "rules": rows,
        "findings": findings(rows),
        "app": app,
        "receiver": receiver,
        "only": list(only),
        "stopped": stopped,
        **beside.data,
    }


def _row(result: RuleResult) -> dict[str, Any]:
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


def counts(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many rules had which outcome."""
    found = Counter(row["outcome"] for row in rows)
    return {str(outcome): found[outcome] for outcome in Outcome}
