"""Known vulnerabilities of what a lock pins, from the package index or from OSV; told apart from data out of reach."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SERVICES = ("pypi", "osv")
TIMEOUT_S = 600


@dataclass(frozen=True)
class Findings:
    """What a service knows of the packages of a lock: `known` vulnerabilities, and the packages it has no data about.

    `reached` is False if it has data about none.
    """

    reached: bool
    checked: int = 0
    known: list[str] = field(default_factory=list)
    without_data: list[str] = field(default_factory=list)


def check_lock(tool: Path, lock: Path) -> Findings:
    """The findings of the first service that has data about the packages of a lock."""
    findings = Findings(reached=False)
    for service in SERVICES:
        findings = read_report(_run(tool, lock, service))
        if findings.reached:
            break
    return findings


def read_report(report: str) -> Findings:
    """The findings in pip-audit's JSON, or in the message with which it failed."""
    try:
        packages: list[dict[str, Any]] = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Findings(reached=False)
    checked = [package for package in packages if "skip_reason" not in package]
    known = [
        f"{package['name']} {package['version']}: {found['id']}{_fix(found)}"
        for package in checked
        for found in package.get("vulns", ())
    ]
    without_data = [package["name"] for package in packages if "skip_reason" in package]
    return Findings(bool(checked), len(checked), known, without_data)


def _fix(found: dict[str, Any]) -> str:
    versions = found.get("fix_versions") or ()
    return f", fixed in {', '.join(versions)}" if versions else ""


def _run(tool: Path, lock: Path, service: str) -> str:
    """The report of pip-audit. It looks the pinned versions up, and installs and resolves nothing."""
    command = [
        *(str(tool), "--requirement", str(lock), "--require-hashes", "--disable-pip", "--format", "json"),
        *("--vulnerability-service", service, "--progress-spinner", "off", "--timeout", "10"),
    ]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return run.stdout
