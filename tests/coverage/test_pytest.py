"""The coverage of a test run: `pytest --giftsim-coverage` in a project; tests/ecosystem/coverage has its options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.pytest_projects import PLUGINS

TESTS = """
import pytest

ORDER = {"gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
         "recipients": [{"name": "Bo", "email": "bo@example.com"}]}

def order(world, key, headers={}):
    return world.call("POST", "/api/external/team-orders", {**ORDER, "idempotency_key": key},
                      credential="partner.prepaid", headers=headers)

@pytest.mark.parametrize("n", range(4))
def test_order(giftsim, n):
    assert order(giftsim, f"order-{n}").status == 201

def test_retry(giftsim):
    order(giftsim, "retried", {"X-Sim-Fault": "status=503"})
    assert order(giftsim, "retried").status == 201

def test_on_the_server(giftsim_server):
    giftsim_server.call("GET", "/api/external/team-orders", credential="partner.prepaid")

def test_what_is_undone_was_met(giftsim_server):
    giftsim_server.call("POST", "/api/external/webhooks", {"url": "https://a.example/", "events": ["order.shipped"]},
                        credential="partner.prepaid")
    giftsim_server.control("POST", "/reset")
"""
SCENARIO = """\
scenario: A list of webhooks
steps:
  - call: GET /api/external/webhooks
    as: partner.prepaid
"""


@pytest.fixture
def shop(project: pytest.Pytester) -> pytest.Pytester:
    """A project with tests and a scenario."""
    project.makepyfile(test_shop=TESTS)
    Path(project.path, "webhooks.yaml").write_text(SCENARIO, encoding="utf-8")
    return project


def run(shop: pytest.Pytester, *args: str) -> pytest.RunResult:
    """Run the shop's tests."""
    return shop.runpytest_subprocess(*PLUGINS, *args, "webhooks.yaml", "test_shop.py")


def content(shop: pytest.Pytester) -> bytes:
    """What a run wrote."""
    return Path(shop.path, ".giftsim", "coverage.json").read_bytes()


def written(shop: pytest.Pytester) -> Any:
    """What a run wrote, as data."""
    return json.loads(content(shop))


def test_a_run_reports_what_its_worlds_and_scenarios_met(shop: pytest.Pytester) -> None:
    result = run(shop, "--giftsim-coverage")
    result.assert_outcomes(passed=8)
    areas = written(shop)["areas"]
    assert areas["operations"]["met"] == ["createTeamOrder", "createWebhook", "listTeamOrders", "listWebhooks"]
    assert areas["faults"]["met"] == ["5xx, retried"]
    assert (len(areas["operations"]["missing"]), areas["operations"]["percent"]) == (6, 40.0)
    result.stdout.fnmatch_lines(
        ["*giftsim coverage*", "operations * 40.0 %", "clock *", "*wrote .giftsim/coverage.json"]
    )
    assert Path(shop.path, ".giftsim", ".gitignore").read_text(encoding="utf-8").endswith("*\n")
