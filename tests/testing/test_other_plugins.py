"""What giftsim depends on brings no other plugin into a test run, and what a user has installed stays usable."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Collection, Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from subprocess import run as run_process

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.testing.test_plugin import ROOT, project, run

__all__ = ["project"]

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


def test_hypothesis_and_faker_work_in_the_tests_of_those_who_have_them(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        from hypothesis import given, strategies as st

        def test_it(giftsim, faker):
            giftsim.actor("one", recipient=faker.email(), claims="2d")
            giftsim.advance("1d")

        @given(st.integers())
        def test_numbers(number):
            assert number - number == 0
        """
    )
    plugins = ("-p", "_hypothesis_pytestplugin", "-p", "faker.contrib.pytest.plugin", "--hypothesis-seed=3")
    run(project, *plugins).assert_outcomes(passed=2)


def test_worlds_need_neither(project: pytest.Pytester) -> None:
    project.makeconftest(WITHOUT)
    project.makepyfile(
        """
        import pytest
        from giftsim.testing import ControlRefused
        from giftsim.testing.world import create_world

        @pytest.mark.giftsim(fixture="roster")
        def test_it(giftsim):
            assert giftsim.play("partner/declined_card").outcome == "passed"
            people = {"extends": "empty", "people": [{"team": "northwind", "generated": 2}]}
            with pytest.raises(ControlRefused, match="needs Faker, .*: pip install faker, .* extra `faker`"):
                create_world(giftsim.transport, fixture=people)
        """
    )
    run(project).assert_outcomes(passed=1)


def test_explore_says_what_it_needs() -> None:
    code = f"{WITHOUT}from giftsim.cli.main import main; main(['explore', '--app', 'http://127.0.0.1:9'])"
    result = run_process([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2
    assert "explore needs Hypothesis, which is not installed: pip install hypothesis, or install" in result.stderr
