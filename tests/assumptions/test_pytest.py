"""`pytest --giftsim-assumptions` in a project; tests/ecosystem/assumptions has more of its runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.pytest_projects import PLUGINS


def run(project: pytest.Pytester, source: str, *args: str) -> pytest.RunResult:
    """Run tests with the option."""
    project.makepyfile(test_shop=source)
    return project.runpytest_subprocess(*PLUGINS, "--giftsim-assumptions", *args)


def written(project: pytest.Pytester) -> Any:
    """What a run wrote."""
    return json.loads(Path(project.path, ".giftsim", "assumptions.json").read_bytes())


SHARED = """
import pytest
from giftsim.testing.shared_server import simulator
from giftsim.testing.transport import InProcess
from giftsim.testing.world_for_test import open_world

@pytest.fixture(scope="session")
def shared(request):
    with open_world(InProcess(simulator(request.config))) as world:
        yield world

def test_members(shared):
    answer = shared.call("GET", "/api/external/team-orders", credential="partner.prepaid")
    assert answer.body.startswith(b'{"team_orders":')

def test_status(shared):
    assert shared.call("GET", "/api/external/team-orders", credential="partner.prepaid").status == 200
"""


def test_the_worlds_of_a_session_are_made_anew(project: pytest.Pytester) -> None:
    run(project, SHARED).assert_outcomes(passed=2)
    assert [(row["test"], row["variant"]) for row in written(project)["leaning"]] == [
        ("test_shop.py::test_members", "sorted_members")
    ]


BROKEN = """
import msgspec
import giftsim.engine.gateway.other_readings as readings

def fail(answer):
    raise LookupError("a fault of giftsim")

NAME = "answers.no_nulls"
readings.READINGS[NAME] = msgspec.structs.replace(readings.READINGS[NAME], change=fail)
"""
CALLS = """
def test_first(giftsim):
    assert giftsim.call("GET", "/api/external/team-orders", credential="partner.prepaid").status == 200

def test_second(giftsim):
    assert giftsim.call("GET", "/api/external/team-orders", credential="partner.prepaid").status == 200
"""


@pytest.mark.parametrize("args", [(), ("-p", "xdist", "-n", "1")], ids=["alone", "workers"])
def test_a_fault_of_giftsim_is_put_down_to_no_test(project: pytest.Pytester, args: tuple[str, ...]) -> None:
    project.makeconftest(BROKEN)
    result = run(project, CALLS, *args)
    result.assert_outcomes(passed=2)
    assert result.ret == 2
    result.stdout.fnmatch_lines(
        [
            "test_shop.py::test_first",
            "giftsim failed: request req_* failed: LookupError: a fault of giftsim (gateway/*.py:*)",
            "turned over: *no_nulls*",
            "This is a fault of giftsim and not of a test, *",
        ]
    )
    result.stdout.no_fnmatch_line("*lean*")
    assert not Path(project.path, ".giftsim", "assumptions.json").exists()
