"""Merges the reports of several explorations, such as the shards of one, into the report of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from giftsim.explore.failures import kind_of

Report = dict[str, Any]


def merge(reports: Sequence[Report]) -> Report:
    """One report of all seeds: each kind of failure once, with all its seeds and the shortest scenario."""
    kinds: dict[str, list[Report]] = {}
    for report in reports:
        for finding in report["findings"]:
            kinds.setdefault(kind_of(finding["reason"]), []).append(finding)
    findings = sorted(map(_merge_findings, kinds.values()), key=lambda finding: int(finding["seeds"][0]))
    reasons = [report["stopped"] for report in reports if report["stopped"]]
    return {
        "app": reports[0]["app"],
        "outcome": "wrong" if findings else "held",
        "seeds": sum(report["seeds"] for report in reports),
        "stopped": "; ".join(reasons) or None,
        "plays": sum(report["plays"] for report in reports),
        "findings": findings,
    }


def _merge_findings(findings: Sequence[Report]) -> Report:
    shortest = min(findings, key=lambda finding: (finding["steps"], finding["seeds"]))
    return {**shortest, "seeds": sorted({seed for finding in findings for seed in finding["seeds"]})}
