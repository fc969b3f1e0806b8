"""Outcomes: what each server did in each case, as they are kept for the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tools.conformance.case import Case
from tools.conformance.cases import GROUPS
from tools.conformance.exchange import PATIENT_S, QUIET_S

RESULTS = Path(__file__).parent / "results.json"
OURS = "giftsim"
AT_ONCE = 16


class Outcome(NamedTuple):
    """What a server did in a case, and whether that is what is demanded."""

    what: str
    is_met: bool


class Results(NamedTuple):
    """The outcomes of a version of a server, by group and case."""

    version: str
    outcomes: Mapping[str, Outcome]


def cases() -> dict[str, Case]:
    """All cases, by group and name."""
    return {f"{group}: {case.name}": case for group, cases in GROUPS.items() for case in cases}


def run(port: int, expected: Mapping[str, Outcome]) -> dict[str, Outcome]:
    """The outcome of every case at a server. What is not as expected is tried again, alone and with more patience."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(zip(cases(), pool.map(lambda case: _outcome(case, port, QUIET_S), cases().values()), strict=True))
    for name, case in cases().items():
        if found[name] != expected.get(name):
            found[name] = _outcome(case, port, PATIENT_S)
    return found


def _outcome(case: Case, port: int, quiet_s: float) -> Outcome:
    observed = case.run(port, quiet_s)
    return Outcome(str(observed), case.is_met(observed))


def kept() -> dict[str, Results]:
    """The results of all servers, as they were last written."""
    if not RESULTS.exists():
        return {}
    return {
        name: Results(each["version"], {case: Outcome(*outcome) for case, outcome in each["outcomes"].items()})
        for name, each in json.loads(RESULTS.read_text("utf-8")).items()
    }


def keep(results: Mapping[str, Results]) -> None:
    """Write the results, one line for each case."""
    text = ",\n".join(
        f' "{name}": {{"version": "{each.version}", "outcomes": {{\n'
        + ",\n".join(f"  {json.dumps(case)}: {json.dumps(outcome)}" for case, outcome in each.outcomes.items())
        + "\n }}"
        for name, each in results.items()
    )
    RESULTS.write_text(f"{{\n{text}\n}}\n", "utf-8")
