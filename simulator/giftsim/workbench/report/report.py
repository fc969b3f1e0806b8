"""The report as data: what each part found, what is missing and how to get it, and whether anything failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.workbench.report.junit import JunitTests
from giftsim.workbench.report.readiness import FAILED, NOT_OFFERED, PASSED, Played

FORMAT: Final = 1
# How to get each part that a report lacks. The assumptions are missing in silence: not every app writes them down.
HOW: Final[Mapping[str, str]] = {
    "tests": "pytest --junitxml=junit.xml, then --junit junit.xml",
    "coverage": "pytest --giftsim-coverage",
    "receiver": "--receiver URL --secret SECRET",
    "readiness": "--app URL",
}


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What a report is made of; None for a part that is missing. `made_at` is an instant, if one was given."""

    title: str
    made_at: str | None
    labels: Mapping[str, str]
    versions: Mapping[str, Any]
    tests: JunitTests | None = None
    coverage: Mapping[str, Any] | None = None
    receiver: Mapping[str, Any] | None = None
    receiver_seed: int | None = None
    readiness: Sequence[Played] | None = None
    assumptions: Any = None


def report_data(parts: Parts) -> dict[str, Any]:
    """The report as JSON data. The same parts give the same data."""
    found = {
        "tests": parts.tests.data if parts.tests is not None else None,
        "coverage": _coverage(parts.coverage),
        "receiver": _receiver(parts.receiver),
        "readiness": _readiness(parts.readiness),
    }
    return {
        "report": FORMAT,
        "title": parts.title,
        "made_at": parts.made_at,
        "labels": dict(parts.labels),
        "versions": dict(parts.versions),
        "seeds": _seeds(parts),
        "failed": _failures(found),
        "missing": [{"part": name, "how": HOW[name]} for name, part in found.items() if part is None],
        **found,
        "assumptions": parts.assumptions,
    }


def _coverage(coverage: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The areas and the next steps, without the facts from which coverage reports are merged."""
    return None if coverage is None else {name: coverage.get(name, []) for name in ("areas", "next")}


def _receiver(report: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The probes without the bytes to repeat them: these hold the time of the run."""
    if report is None:
        return None
    probes = [{name: value for name, value in probe.items() if name != "repeat"} for probe in report["probes"]]
    counts = Counter(probe["outcome"] for probe in probes)
    return {"counts": {each: counts[each] for each in ("pass", "fail", "warning", "skipped")}, "probes": probes}


def _readiness(played: Sequence[Played] | None) -> dict[str, Any] | None:
    if played is None:
        return None
    counts = Counter(each.outcome for each in played)
    return {
        "counts": {each: counts[each] for each in (PASSED, FAILED, NOT_OFFERED)},
        "scenarios": [msgspec.to_builtins(each) for each in played],
    }


def _seeds(parts: Parts) -> dict[str, Any]:
    """The seeds by which the parts can be made again."""
    seeds: dict[str, Any] = {}
    if parts.tests is not None and parts.tests.seeds:
        seeds["tests"] = list(parts.tests.seeds)
    if parts.receiver_seed is not None:
        seeds["receiver"] = parts.receiver_seed
    if parts.readiness:
        seeds["readiness"] = {each.name: each.seed for each in parts.readiness}
    return seeds


def _failures(found: Mapping[str, Any]) -> dict[str, int]:
    """How many things failed, by part, without those in which none did."""
    tests, receiver, readiness = ((found[name] or {}).get("counts", {}) for name in ("tests", "receiver", "readiness"))
    failed = {
        "tests": tests.get("failed", 0) + tests.get("error", 0),
        "receiver": receiver.get("fail", 0),
        "readiness": readiness.get(FAILED, 0),
    }
    return {name: count for name, count in failed.items() if count}
