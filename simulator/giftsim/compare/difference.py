"""A difference as a report has it: the same finding at several places of scenarios is one difference."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from giftsim.compare.finding import Finding
from giftsim.compare.place import Place
from giftsim.scenario.compiled_scenario import Step

_INDEX = re.compile(r"\[\d+\]")


class Occurrence(NamedTuple):
    """Where a difference was seen."""

    file: str
    line: int
    step: int
    title: str


class Difference(msgspec.Struct, frozen=True):
    """A difference of an operation, and all places of scenarios at which it was seen."""

    interface: str
    operation: str
    route: str
    finding: Finding
    seen: list[Occurrence]


class Differences:
    """All differences of a comparison, in the order in which they were found."""

    def __init__(self) -> None:
        self._by_key: dict[tuple[str, ...], Difference] = {}

    def add(self, place: Place, step: Step, findings: Iterable[Finding]) -> None:
        """Add the findings of one call."""
        at = Occurrence(step.file, step.line, step.number, step.full_title)
        for finding in findings:
            path = _INDEX.sub("[*]", finding.path)
            key = (place.interface, place.name, finding.kind, path, finding.giftsim, finding.service)
            if key not in self._by_key:
                self._by_key[key] = Difference(place.interface, place.name, place.route, finding, [])
            if at not in self._by_key[key].seen:
                self._by_key[key].seen.append(at)

    def all(self, operations: frozenset[str] = frozenset()) -> list[Difference]:
        """The differences, of these operations only if some are named, operation by operation."""
        found = [each for each in self._by_key.values() if not operations or each.operation in operations]
        order = list(dict.fromkeys((each.interface, each.operation) for each in found))
        return sorted(found, key=lambda each: order.index((each.interface, each.operation)))
