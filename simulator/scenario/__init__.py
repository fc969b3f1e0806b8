"""Scenarios: a story in YAML, compiled to steps and played over a client, in process or over HTTP alike.

    text -> source (data with marks) -> shape, meaning (refusals) -> draft -> step -> act -> judge -> report

A scenario is a client and nothing more: it reaches the simulator through its own paths, so whatever it can do, any
other program can. The language is described by `schema.json`, member by member.
"""

from __future__ import annotations

from simulator.scenario.app import check_app
from simulator.scenario.client import Answer, Client
from simulator.scenario.compiler import load
from simulator.scenario.folder import stories
from simulator.scenario.refusal import InvalidScenario
from simulator.scenario.report import Report
from simulator.scenario.runner import play
from simulator.scenario.shape import schema
from simulator.scenario.step import Scenario

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
