"""The tests of a run, from its JUnit file. Any test runner writes one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as Xml

import msgspec

PASSED, FAILED, ERROR, SKIPPED = OUTCOMES = ("passed", "failed", "error", "skipped")
_TAGS: Final = {"failure": FAILED, "error": ERROR, "skipped": SKIPPED}
SEED: Final = "seed"


class UnreadableJunit(ValueError):
    """A file that is not in JUnit's format; the message says why."""


class Case(msgspec.Struct, frozen=True):
    """A test, how it ended, and the first line of what it said about that."""

    id: str
    suite: str
    outcome: str
    message: str = ""


class JunitTests(msgspec.Struct, frozen=True):
    """The tests of some files, in their order, and the seeds that the runs name."""

    cases: tuple[Case, ...]
    seeds: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many tests had which outcome."""
        counts = Counter(case.outcome for case in self.cases)
        return {outcome: counts[outcome] for outcome in OUTCOMES}

    @property
    def data(self) -> dict[str, Any]:
        """The tests as JSON data: the counts of each suite, and each test that did not pass."""
        suites: dict[str, Counter[str]] = {}
        for case in self.cases:
            suites.setdefault(case.suite, Counter())[case.outcome] += 1
        return {
            "counts": self.counts,
            "seeds": list(self.seeds),
            "suites": [{"name": name, **{each: counts[each] for each in OUTCOMES}} for name, counts in suites.items()],
            "not_passed": [msgspec.to_builtins(case) for case in self.cases if case.outcome != PASSED],
        }


def read_junit(paths: Iterable[Path]) -> JunitTests:
    """The tests of JUnit files. UnreadableJunit, OSError."""
    roots = [_root(path) for path in paths]
    cases = tuple(case for root in roots for case in _cases(root))
    seeds = dict.fromkeys(seed for root in roots for seed in _seeds(root))
    return JunitTests(cases, tuple(seeds))


def _root(path: Path) -> Xml.Element:
    try:
        root = Xml.parse(path).getroot()
    except Xml.ParseError as error:
        raise UnreadableJunit(f"{path} is not XML: {error}") from None
    if root.tag not in ("testsuites", "testsuite"):
        raise UnreadableJunit(f"{path} is not a JUnit file: it begins with <{root.tag}>, not with <testsuites>")
    return root


def _cases(root: Xml.Element) -> Iterator[Case]:
    for case in root.iter("testcase"):
        found = next((child for child in case if child.tag in _TAGS), None)
        suite, name = case.get("classname") or case.get("file") or "", case.get("name") or ""
        message = "" if found is None else found.get("message") or found.text or ""
        outcome = PASSED if found is None else _TAGS[found.tag]
        yield Case(f"{suite} {name}".strip(), suite, outcome, message.strip().partition("\n")[0])


def _seeds(root: Xml.Element) -> Iterator[str]:
    for each in root.iter("property"):
        name = each.get("name", "")
        if SEED in name.lower():
            yield f"{name} {each.get('value', '')}".strip()
