"""A run of pytest with the lending library alone: a failed test is explained, and no other service is loaded."""

from __future__ import annotations

import pytest

from tests.docs.pages import ROOT
from tests.support.pytest_projects import project, run

__all__ = ["project"]

CONFTEST = """
import sys

from msgspec.structs import replace

from giftsim import Simulator
from giftsim.testing.shared_server import SIMULATOR_KEY
from tests.engine.library import LIBRARY

SERVICES = ("giftsim.services.gifting", "giftsim.services.museum")

def pytest_configure(config):
    config.stash[SIMULATOR_KEY] = Simulator(services=[{service}], fixture="bare")

def pytest_unconfigure(config):
    config.stash[SIMULATOR_KEY].close()
    print("\\nloaded of others:", sorted(name for name in sys.modules if name.startswith(SERVICES)))
"""
TESTS = """
def borrow(giftsim):
    body = {"title": "Emma", "reader": "Bo"}
    return giftsim.call("POST", "/library/loans", body=body, headers=giftsim.headers("library"))

def test_needs_a_subscription(giftsim):
    assert borrow(giftsim).status == 201
    giftsim.advance("15d")
    giftsim.assert_webhook("loan.overdue", title="Emma")

def test_a_fault_changes_an_answer(giftsim):
    giftsim.fault(status=503, match={"operation": "borrowBook"}, when={"first": 1})
    assert borrow(giftsim).status == 201

def test_has_no_cause(giftsim):
    assert borrow(giftsim).status == 404
"""


@pytest.mark.parametrize(
    ("service", "passed", "first"),
    [
        ("LIBRARY", 1, "E * why: no cause is known; *"),
        ("replace(LIBRARY, seeds=())", 0, "E * why: no endpoint of the library was subscribed to loan.overdue *"),
    ],
    ids=["subscribed", "not subscribed"],
)
def test_a_failed_test_of_a_service_alone_is_explained(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, service: str, passed: int, first: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'simulator'}:{ROOT}")
    project.makeconftest(CONFTEST.replace("{service}", service))
    project.makepyfile(TESTS)
    result = run(project)
    result.assert_outcomes(passed=passed, failed=3 - passed)
    assert "giftsim.subscribe(" not in result.stdout.str()  # which the library has no call for
    fault = "E * why: borrowBook * was answered 503 because of the fault *"
    result.stdout.fnmatch_lines_random([first, fault, "loaded of others: []"])
