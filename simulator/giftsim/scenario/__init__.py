"""Scenarios: a story in YAML, compiled to steps and played over a client, in process or over HTTP alike.

    text -> source (data with marks) -> shape, meaning (refusals) -> draft -> step -> act -> judge -> report

A scenario is a client and nothing more: it reaches the simulator through its own paths, so whatever it can do, any
other program can. The language is described by `schema.json`, member by member.
"""

from __future__ import annotations

from giftsim.scenario.app_client import check_app
from giftsim.scenario.client_protocol import Answer, Client
from giftsim.scenario.compiler import load
from giftsim.scenario.report import Report
from giftsim.scenario.runner import play
from giftsim.scenario.scenario_error import InvalidScenario
from giftsim.scenario.scenario_folder import stories
from giftsim.scenario.schema import schema
from giftsim.scenario.step import Scenario

__all__ = [
    "Answer",
    "Client",
    "InvalidScenario",
    "Report",
    "Scenario",
    "check_app",
    "load",
    "play",
    "schema",
    "stories",
]
