"""Any scenario becomes a recording: it is played once, and what was done to its world is recorded.

So a person may have written it, with offsets, loops and parts in other files: a recording has one form of each step.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from giftsim.engine.client.control import refusal_error
from giftsim.engine.client.response import Client
from giftsim.workbench.scenario import InvalidScenario, Scenario, check_scenario, load_scenario
from giftsim.workbench.scenario.play_report import StepReport
from giftsim.workbench.scenario.runner import ScenarioRun
from giftsim.workbench.scenario.yaml_source import LARGE_LIMITS, RECORDING_LIMITS

KEEP: Final = "play the file itself in your tests, with giftsim.play(Path(FILE)) or `giftsim play FILE`"
_UNWRITABLE: Final = {
    "background": "a call that waited while others were made",
    "await": "a call that waited while others were made",
    "on_delivery": "calls that were made while a webhook was delivered",
    "fork": "another world",
    "in": "another world",
    "app": "a call of your app",
}


class NotATest(ValueError):
    """A scenario cannot be written as a test; the message says why, and how to go on."""


def read_scenario(content: bytes, file: str, client: Client, path: Path | None, *, large: bool) -> Scenario:
    """The scenario in the content of a file; `path` is where it lies, with those that it includes. NotATest."""
    try:
        scenario = load_scenario(content, file, limits=LARGE_LIMITS if large else RECORDING_LIMITS, path=path)
        check_scenario(scenario, client)
    except InvalidScenario as error:
        raise NotATest(str(error)) from None
    return scenario


def check_writable(scenario: Scenario) -> None:
    """NotATest if a step does what a test cannot do."""
    for step in scenario.steps:
        members = step.source.value_at(step.place)
        for name, what in _UNWRITABLE.items():
            if name in members:
                raise NotATest(f"{step.file}:{step.line}: {what}: a test of plain calls cannot do that; {KEEP}")


def recording_of(scenario: Scenario, client: Client) -> Scenario:
    """The recording of what a scenario does. NotATest if it fails, or does too much to be recorded."""
    run = ScenarioRun(scenario, client)
    try:
        while not run.over:
            run.play_step()
        check_passed(run.reports)
        assert run.context is not None
        world = run.context.main_world
        answer = world.call("GET", world.path("/calls/scenario"), None, {})
        if not answer.is_success:
            raise NotATest(f"{refusal_error(answer).message}; {KEEP}")
        return load_scenario(answer.body, scenario.file, limits=LARGE_LIMITS)
    finally:
        run.delete_worlds()


def check_passed(reports: list[StepReport]) -> None:
    """NotATest if a step failed."""
    failed = next((report for report in reports if report.outcome == "failed"), None)
    if failed is not None and failed.difference is not None:
        raise NotATest(f"this version answers otherwise than the recording says: {failed.detail}")
    if failed is not None:
        raise NotATest(f"the scenario fails: {failed.detail}")
