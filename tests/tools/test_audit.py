"""The audit: what it takes from the reports of its tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tools.audit.__main__ import LOCKS, OLD_ON_PURPOSE, ROOT, vulnerability_lines
from tools.audit.licences import USER_EXTRAS, installation, is_accepted, licence_of, licences, listed
from tools.audit.vulnerabilities import read_report


def report(**packages: Any) -> str:
    """A report of pip-audit; a text is the reason why a package was skipped."""
    rows = [
        {"name": name, "skip_reason": found}
        if isinstance(found, str)
        else {"name": name, "version": "1", "vulns": found}
        for name, found in packages.items()
    ]
    return json.dumps({"dependencies": rows, "fixes": []})


def test_a_known_vulnerability_is_named_with_its_fix() -> None:
    found = [{"id": "PYSEC-1", "fix_versions": ["1.1", "2"]}, {"id": "PYSEC-2", "fix_versions": []}]
    assert vulnerability_lines("the.lock", read_report(report(flask=found, click=[], own="unknown"))) == [
        "Known vulnerabilities of the.lock: 2 in 2 packages",
        "  flask 1: PYSEC-1, fixed in 1.1, 2",
        "  flask 1: PYSEC-2",
        "  no data about own",
    ]
    assert vulnerability_lines("the.lock", read_report(report(click=[]))) == [
        "Known vulnerabilities of the.lock: none in 1 packages"
    ]


@pytest.mark.parametrize("text", ["", "Traceback ...", "[]", report(flask="not found", click="not found"), report()])
def test_no_data_is_not_taken_for_no_vulnerability(text: str) -> None:
    findings = read_report(text)
    assert not findings.reached
    assert "NOT REACHABLE" in vulnerability_lines("the.lock", findings)[0]


@pytest.mark.parametrize(
    "licence",
    ["MIT", "BSD-3-Clause", "Apache-2.0 AND MIT", "Apache-2.0 OR GPL-3.0", "LGPL-3.0-only", "(MIT OR ISC) AND PSF-2.0",
     "BSD License; GNU General Public License (GPL)", "Zope Public License"],
)  # fmt: skip
def test_licences_that_bind_no_user_are_accepted(licence: str) -> None:
    assert is_accepted(licence)


@pytest.mark.parametrize(
    "licence", ["", "GPL-3.0-only", "AGPL-3.0", "MIT AND GPL-3.0-only", "Proprietary", "(MIT OR X) AND GPL-3.0"]
)
def test_other_licences_are_not(licence: str) -> None:
    assert not is_accepted(licence)


def test_all_that_users_install_has_an_accepted_licence() -> None:
    packages = installation("giftsim", USER_EXTRAS)
    assert {"giftsim", "flask", "jinja2", "h11", "pytest", "hypothesis"} <= set(packages)
    assert not {"ruff", "mypy", "sphinx", "pip-audit"} & set(packages)
    assert [name for name, package in packages.items() if not is_accepted(licence_of(package))] == []


def test_the_page_lists_the_licences_of_all_that_users_install() -> None:
    pinned = {pin.partition("==")[0] for pin in pins("locks/test.lock")} | {"giftsim"}
    assert licences().items() <= listed().items(), "run `python -m tools licences`"
    assert set(listed()) <= pinned, "run `python -m tools licences`"


def pins(lock: str) -> set[str]:
    """What a lock pins, each as `name==version`; every pin has a hash, and none an address."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line[:1] not in ("", " ", "#")]
    assert text.count("--hash=sha256:") >= len(lines) > 0
    assert "://" not in text
    return {line.split()[0] for line in lines}


def test_every_pin_of_every_lock_but_the_lowest_is_looked_up() -> None:
    looked_up = set().union(*map(pins, LOCKS))
    locks = {f"locks/{lock.name}" for lock in (ROOT / "locks").iterdir()}
    assert OLD_ON_PURPOSE in locks - set(LOCKS)
    for lock in locks - {OLD_ON_PURPOSE}:
        assert [pin for pin in pins(lock) if "==" not in pin or pin not in looked_up] == []
