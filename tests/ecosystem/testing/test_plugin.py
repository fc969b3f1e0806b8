"""The pytest plugin in whole runs of a project: options of worlds, scenario files as tests, one server for workers."""

from __future__ import annotations

import json
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from tests.support.pytest_projects import run

GOOD = """\
scenario: A day goes by
steps:
  - advance: 1d
"""
BAD = """\
# why
scenario: "A parcel that never ships"
steps:
  - advance: 1d
    expect: {events: [team_order.shipped]}
"""


WORLD_OPTIONS_TESTS = """\
import pytest
from datetime import UTC, datetime

def test_ini(giftsim):
    assert (giftsim.description["seed"], giftsim.description["fixture"]) == (5, "empty")
    assert giftsim.description["name"] == "test_ini"
    assert giftsim.now == datetime(2030, 1, 1, tzinfo=UTC)
    assert giftsim.settings()["partner.lead_times.production"] == "1h"
    giftsim.advance("1d")

@pytest.mark.giftsim(fixture="default", seed=9, now="2028-02-02T00:00:00Z")
@pytest.mark.giftsim(settings={"webhooks.url_ports": [8443]})
def test_marker(giftsim):
    assert (giftsim.description["seed"], giftsim.description["fixture"]) == (9, "default")
    assert giftsim.now == datetime(2028, 2, 2, tzinfo=UTC)
    assert giftsim.settings()["webhooks.url_ports"] == [8443]
    assert giftsim.settings()["partner.lead_times.production"] == "1h"

@pytest.mark.giftsim(fixture="ours.yaml")
def test_file(giftsim):
    [ours] = [one for one in giftsim.listed("catalogue") if one["name"] == "Our mug"]
    assert giftsim.description["seed"] == 5

@pytest.mark.giftsim(fixture="theirs.yaml")
def test_no_file(giftsim):
    pass

@pytest.mark.giftsim(fixtur="empty")
def test_typo(giftsim):
    pass
"""


def test_worlds_take_options_from_the_marker_the_command_line_and_the_ini_file(project: pytest.Pytester) -> None:
    project.makeini(
        "[pytest]\ngiftsim_seed = 5\ngiftsim_now = 2030-01-01T00:00:00Z\n"
        "giftsim_settings =\n    partner.lead_times.production = 1h\n"
    )
    project.makepyfile(WORLD_OPTIONS_TESTS)
    (project.path / "ours.yaml").write_text(
        "extends: empty\nproducts: [{id: 900, code: OURS-01, name: Our mug, price_cents: 100}]\n"
    )
    result = run(project, "--strict-markers")
    result.assert_outcomes(passed=3, errors=2)
    result.stdout.fnmatch_lines(["*fixture file not found: */theirs.yaml"])
    result.stdout.fnmatch_lines(["*@pytest.mark.giftsim takes fixture, seed, now, settings, by name, not [[]'fixtur']"])
    run(project, "--giftsim-seed=6", "-k", "test_ini").assert_outcomes(failed=1, deselected=4)


def test_scenario_files_are_tests_and_other_yaml_is_ignored(project: pytest.Pytester) -> None:
    folder = project.mkdir("scenarios")
    (folder / "day.yaml").write_text(GOOD)
    (folder / "never.yml").write_text(BAD)
    (folder / "typo.yaml").write_text(GOOD.replace("advance", "advanse"))
    (folder / "part.yaml").write_text("steps:\n  - advance: 1d\n")
    (folder / "compose.yaml").write_text("services:\n  scenario: {image: x}\n")
    (folder / "load.yaml").write_text("scenario: checkout under load\nstages: []\n")
    (folder / "molecule.yml").write_text("scenario:\n  name: default\nsteps: []\n")
    (folder / "broken.yaml").write_text("{{ not: yaml\n")
    listed = run(project, "--collect-only", "-q")
    assert listed.outlines[:3] == [
        "scenarios/day.yaml::A day goes by",
        "scenarios/never.yml::A parcel that never ships",
        "scenarios/typo.yaml::A day goes by",
    ]
    result = run(project, "scenarios", "--junit-xml=report.xml", "-o", "junit_family=xunit1")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "*A parcel that never ships*",
            "*scenarios/never.yml:4: step 1, advance 1d",
            "*FAILED  A parcel that never ships (*",
            '*typo.yaml:3:5: *"advanse"*',
        ]
    )
    result.stdout.no_fnmatch_line("*scenario_item.py*")
    cases = {case.attrib["name"]: case for case in ElementTree.parse("report.xml").iter("testcase")}
    never = cases["A parcel that never ships"]
    assert never.attrib["file"] == "scenarios/never.yml"
    assert float(never.attrib["time"]) > 0
    assert "step 1, advance 1d" in never[-1].attrib["message"]
    properties = {node.attrib["name"]: node.attrib["value"] for node in never.iter("property")}
    assert len(properties["fingerprint"]) == 64
    run(project, "-o", "giftsim_scenarios=false").assert_outcomes()


WORKFLOWS = """
    import json, os, pathlib
    import pytest

    DAYS = ["1d", "3d", "6d", "10d"]
    CARDS = ["good", "none", "declined"]

    @pytest.mark.parametrize("days", DAYS)
    @pytest.mark.parametrize("card", CARDS)
    @pytest.mark.parametrize("seed", [1, 2])
    def test_workflow(giftsim_server, days, card, seed, request):
        sim = giftsim_server
        sim.settings({"partner.lead_times.production": f"{seed}d"})
        sim.simulate("account", key="partner.prepaid", wallet_cents=2_600 if card == "good" else 0, card=card)
        sim.subscribe("team_order.shipped", "team_order.delivered")
        order = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
                 "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
        made = sim.call("POST", "/api/external/team-orders", order, credential="partner.prepaid")
        if made.status == 201:
            sim.claim(made)
        sim.advance(days)
        result = {"test": request.node.name, "print": sim.fingerprint(), "server": sim.url, "world": sim.world,
                "worker": os.environ.get("PYTEST_XDIST_WORKER", "none")}
        pathlib.Path(f"{days}-{card}-{seed}.json").write_text(json.dumps(result))
"""


def workflow_results(project: pytest.Pytester, workers: str) -> list[dict[str, str]]:
    run(project, "-p", "xdist", "-n", workers).assert_outcomes(passed=24)
    return [json.loads(file.read_text()) for file in sorted(project.path.glob("*.json"))]


def test_three_workers_share_one_server_and_give_the_same_fingerprints_as_one(
    project: pytest.Pytester,
) -> None:
    project.makepyfile(WORKFLOWS)
    parallel, serial = workflow_results(project, "3"), workflow_results(project, "0")
    assert {result["worker"] for result in serial} == {"none"}
    assert len({result["server"] for result in parallel}) == 1
    assert len({result["worker"] for result in parallel}) > 1
    assert len({result["world"] for result in parallel}) == 24
    assert [result["print"] for result in parallel] == [result["print"] for result in serial]
    assert len({result["print"] for result in serial}) > 12


def test_the_server_survives_a_crashed_worker_and_ends_with_the_run(project: pytest.Pytester) -> None:
    project.makepyfile(
        """
        import os, pathlib

        def test_first(giftsim_server):
            with open("servers", "a") as file:
                file.write(giftsim_server.url + "\\n")
            os._exit(3)

        def test_second(giftsim_server):
            with open("servers", "a") as file:
                file.write(giftsim_server.url + "\\n")
        """
    )
    run(project, "-p", "xdist", "-n", "1").assert_outcomes(passed=1, failed=1)
    first, second = (project.path / "servers").read_text().split()
    assert first == second
    asking = f"import urllib.request; urllib.request.urlopen('{first}/_sim/v1/health')"
    refused = subprocess.run([sys.executable, "-c", asking], capture_output=True, text=True, check=False)
    assert "Connection refused" in refused.stderr
