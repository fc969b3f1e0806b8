"""`python -m tools audit`: licences, and known vulnerabilities of everything that is pinned."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping
from importlib.metadata import Distribution
from pathlib import Path

import click

from tools.audit.licences import USER_EXTRAS, installation, is_accepted, licence_of
from tools.audit.vulnerabilities import Findings, check_lock

ROOT = Path(__file__).parents[2]
LOCKS = ("locks/test.lock", "locks/docs.lock", "locks/audit.lock", "locks/uv.lock")
OLD_ON_PURPOSE = "locks/lowest.lock"  # `python -m tools lowest` tests with it; no one is told to install it
TOOLS = ROOT / ".venv" / "audit" / "bin"


def main() -> int:
    """Print the audit; 1 if something must be done."""
    parser = argparse.ArgumentParser(prog="python -m tools audit", description=__doc__)
    parser.add_argument("--tools", type=Path, default=TOOLS, help="the folder with pip-audit")
    parser.add_argument(
        "--strict", action="store_true", help="fail also if no data about vulnerabilities can be reached"
    )
    options = parser.parse_args()
    packages = installation("giftsim", USER_EXTRAS)
    refused = show_licences(packages)
    findings = {lock: check_lock(options.tools / "pip-audit", ROOT / lock) for lock in LOCKS}
    for lock, found in findings.items():
        click.echo("\n".join(vulnerability_lines(lock, found)))
    click.echo(f"Not looked up: {OLD_ON_PURPOSE}, whose versions are old on purpose")
    known = any(found.known for found in findings.values())
    unreached = not all(found.reached for found in findings.values())
    return int(bool(refused) or known or (options.strict and unreached))


def show_licences(packages: Mapping[str, Distribution]) -> list[str]:
    """Print the licences of what users install; the packages whose licence is not accepted."""
    by_licence = defaultdict(list)
    for name, package in packages.items():
        by_licence[licence_of(package) or "none stated"].append(name)
    click.echo("Licences of giftsim and all it needs, with its extras for users:")
    for licence, names in sorted(by_licence.items()):
        click.echo(f"  {licence}: {', '.join(names)}")
    refused = [name for name, package in packages.items() if not is_accepted(licence_of(package))]
    if refused:
        click.echo(f"  NOT ACCEPTED: {', '.join(refused)} (tools/audit/licences.py has the licences that are)")
    return refused


def vulnerability_lines(lock: str, findings: Findings) -> list[str]:
    """What to print about the known vulnerabilities of a lock."""
    if not findings.reached:
        return [f"Known vulnerabilities of {lock}: NOT REACHABLE. Neither the package index nor OSV gave any data."]
    lines = [f"Known vulnerabilities of {lock}: {len(findings.known) or 'none'} in {findings.checked} packages"]
    lines += [f"  {each}" for each in findings.known]
    if findings.without_data:
        lines.append(f"  no data about {', '.join(findings.without_data)}")
    return lines


if __name__ == "__main__":
    raise SystemExit(main())
