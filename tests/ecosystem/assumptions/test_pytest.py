"""`pytest --giftsim-assumptions` in a project: five tests that lean on a guess, and twenty that do not."""

from __future__ import annotations

from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from tests.assumptions.test_pytest import run, written
from tests.docs.pages import ROOT
from tests.support.pytest_projects import PLUGINS

SUITE = Path(__file__).parent / "suite.txt"
LEANING = [
    ("test_leans_on_null_members", "G282", "no_nulls"),
    ("test_leans_on_the_days_of_a_claim_link", "B19", "short_claim"),
    ("test_leans_on_the_days_of_production", "B25", "slow_parcels"),  # each of the two delays the parcel
    ("test_leans_on_the_days_of_production", "G460", "parcels_rest_at_weekends"),
    ("test_leans_on_the_order_of_members", "G281", "sorted_members"),
    ("test_leans_on_the_text_of_an_error", "G283", "longer_messages"),
]


@pytest.mark.parametrize("args", [(), ("-p", "xdist", "-n", "2")], ids=["alone", "workers"])
def test_just_the_five_tests_that_lean_are_reported(project: pytest.Pytester, args: tuple[str, ...]) -> None:
    result = run(project, SUITE.read_text(encoding="utf-8"), *args)
    result.assert_outcomes(passed=25)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    data = written(project)
    found = [(row["test"].partition("::")[2], row["decision"], row["variant"]) for row in data["leaning"]]
    assert found == LEANING
    assert not any("together" in row for row in data["leaning"])
    assert not data["unsteady"]
    assert {decision for _, decision, _ in LEANING} <= set(data["touched"])
    assert set(data["safe"]).isdisjoint(data["untried"])
    result.stdout.fnmatch_lines(
        [
            "test_shop.py::test_leans_on_the_days_of_production leans on:",
            "  B25 Lead times (slow_parcels)",
            "    not documented: The documents do not say how long production and shipping take.",
            "    then:           AssertionError: assert 'shipped' == 'delivered'",
            "    safe:           Wait for the webhook instead of a number of days.",
            "  G460 Lead times run day and night (parcels_rest_at_weekends)",
            "    then:           AssertionError: assert 'shipped' == 'delivered'",
            "5 tests lean on a guess",
            "giftsim: wrote .giftsim/assumptions.json",
        ]
    )


def test_the_search_takes_less_than_five_times_what_the_suite_takes(project: pytest.Pytester) -> None:
    project.makepyfile(test_shop=SUITE.read_text(encoding="utf-8"))
    took = []
    for args in ((), ("--giftsim-assumptions",)):
        before = getrusage(RUSAGE_CHILDREN)  # of the processors: others use them too
        project.runpytest_subprocess(*PLUGINS, *args).assert_outcomes(passed=25)
        after = getrusage(RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert took[1] < 5 * took[0], took


def test_a_run_without_such_tests_exits_with_0_and_writes_no_coverage(project: pytest.Pytester) -> None:
    source = "def test_it(giftsim):\n    assert giftsim.call('GET', '/api/external/team-orders').status == 401\n"
    result = run(project, source)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["0 tests lean on a guess"])
    assert not Path(project.path, ".giftsim", "coverage.json").exists()


TWICE = """
import pytest

@pytest.fixture(scope="module")
def names():
    return []

def test_once(giftsim, names):
    names.append(1)
    assert len(names) == 1
"""


def test_a_test_that_cannot_run_twice_is_unsteady_and_leans_on_nothing(project: pytest.Pytester) -> None:
    result = run(project, TWICE + "\n\ndef test_other(names):\n    pass\n")
    result.assert_outcomes(passed=2)
    assert (written(project)["unsteady"], written(project)["leaning"]) == (["test_shop.py::test_once"], [])
    assert result.ret == 0


OWN = """
import pytest

@pytest.mark.giftsim(settings={"partner.claim_expiry_days": 30})
def test_a_setting_of_its_own(giftsim):
    body = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
    path = "/api/external/team-orders"
    number = giftsim.call("POST", path, body, credential="partner.prepaid").json()["team_order"]["id"]
    giftsim.advance("29d")
    order = giftsim.call("GET", f"{path}/{number}", credential="partner.prepaid").json()
    assert order["recipients"][0]["status"] == "awaiting"

@pytest.mark.xfail
def test_expected_to_fail(giftsim):
    assert False

@pytest.mark.skip
def test_skipped(giftsim):
    assert False

def test_failed(giftsim):
    assert False
"""


def test_settings_of_a_test_stay_and_only_tests_that_pass_run_again(project: pytest.Pytester) -> None:
    result = run(project, OWN)
    result.assert_outcomes(passed=1, xfailed=1, skipped=1, failed=1)
    assert not written(project)["leaning"]
    assert len(list(Path(project.path, ".giftsim", "traces").glob("test_shop*.html"))) == 1  # of the failed test


ON_THE_SERVER = """
def test_members(giftsim_server):
    answer = giftsim_server.call("GET", "/api/external/team-orders", credential="partner.prepaid")
    assert answer.body.startswith(b'{"team_orders":')
"""
SCENARIO = """\
scenario: A list of orders
steps:
  - call: GET /api/external/team-orders
    as: partner.prepaid
    expect: {body: {limit: 20}}
"""


@pytest.mark.parametrize("args", [(), ("-p", "xdist", "-n", "1")], ids=["alone", "worker"])
def test_worlds_of_the_server_and_scenarios_are_turned_over_too(
    project: pytest.Pytester, args: tuple[str, ...]
) -> None:
    Path(project.path, "list.yaml").write_text(SCENARIO, encoding="utf-8")
    run(project, ON_THE_SERVER, *args, "list.yaml", "test_shop.py").assert_outcomes(passed=2)
    found = [(row["test"].rpartition("::")[2], row["variant"]) for row in written(project)["leaning"]]
    assert sorted(found) == [("A list of orders", "small_pages"), ("test_members", "sorted_members")]


ENDLESS = """
import time


def test_waits(giftsim):
    body = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
    order = giftsim.call("POST", "/api/external/team-orders", body, credential="partner.prepaid").json()
    while order["recipients"][0]["status_label"] != "Waiting for address":
        time.sleep(0.01)
"""


def test_a_test_that_no_longer_ends_leans_on_it(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    project.makeconftest("from giftsim.testing import assumptions_run\nassumptions_run.LEAST_S = 1.0\n")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "simulator"))
    run(project, ENDLESS).assert_outcomes(passed=1)
    [row] = written(project)["leaning"]
    assert row["variant"] == "longer_labels"
    assert "it did not end within" in row["failure"]
