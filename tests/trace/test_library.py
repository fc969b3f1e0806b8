"""The trace of every scenario of the library fits the schema, holds no secret, and gives the same bytes again."""

from __future__ import annotations

from pathlib import Path

import pytest

from giftsim import Simulator
from giftsim.workbench.scenario import check_scenario, load_scenario, play
from giftsim.workbench.scenario.yaml_source import RECORDING_LIMITS
from giftsim.workbench.trace.file import read_trace_file
from tests.support.library import SCENARIOS
from tests.support.secret_scanner import findings
from tests.support.traces import check_format, state_after


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_a_scenario_of_the_library_has_a_trace(file: Path, simulator: Simulator) -> None:
    report = play(load_scenario(file), simulator.client, keep=True)
    path = f"/_sim/v1/worlds/{report.world}"
    try:
        page = simulator.client.call("GET", f"{path}/trace").body
    finally:
        simulator.client.call("DELETE", path)
    trace = read_trace_file(page)
    check_format(trace)
    state_after(trace, len(trace["entries"]))
    assert trace["world"]["same"]
    text = str(trace)
    assert findings(text) == findings(text.replace('\\\\"', '"')) == []
    recording = load_scenario(trace["recording"], limits=RECORDING_LIMITS)
    check_scenario(recording, simulator.client)
    replayed = play(recording, simulator.client)
    assert replayed.outcome == "passed", replayed.timeline
