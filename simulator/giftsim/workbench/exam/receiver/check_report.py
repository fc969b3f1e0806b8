"""What `check_receiver` returns: the outcome of each probe, for programs, and in lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final, Self

from giftsim.engine.kernel.texts import one_line
from giftsim.workbench.exam.receiver.probe import Outcome, Result
from giftsim.workbench.exam.receiver.probes import BY_NAME

SHOWN_FIRST: Final = (Outcome.FAIL, Outcome.WARNING, Outcome.PASS, Outcome.SKIPPED)
WIDTH: Final = max(map(len, BY_NAME))


class ReceiverReport(str):
    """The text of a check, failed probes first. Iteration gives the `results`, in the order of the probes.

    It is a text because pytest shows the message of `assert report.passed, report` as a whole only if it is one.
    """

    results: tuple[Result, ...]

    def __new__(cls, results: Iterable[Result]) -> Self:
        """Make the report of all probes."""
        found = tuple(results)
        first = sorted(found, key=lambda result: SHOWN_FIRST.index(result.outcome))
        counts = Counter(result.outcome for result in found)
        summary = f"{len(found)} probes: " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome)
        report = super().__new__(cls, "\n".join([*(line for result in first for line in _lines(result)), summary]))
        report.results = found
        return report

    def __iter__(self) -> Iterator[Result]:  # type: ignore[override]
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, n: Any) -> Any:
        return self.results[n]

    @property
    def passed(self) -> bool:
        """Whether no probe failed. Warnings and skipped probes do not count."""
        return all(result.outcome is not Outcome.FAIL for result in self.results)

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the probes that failed."""
        return self.named(Outcome.FAIL)

    @property
    def warned(self) -> tuple[str, ...]:
        """The names of the probes with a warning."""
        return self.named(Outcome.WARNING)

    def named(self, outcome: Outcome) -> tuple[str, ...]:
        """The names of the probes with this outcome."""
        return tuple(result.name for result in self.results if result.outcome is outcome)


def _lines(result: Result) -> Iterator[str]:
    """The lines of a probe: of one that did not pass, why it matters."""
    yield f"{result.outcome:8} {result.name:{WIDTH}} {one_line(result.reason)}"
    if result.outcome in (Outcome.FAIL, Outcome.WARNING):
        probe = BY_NAME[result.name]
        yield f"{'':8} sent: {probe.sends}"
        yield f"{'':8} why:  {probe.why} ({result.source})"
