"""Properties of whole worlds: any sequence of actions across all interfaces leaves them consistent."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any, cast

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from giftsim import Simulator
from giftsim.workbench.scenario import load_scenario, play
from tests.properties.world_actions import WorldActions
from tests.shows import shows
from tests.support.orders import email_recipients

PACE = settings(max_examples=15, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck))


@shows("P-1.5", "P-1.6", "P-2.24", "P-4.17", "P-4.19")
def test_worlds_stay_consistent_under_any_sequence_of_actions(tmp_path: Path) -> None:
    machines: list[WorldActions] = []
    numbers = count()

    def make() -> WorldActions:
        machines[:] = [WorldActions(tmp_path / f"journal-{next(numbers)}")]
        return machines[0]

    try:
        run_state_machine_as_test(cast(Any, make), settings=PACE)
    except BaseException as error:
        error.add_note(f"The run that failed, for `giftsim play`:\n\n{machines[0].scenario()}")
        raise


def test_a_run_is_printed_as_a_scenario_that_plays(simulator: Simulator, tmp_path: Path) -> None:
    run = WorldActions(tmp_path / "journal")
    try:
        run.set_up(("good", "good"), 50_000, ({"recipients": email_recipients(1)},) * 3)
        run.check()
        run.send(0, "drop=after")
        run.save("one")
        run.prepare_for_team(1, "gifts")
        run.fork()
        run.decide(0, "approve")
        run.restart()
        run.undo(1)
        run.switch(0)
        run.restore(0)
        run.buy_ticket(general=True, place=0)
        text = run.scenario()
    finally:
        run.simulator.close()
    assert text.startswith("# yaml-language-server: ")
    assert "\n# The simulator was restarted after step " in text
    assert "  - undo: 1\n    in: fork-1\n" in text
    report = play(load_scenario(text), simulator.client)
    assert report.outcome == "passed", report.timeline
