"""One place where two answers differ."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from giftsim.workbench.compare.called_operation import CalledOperation
from giftsim.workbench.compare.shape import Shape
from giftsim.workbench.scenario.compiled_scenario import Step

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

    def add(self, called: CalledOperation, step: Step, findings: Iterable[Finding]) -> None:
        """Add the findings of one call."""
        at = Occurrence(step.file, step.line, step.number, step.full_title)
        for finding in findings:
            path = _INDEX.sub("[*]", finding.path)
            key = (called.interface, called.name, finding.kind, path, finding.giftsim, finding.service)
            if key not in self._by_key:
                self._by_key[key] = Difference(called.interface, called.name, called.route, finding, [])
            if at not in self._by_key[key].seen:
                self._by_key[key].seen.append(at)

    def all(self, operations: frozenset[str] = frozenset()) -> list[Difference]:
        """The differences, of these operations only if some are named, operation by operation."""
        found = [each for each in self._by_key.values() if not operations or each.operation in operations]
        order = list(dict.fromkeys((each.interface, each.operation) for each in found))
        return sorted(found, key=lambda each: order.index((each.interface, each.operation)))


# Every kind of difference, and its name in a report.
KINDS: Final = {
    "status": "status",
    "redirect": "a redirect, which was not followed",
    "code": "error code",
    "missing_header": "missing header",
    "extra_header": "extra header",
    "header": "header",
    "media_type": "media type",
    "body": "body",
    "lost_member": "missing member",
    "extra_member": "extra member",
    "type": "type",
    "null": "null",
    "value": "value",
    "format": "form of the text",
    "echo": "text that was sent",
    "identity": "another record",
    "length": "length of the list",
    "page_size": "more entries than asked for",
    "order": "order of the list",
    "row": "records of this run",
    "slow": "time",
    "amount": "amount",
    "instant": "instant",
    "missing_event": "an event that giftsim does not send",
    "extra_event": "an event that only giftsim sends",
    "gap": "time between two attempts",
    "attempts": "number of attempts",
    "signature": "form of the signature",
}


class Finding(NamedTuple):
    """A difference of one answer. `path` is a JSONPath, `headers.NAME` or `status`; both values are masked.

    `sources` are the ids of the statements or decisions that it touches, `pointer` is the place in the contract.
    """

    kind: str
    path: str
    giftsim: str
    service: str
    sources: tuple[str, ...] = ()
    pointer: str = ""

    @classmethod
    def at(cls, kind: str, path: str, giftsim: str, service: str, shape: Shape) -> Finding:
        """A difference in a body, with the sources of its place in the contract."""
        return cls(kind, path, giftsim, service, shape.sources, shape.pointer)
