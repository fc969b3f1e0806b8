"""The report of a comparison: as text for people, as data for programs, and as a file for those who decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from giftsim import __version__
from giftsim.engine.kernel.texts import count_with_noun, one_line
from giftsim.services.statements.decision import DOCUMENTED, load_decisions
from giftsim.services.statements.statement import load_statements
from giftsim.workbench.compare.comparison import Comparison
from giftsim.workbench.compare.finding import KINDS, Difference
from giftsim.workbench.compare.plan import left_out_lines
from giftsim.workbench.compare.target import Options


class Touched(NamedTuple):
    """A statement or a decision that a difference touches; the basis says how sure it is."""

    id: str
    basis: str
    text: str


def touched(sources: Iterable[str]) -> list[Touched]:
    """The statements and decisions with these ids; what is documented comes first."""
    return [_touched(source) for source in sources]


def _touched(source: str) -> Touched:
    statements, decisions = load_statements(), load_decisions()
    if source in statements:
        return Touched(source, DOCUMENTED, statements[source].text)
    if source in decisions:
        return Touched(source, decisions[source].basis, decisions[source].text)
    return Touched(source, "unknown", "")


MOST_SOURCES = 4  # that a line for people has
PROPOSAL = "# What giftsim "  # the beginning of a file of differences
HEAD = """\
# What giftsim {version} and the service answered differently, at {now}. For each: decide whether giftsim follows
# the service (a changed decision, and the contract at `contract`), or the difference stays (and why).
"""


class Report:
    """The result of a comparison. If operations were chosen, it has only their differences."""

    def __init__(self, comparison: Comparison, options: Options, compared_with: Sequence[str]) -> None:
        self.result, self.options, self.compared_with = comparison.result, options, compared_with
        self.differences = self.result.differences.all(options.operations)
        self.strange = comparison.strange_interfaces

    @property
    def outcome(self) -> str:
        """`same` or `different`."""
        return "different" if self.differences else "same"

    @property
    def data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "outcome": self.outcome,
            "compared_with": list(self.compared_with),
            "now": self.options.now,
            "run": self.options.run,
            "scenarios": self.result.scenarios,
            "calls": self.result.compared,
            "differences": [_entry(each) for each in self.differences],
            "left_out": [each._asdict() for each in self.result.left_out],
        }

    @property
    def text(self) -> str:
        """The report for a terminal."""
        return "".join(f"{one_line(line)}\n" for line in self._lines())

    @property
    def proposal(self) -> str:
        """The differences as a YAML file, to be turned into changed decisions."""
        import yaml

        entries = [{**_entry(each), "decision": "open"} for each in self.differences]
        body = yaml.safe_dump({"differences": entries}, sort_keys=False, allow_unicode=True, width=120)
        return HEAD.format(version=__version__, now=self.options.now) + str(body)

    def _lines(self) -> Iterator[str]:
        for (interface, operation), group in groupby(
            self.differences, key=lambda each: (each.interface, each.operation)
        ):
            found = list(group)
            yield f"{operation}  {found[0].route}  ({interface})"
            for each in found:
                yield from _difference_lines(each)
            yield ""
        if self.result.left_out:
            yield "left out:"
            yield from left_out_lines(self.result.left_out)
            yield ""
        for name in self.strange:
            where = f"If its paths begin elsewhere: --target {name}=URL"
            yield f"The service knows no path of the {name} interface. {where}"
        operations = len({(each.interface, each.operation) for each in self.differences})
        found_text = (
            f"{count_with_noun(len(self.differences), 'difference')} in {count_with_noun(operations, 'operation')}"
        )
        yield (
            f"{found_text if self.differences else 'no differences'}:"
            f" {count_with_noun(self.result.compared, 'call')} of "
            f"{count_with_noun(self.result.scenarios, 'scenario')} compared with {', '.join(self.compared_with)}"
        )


def _difference_lines(difference: Difference) -> Iterator[str]:
    finding = difference.finding
    bases = (f"{each.id} {each.basis}" for each in touched(finding.sources[:MOST_SOURCES]))
    more_sources = ", ..." if len(finding.sources) > MOST_SOURCES else ""
    sources = f"  [{', '.join(bases)}{more_sources}]" if finding.sources else ""
    name = KINDS[finding.kind]
    place = name if name == finding.path else f"{finding.path}, {name}"
    yield f"  {place}: giftsim {finding.giftsim}, the service {finding.service}{sources}"
    first, *more = difference.seen
    others = f", and {count_with_noun(len(more), 'more place')}" if more else ""
    yield f"    {first.file}:{first.line}: step {first.step}, {first.title}{others}"


def _entry(difference: Difference) -> dict[str, Any]:
    finding = difference.finding
    return {
        "interface": difference.interface,
        "operation": difference.operation,
        "route": difference.route,
        "kind": finding.kind,
        "path": finding.path,
        "giftsim": finding.giftsim,
        "service": finding.service,
        "sources": [each._asdict() for each in touched(finding.sources)],
        "contract": finding.pointer,
        "seen": [f"{each.file}:{each.line}: step {each.step}, {each.title}" for each in difference.seen],
    }
