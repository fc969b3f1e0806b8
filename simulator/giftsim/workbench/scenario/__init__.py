"""Scenarios: YAML files compiled to steps and played over a client, in process or over HTTP.

    YAML text -> yaml_source -> schema, checks -> expansion -> steps/ (parse) -> runner -> steps/ (run) -> report

A scenario is a client of the simulator and uses its public routes only, so any other program can do what it does.
`schema.json` describes the file format, member by member.
"""

from __future__ import annotations

from giftsim.workbench.app.app_calls import check_app_url
from giftsim.workbench.scenario.compiled_scenario import Scenario
from giftsim.workbench.scenario.compiler import load_scenario
from giftsim.workbench.scenario.play_report import Report
from giftsim.workbench.scenario.runner import play
from giftsim.workbench.scenario.scenario_error import InvalidScenario
from giftsim.workbench.scenario.scenario_files import find_scenarios
from giftsim.workbench.scenario.schema import json_schema
from giftsim.workbench.scenario.simulator_checks import check_scenario
from giftsim.workbench.scenario.yaml_source import limits_of

__all__ = [
    "InvalidScenario",
    "Report",
    "Scenario",
    "check_app_url",
    "check_scenario",
    "find_scenarios",
    "json_schema",
    "limits_of",
    "load_scenario",
    "play",
]
