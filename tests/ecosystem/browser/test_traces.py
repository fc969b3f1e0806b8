"""The trace of every scenario of the library opens in a browser without an error, and shows its last entries."""

from __future__ import annotations

from pathlib import Path

import pytest

from giftsim import Simulator
from giftsim.scenario import load, play
from tests.support.axe import serious_findings
from tests.support.browser import Visit
from tests.support.library import SCENARIOS
from tests.support.trace_page import entry, show

STEPS = 12


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_the_trace_of_a_scenario_opens_and_is_walked_back(file: Path, visit: Visit, simulator: Simulator) -> None:
    report = play(load(file), simulator.client, keep=True)
    path = f"/_sim/v1/worlds/{report.world}"
    trace = simulator.client.call("GET", f"{path}/trace").text
    simulator.client.call("DELETE", path)
    page = show(visit, trace)
    page.keyboard.press("End")
    last = int(page.get_by_role("slider", name="Time").get_attribute("aria-valuemax") or 0)
    page.locator(f'[role=slider][aria-valuenow="{last}"]').wait_for()
    for n in range(last - 1, max(0, last - STEPS), -1):
        page.keyboard.press("ArrowLeft")
        page.locator(f'[role=slider][aria-valuenow="{n}"]').wait_for()
    assert entry(page) >= 1
    if file == SCENARIOS[0]:
        assert serious_findings(page) == []
