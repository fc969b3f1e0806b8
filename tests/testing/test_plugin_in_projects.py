"""What the plugin needs beside pytest, and what `explore` says without Hypothesis."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Collection, Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from subprocess import run as run_process

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.docs.pages import ROOT

WITHOUT = "import sys; sys.modules['hypothesis'] = sys.modules['faker'] = None; "


def collect(requirements: Iterable[str], extras: Collection[str], found: dict[str, Distribution]) -> None:
    """Add what the installation of these requirements brings."""
    for needed in map(Requirement, requirements):
        name, environments = canonicalize_name(needed.name), [{"extra": extra} for extra in ("", *extras)]
        wanted = needed.marker is None or any(needed.marker.evaluate(each) for each in environments)
        if wanted and name not in found:
            try:
                found[name] = distribution(name)
            except PackageNotFoundError:  # needed on other platforms only
                continue
            collect(found[name].requires or (), needed.extras, found)


def test_no_dependency_of_the_package_is_a_pytest_plugin() -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = package["optional-dependencies"]
    found: dict[str, Distribution] = {}
    collect([*package["dependencies"], *extras["pytest"], *extras["cjk"]], (), found)
    assert {"flask", "freezegun", "pytest"} <= found.keys()
    assert [name for name, each in found.items() if each.entry_points.select(group="pytest11")] == []


def test_explore_says_what_it_needs() -> None:
    code = f"{WITHOUT}from giftsim.cli.main import main; main(['explore', '--app', 'http://127.0.0.1:9'])"
    result = run_process([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2
    assert "explore needs Hypothesis, which is not installed: pip install hypothesis, or install" in result.stderr
