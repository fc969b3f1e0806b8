"""The table of all kinds of steps that run, by the member that names them in the file.

The schema describes each as `NAME_step`. `include` and `for_each` are not here: they are expanded before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from giftsim.workbench.scenario.compiled_scenario import Step
from giftsim.workbench.scenario.play_report import StepResult
from giftsim.workbench.scenario.run_context import RunContext
from giftsim.workbench.scenario.steps import advance, call_steps, world_steps
from giftsim.workbench.scenario.steps.step_source import StepSource


class StepKind(NamedTuple):
    """How a kind of step is parsed from the file, and what it does."""

    parse: Callable[[StepSource], Step]
    run: Callable[[RunContext, Any], StepResult]


KINDS: Final[Mapping[str, StepKind]] = {
    "call": StepKind(call_steps.parse_call, call_steps.run_call),
    "app": StepKind(call_steps.parse_app, call_steps.run_app),
    "control": StepKind(world_steps.parse_control, world_steps.run_control),
    "await": StepKind(call_steps.parse_await_call, call_steps.run_await_call),
    "simulate": StepKind(world_steps.parse_simulate, world_steps.run_simulate),
    "rehearse": StepKind(world_steps.parse_rehearse, world_steps.run_rehearse),
    "advance": StepKind(advance.parse, advance.run),
    "receiver": StepKind(world_steps.parse_receiver, world_steps.run_receiver),
    "fault": StepKind(world_steps.parse_fault, world_steps.run_fault),
    "settings": StepKind(world_steps.parse_value, world_steps.run_settings),
    "snapshot": StepKind(world_steps.parse_value, world_steps.run_snapshot),
    "restore": StepKind(world_steps.parse_value, world_steps.run_restore),
    "undo": StepKind(world_steps.parse_value, world_steps.run_undo),
    "fork": StepKind(world_steps.parse_value, world_steps.run_fork),
    "expect": StepKind(world_steps.parse_value, world_steps.run_expect),
}
