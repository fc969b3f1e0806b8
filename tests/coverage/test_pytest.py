"""The coverage of a test run: `pytest --giftsim-coverage` in a project; tests/ecosystem/coverage has its options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.pytest_projects import PLUGINS
from tests.support.pytest_projects import run as run_project
from tests.testing.test_traces import trace_in

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


APP = """
BODY = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}]}

def ship(giftsim):
    giftsim.subscribe("team_order.shipped")
    order = giftsim.call("POST", "/api/external/team-orders", BODY, credential="partner.prepaid")
    giftsim.ship(order)
    giftsim.advance("2h")

def app(status):
    def answer(environ, start_response):
        start_response(status, [])
        return [b"what the app says"]
    return answer

"""


@pytest.mark.parametrize(
    ("taken", "events"),
    [
        ("giftsim.deliver_to(app('204 No Content'))", ["team_order.shipped"]),
        ("giftsim.deliver_to(handler=lambda webhook: None)", ["team_order.shipped"]),
        ("giftsim.deliver_to(app('503 Service Unavailable'))", []),
        ("giftsim.assert_webhook('team_order.shipped')", []),
    ],
    ids=["accepted", "handled", "refused", "captured"],
)
def test_an_event_counts_if_the_app_accepted_it_and_a_subscription_of_the_test_does_not(
    project: pytest.Pytester, taken: str, events: list[str]
) -> None:
    source = f"{APP}def test_it(giftsim):\n    ship(giftsim)\n    {taken}\n    assert False\n"
    project.makepyfile(test_it=source)
    run_project(project, "--giftsim-coverage").assert_outcomes(failed=1)
    areas = json.loads((project.path / ".giftsim" / "coverage.json").read_bytes())["areas"]
    assert areas["events"]["met"] == events
    assert areas["operations"]["met"] == ["createTeamOrder"]
    trace = trace_in(project.path, "test_it.py-test_it.html")
    [attempt] = [entry["attempt"] for entry in trace["entries"] if entry["kind"] == "attempt"]
    if "503" in taken:
        assert (attempt["outcome"], attempt["status"], attempt["answer"]) == ("http_status", 503, "what the app says")
    elif "204" in taken:
        assert (attempt["status"], attempt["answer"]) == (204, "what the app says")
