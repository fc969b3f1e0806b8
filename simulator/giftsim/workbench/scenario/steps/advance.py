"""The `advance` step: moves the world's clock and runs what becomes due, with steps for held deliveries if wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.engine.client.world import goal_of
from giftsim.workbench.scenario.compiled_scenario import Step
from giftsim.workbench.scenario.play_report import StepResult
from giftsim.workbench.scenario.run_context import RunContext
from giftsim.workbench.scenario.steps import on_delivery
from giftsim.workbench.scenario.steps.on_delivery import DeliveryEntry
from giftsim.workbench.scenario.steps.step_source import StepSource
from giftsim.workbench.scenario.variables import has_expressions


class Advance(Step, frozen=True, kw_only=True):
    """An advance `by` a duration, `to` a time, or `until` `next` or `idle`; `entries` are those of `on_delivery`.

    Without a `mode`, the value is any of these, once its variables are known.
    """

    mode: str | None
    value: str
    entries: tuple[DeliveryEntry, ...] = ()

    @property
    def nested(self) -> tuple[Step, ...]:
        """The steps that run while a delivery is held."""
        return tuple(step for entry in self.entries for step in entry.steps)


def parse(step: StepSource) -> Advance:
    """Parse `advance`, without its `on_delivery`."""
    data = step.data["advance"]
    if isinstance(data, str):
        mode = None if has_expressions(data) else next(iter(goal_of(data)))
        return Advance(**step.common, title=f"advance {data}", mode=mode, value=data)
    [(mode, value)] = data.items()
    return Advance(**step.common, title=f"advance {mode} {value}", mode=mode, value=value)


def with_entries(
    advance: Step, step: StepSource, known: Mapping[str, Any], start_ms: int, compile_steps: on_delivery.CompileSteps
) -> Step:
    """The advance with its `on_delivery` entries; `compile_steps` compiles the steps within them."""
    entries = on_delivery.parse_entries(step, known, start_ms, compile_steps)
    return msgspec.structs.replace(advance, entries=tuple(entries))


def run(context: RunContext, step: Advance) -> StepResult:
    """Advance the world."""
    value = context.instant(step.value) if step.mode == "to" else context.resolve(step.value)
    goal = goal_of(str(value)) if step.mode is None else {step.mode: value}
    if step.entries or context.may_hold:
        failures = on_delivery.advance(context, step, step.entries, goal)
        return StepResult(f"to {context.world.now}", tuple(failures))
    result = context.world.control("POST", "/clock/advance", goal)
    context.world.now = result["to"]
    return StepResult(f"to {result['to']}")
