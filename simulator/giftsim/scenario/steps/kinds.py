"""The table of all kinds of steps that run, by the member that names them in the file.

The schema describes each as `NAME_step`. `include` and `for_each` are not here: they are expanded before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from giftsim.scenario.compiled_scenario import Step
from giftsim.scenario.run_context import RunContext
from giftsim.scenario.steps import (
    advance,
    app,
    await_call,
    call,
    control,
    expect,
    fault,
    fork,
    receiver,
    restore,
    settings,
    simulate,
    snapshot,
    undo,
)
from giftsim.scenario.steps.step_result import StepResult
from giftsim.scenario.steps.step_source import StepSource


class StepKind(NamedTuple):
    """How a kind of step is parsed from the file, and what it does."""

    parse: Callable[[StepSource], Step]
    run: Callable[[RunContext, Any], StepResult]


KINDS: Mapping[str, StepKind] = MappingProxyType(
    {
        "call": StepKind(call.parse, call.run),
        "app": StepKind(app.parse, app.run),
        "control": StepKind(control.parse, control.run),
        "await": StepKind(await_call.parse, await_call.run),
        "simulate": StepKind(simulate.parse, simulate.run),
        "advance": StepKind(advance.parse, advance.run),
        "receiver": StepKind(receiver.parse, receiver.run),
        "fault": StepKind(fault.parse, fault.run),
        "settings": StepKind(settings.parse, settings.run),
        "snapshot": StepKind(snapshot.parse, snapshot.run),
        "restore": StepKind(restore.parse, restore.run),
        "undo": StepKind(undo.parse, undo.run),
        "fork": StepKind(fork.parse, fork.run),
        "expect": StepKind(expect.parse, expect.run),
    }
)
