"""The lock files: what `make run` installs is what the tests run with, and every package is pinned by hashes."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.version import Version

from tools.locks import OPTIONS, declared, group, name, promised

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "locks"
LOCKS = sorted([*ROOT.glob("locks/*.lock"), *ROOT.glob("tests/ecosystem/**/requirements.lock")])
ENTRY = re.compile(r"^([A-Za-z0-9_.-]+==[^\s\\]+)[^\n]*((?:\\\n\s+--hash=sha256:[0-9a-f]{64} ?)+)", re.MULTILINE)


def pins(lock: Path) -> dict[str, str]:
    """The hashes of each pinned package of a lock file."""
    return {match[1]: " ".join(sorted(match[2].split())) for match in ENTRY.finditer(lock.read_text(encoding="utf-8"))}


def test_what_make_run_installs_is_a_part_of_what_the_tests_run_with() -> None:
    run, everything = pins(FOLDER / "run.lock"), pins(FOLDER / "test.lock")
    assert len(run) > 20
    assert {name: everything.get(name) for name in run} == run


@pytest.mark.parametrize("lock", OPTIONS)
def test_a_lock_has_all_that_it_is_compiled_from(lock: str) -> None:
    project = declared()["project"]
    words = OPTIONS[lock]
    needed = project["dependencies"] if "pyproject.toml" in words else []
    for option, value in pairwise(words):
        needed = needed + (group(value) if option == "--group" else [])
        needed = needed + (project["optional-dependencies"][value] if option == "--extra" else [])
    locked = {name(pin) for pin in pins(FOLDER / f"{lock}.lock")}
    assert len(needed) > 0
    assert [each for each in needed if name(each) not in locked] == []


def test_there_is_a_lock_of_each_group_and_no_other() -> None:
    assert sorted(file.stem for file in FOLDER.iterdir()) == sorted([*OPTIONS, "lowest"])
    used = {value for words in OPTIONS.values() for option, value in pairwise(words) if option == "--group"}
    assert used == set(declared()["dependency-groups"])


def test_what_only_a_checkout_needs_is_not_published() -> None:
    extras = declared()["project"]["optional-dependencies"]
    assert set(extras) == {"calendar", "cjk", "dask", "explore", "https", "mcp", "pytest"}


def test_the_page_says_for_each_package_that_make_run_installs_why_it_is_needed() -> None:
    page = (
        (ROOT / "docs" / "how-to" / "install.md").read_text().partition("### What takes space")[2].partition("\n## ")[0]
    )
    rows = re.findall(r"^\| ([a-z][\w, -]+) \| [\d.]+ \| \S", page, re.MULTILINE)
    explained = [name for row in rows for name in row.split(", ")]
    assert sorted(explained) == sorted(pin.partition("==")[0] for pin in pins(FOLDER / "run.lock"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: str(lock.relative_to(ROOT)))
def test_every_package_is_pinned_by_hashes_and_no_host_is_named(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert len(pins(lock)) == len(re.findall(r"^[A-Za-z0-9_.-]+==", text, re.MULTILINE))
    assert "://" not in text


def test_the_lowest_versions_that_the_package_allows_are_those_that_tests_run_with() -> None:
    locked = {name(pin): Version(pin.partition("==")[2]) for pin in pins(FOLDER / "lowest.lock")}
    lowest = {package: Version(bound) for package, bound in promised().items() if package != "pytest"}  # ours need 9
    assert {package: locked[package] for package in lowest} == lowest
