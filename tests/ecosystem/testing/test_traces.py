"""Traces of tests: a failed test leaves a page with everything that happened to its world."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

import giftsim
from giftsim import Simulator
from giftsim.workbench.scenario import check_scenario, load_scenario, play
from giftsim.workbench.scenario.yaml_source import RECORDING_LIMITS
from tests.support.pytest_projects import PLUGINS, run
from tests.support.traces import causes, entries
from tests.testing.test_traces import TRACES, names, trace_in

SHOP = """\
import requests

def checkout(key):
    order = {"idempotency_key": key, "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
             "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
    return requests.post("https://gifts.vendor.example/api/external/team-orders", json=order, timeout=60)
"""
TESTS = """\
import pytest
import requests
from shop import checkout

def test_charged_once(giftsim):
    print("one two")
    giftsim.control("POST", "/faults", {"effect": {"drop": "after"}, "when": {"first": 1}})
    with giftsim.route("https://gifts.vendor.example", "partner.prepaid"):
        with pytest.raises(requests.ConnectionError):
            checkout("first")
        giftsim.advance("30s")
        checkout("second")
    assert len([row for row in giftsim.listed("ledger") if row["kind"] == "charge"]) == 1

def test_that_passes(giftsim):
    giftsim.subscribe("team_order.claimed")

def test_without_a_world():
    assert False
"""


@pytest.fixture
def shop(project: pytest.Pytester) -> pytest.Pytester:
    """A project with an app that orders gifts, and its tests."""
    project.makepyfile(shop=SHOP, test_shop=TESTS)
    project.syspathinsert()
    return project


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the same project after a run of its tests, whose output is in `output.txt`."""
    folder = tmp_path_factory.mktemp("failed")
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_shop.py").write_text(TESTS)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(Path(giftsim.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGINS], cwd=folder, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    (folder / "output.txt").write_text(done.stdout)
    return folder


def test_a_failed_test_leaves_a_trace_and_says_where(failed: Path) -> None:
    output = (failed / "output.txt").read_text()
    assert "= 2 failed, 1 passed in " in output
    assert "- giftsim: world w1 -" in output
    assert f"\ntrace: {(failed / TRACES).as_uri()}/test_shop.py-test_charged_once.html\n" in output
    assert f"\ngiftsim: 1 trace, listed in {(failed / TRACES).as_uri()}/index.html\n" in output
    assert names(failed) == ["index.html", "test_shop.py-test_charged_once.html"]
    assert "*" in (failed / ".giftsim" / ".gitignore").read_text().splitlines()


def test_it_has_the_failure_the_output_and_the_lines_of_the_users_code(failed: Path) -> None:
    trace = trace_in(failed, "test_shop.py-test_charged_once.html")
    test = trace["test"]
    assert (test["id"], test["outcome"]) == ("test_shop.py::test_charged_once", "failed")
    assert test["failure"]["message"] == "AssertionError: assert 2 == 1"
    assert test["failure"]["place"] == {"file": "test_shop.py", "line": 13}
    assert "assert 2 == 1" in test["failure"]["text"]
    assert test["output"]["Captured stdout call"] == "one two\n"
    source = test["sources"]["test_shop.py"]
    assert (source["first"], source["lines"][0]) == (5, "def test_charged_once(giftsim):")
    lost, repeated = entries(trace, "call")
    assert lost["source"] == {"file": "shop.py", "line": 6, "function": "checkout"}
    assert lost["test_source"] == {"file": "test_shop.py", "line": 10, "function": "test_charged_once"}
    assert repeated["test_source"]["line"] == 12
    [advance] = entries(trace, "advance")
    assert advance["source"]["line"] == 11
    assert trace["entries"][-1]["kind"] == "failure"
    assert causes(trace, repeated)["repeats"] == lost
    assert trace["verdicts"][0]["kind"] == "charged_twice"
    assert {lost["n"], repeated["n"]} <= {mark["entry"] for mark in trace["verdicts"][0]["marks"]}


def test_the_trace_of_a_test_gives_the_same_bytes_again(failed: Path, simulator: Simulator) -> None:
    recording = load_scenario(
        trace_in(failed, "test_shop.py-test_charged_once.html")["recording"], limits=RECORDING_LIMITS
    )
    check_scenario(recording, simulator.client)
    assert play(recording, simulator.client).outcome == "passed"


def test_with_on_every_test_leaves_one_and_with_off_none(shop: pytest.Pytester) -> None:
    run(shop, "--giftsim-trace=on")
    assert "test_shop.py-test_that_passes.html" in names(shop.path)
    assert trace_in(shop.path, "test_shop.py-test_that_passes.html")["test"]["outcome"] == "passed"
    index = (shop.path / TRACES / "index.html").read_text()
    assert "createTeamOrder" in index
    assert "no response" in index
    result = run(shop, "--giftsim-trace=off")
    result.stdout.no_fnmatch_line("*trace: *")


def test_the_traces_of_the_last_three_runs_that_left_any_are_kept(shop: pytest.Pytester, failed: Path) -> None:
    copytree(failed / ".giftsim", shop.path / ".giftsim")
    left, folder = names(failed), shop.path / TRACES
    run(shop, "-k", "passes")  # leaves none
    assert names(shop.path) == ["earlier-1"]
    assert names(shop.path, "earlier-1") == left
    run(shop, "-k", "passes")
    assert names(shop.path) == ["earlier-1"]
    for note in ("second", "third", "fourth"):
        copytree(failed / TRACES, folder, dirs_exist_ok=True)
        (folder / "test_shop.py-test_charged_once.html").write_text(note)
        run(shop, "-k", "passes")
    assert names(shop.path) == ["earlier-1", "earlier-2"]
    kept = [(folder / name / "test_shop.py-test_charged_once.html").read_text() for name in names(shop.path)]
    assert kept == ["fourth", "third"]


def test_both_fixtures_and_all_workers_leave_traces(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("n", [1, 2])
        def test_both(giftsim, giftsim_server, n):
            giftsim.call("GET", "/api/external/team-orders", credential="partner.prepaid")
            giftsim_server.call("GET", "/api/external/nowhere", credential="partner.prepaid")
            assert n == 0
        """
    )
    result = run(project, "-p", "xdist", "-n", "2")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["giftsim: 4 traces, listed in file://*/.giftsim/traces/index.html"])
    served = next(name for name in names(project.path) if name.endswith("[1].server.html"))
    [call] = entries(trace_in(project.path, served), "call")
    assert call["source"]["line"] == 6
    assert call["call"]["response"]["status"] == 404


def test_calls_during_a_delivery_are_caused_by_it(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def test_it(giftsim):
            giftsim.subscribe("team_order.claimed")
            order = giftsim.call("POST", "/api/external/team-orders", credential="partner.prepaid", body={
                "idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
                "recipients": [{"name": "Bo", "email": "bo@example.com"}]}).json()
            giftsim.claim(order)
            giftsim.advance("2h")

            def handle(webhook):
                giftsim.call("GET", "/api/external/team-orders/1001", credential="partner.prepaid")

            giftsim.deliver_to(handler=handle)
            assert False
        """
    )
    run(project)
    [name] = [name for name in names(project.path) if name != "index.html"]
    trace = trace_in(project.path, name)
    [attempt] = entries(trace, "attempt")
    [read_back] = entries(trace, "call", "1001")
    assert causes(trace, read_back)["during"] == attempt


def test_it_says_what_the_app_answered_to_webhooks_when_and_how_long_that_took(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        def app(environ, start_response):
            refused = environ["HTTP_X_SERVICE_EVENT"] == "team_order.shipped"
            start_response("422 No" if refused else "204 No Content", [])
            return [b"no parcels here" if refused else b""]

        def test_it(giftsim):
            giftsim.subscribe("team_order.claimed", "team_order.shipped")
            giftsim.claim(giftsim.call("POST", "/api/external/team-orders", credential="partner.prepaid", body={
                "idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
                "recipients": [{"name": "Bo", "email": "bo@example.com"}]}))
            giftsim.advance("5d")
            giftsim.deliver_to(app, type="team_order.shipped")
            giftsim.advance("1h")
            giftsim.control("POST", "/deliveries/1/app-answer", {"status": 204})
            assert False
        """
    )
    run(project)
    [name] = [name for name in names(project.path) if name != "index.html"]
    claimed, shipped = (entry["attempt"] for entry in entries(trace_in(project.path, name), "attempt"))
    assert (shipped["status"], shipped["answer"]) == (422, "no parcels here")
    assert shipped["passed_on"] == {"order": 1, "at": "2027-01-09T09:00:00Z"}
    assert shipped["took_ms"] >= 0
    assert claimed["passed_on"] == {"order": 2, "at": "2027-01-09T10:00:00Z"}
    assert "took_ms" not in claimed


def test_it_lists_the_calls_that_did_not_reach_the_world(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import requests

        def test_it(giftsim):
            with giftsim.route("https://gifts.vendor.example/api/external"):
                requests.get("https://gifts.vendor.example/other", timeout=60)
        """
    )
    run(project)
    [name] = [name for name in names(project.path) if name != "index.html"]
    refused = trace_in(project.path, name)["test"]["output"]["Calls that this world refused"]
    assert "route() sends only URLs below https://gifts.vendor.example/api/external to the world" in refused


def test_a_pattern_that_is_none_fails_the_trace_and_not_the_run(shop: pytest.Pytester) -> None:
    result = run(shop, "--giftsim-trace-redact", "(")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["trace: none could be written: *'(' is not a regular expression*"])


def test_a_run_without_traces_loads_nothing_of_them(project: pytest.Pytester) -> None:
    project.makepyfile(
        "import sys\ndef test_it(giftsim):\n    assert 'giftsim.workbench.trace.trace' not in sys.modules\n"
    )
    run(project).assert_outcomes(passed=1)
    code = "import sys, giftsim.pytest_plugin; print([name for name in sys.modules if name.startswith('giftsim.t')])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
