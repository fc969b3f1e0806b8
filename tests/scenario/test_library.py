"""Every scenario of the library passes on the real simulator, in process."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from giftsim import Simulator
from giftsim.scenario import Scenario, check, find_scenarios, json_schema, load, play

SCENARIOS = find_scenarios(Path(__file__).parents[2] / "scenarios")


@pytest.fixture(params=SCENARIOS, ids=lambda file: file.stem)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    """A scenario of the library; one that names no `now` starts where the run's worlds do (G47)."""
    loaded = load(request.param)
    now = request.config.getoption("--world-now")
    return msgspec.structs.replace(loaded, now=now) if now and loaded.now is None else loaded


def test_a_library_scenario_passes_and_gives_the_same_state_each_time(scenario: Scenario, simulator: Simulator) -> None:
    check(scenario, simulator.client)
    other = Simulator(fixture="bare")
    reports = [play(scenario, client) for client in (simulator.client, simulator.client, other.client)]
    other.close()
    for report in reports:
        assert report.outcome == "passed", report.timeline
        assert report.fingerprint
        assert report.data == reports[0].data


def test_a_scenario_deletes_its_world(simulator: Simulator) -> None:
    before = simulator.client.call("GET", "/_sim/v1/worlds").json()
    play(load(SCENARIOS[0]), simulator.client)
    assert simulator.client.call("GET", "/_sim/v1/worlds").json() == before


def test_the_schema_lists_every_verb_of_simulate(simulator: Simulator) -> None:
    known = json_schema()["$defs"]["simulate_step"]["properties"]["simulate"]["enum"]
    verbs = simulator.client.call("GET", "/_sim/v1/worlds/default/simulate").json()["verbs"]
    assert {verb["verb"] for verb in verbs} <= set(known)
