"""The `on_delivery` member of an advance: steps that run while a delivery is held by a receiver of mode `hold`.

The advance runs in a background thread. Held deliveries are taken in the order of their attempts: the steps of the
first matching entry run, then the delivery is answered. The world's clock does not move meanwhile, so the result does
not depend on real time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from giftsim.engine.client.matching import preview_value
from giftsim.workbench.scenario.compiled_scenario import EMPTY, Step
from giftsim.workbench.scenario.run_context import POLL_INTERVAL_S, BackgroundCall, RunContext
from giftsim.workbench.scenario.steps.step_source import Nesting, StepSource
from giftsim.workbench.scenario.variables import UNKNOWN, check_expressions
from giftsim.workbench.scenario.world_client import WorldClient, step_failed
from giftsim.workbench.scenario.yaml_source import Source, YamlPath

VARIABLE: Final = "delivery"
FORBIDDEN_KINDS: Final = ("advance", "snapshot", "restore", "undo", "fork")
CONDITIONS: Final = ("type", "event", "attempt", "host")

CompileSteps = Callable[[Source, YamlPath, Nesting, Mapping[str, Any]], Iterator[Step]]


class DeliveryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of `on_delivery`: its conditions, its steps, and its answer (empty for the receiver's own)."""

    conditions: Mapping[str, Any]
    answer: Mapping[str, Any]
    steps: tuple[Step, ...]


def parse_entries(
    step: StepSource, known: Mapping[str, Any], start_ms: int, compile_steps: CompileSteps
) -> Iterator[DeliveryEntry]:
    """Yield the entries of `on_delivery`. InvalidScenario for steps that cannot run while a delivery is held."""
    source, path = step.source, (*step.path, "on_delivery")
    for index, data in enumerate(source.value_at(path)):
        place = (*path, index)
        conditions = {name: data[name] for name in CONDITIONS if name in data}
        check_expressions(source, place, {**conditions, "answer": data.get("answer")}, known, start_ms)
        for number, nested in enumerate(data.get("steps", ())):
            _check_kind(source, (*place, "steps", number), nested)
        steps: Iterator[Step] = iter(())
        if "steps" in data:
            steps = compile_steps(source, (*place, "steps"), step.nesting, {VARIABLE: UNKNOWN})
        inside = [msgspec.structs.replace(nested, world=nested.world or step.data.get("in")) for nested in steps]
        yield DeliveryEntry(conditions=conditions, answer=data.get("answer", EMPTY), steps=tuple(inside))


def advance(
    context: RunContext, step: Step, entries: tuple[DeliveryEntry, ...], goal: Mapping[str, Any]
) -> Iterator[str]:
    """Advance the world and handle the deliveries that are held on the way; return the failures."""
    handler = _DeliveryHandler(context, entries)
    handler.handle_held(wait=False)
    world = context.world
    call = BackgroundCall(step, world, lambda: world.control("POST", "/clock/advance", goal))
    while not call.is_done(0):
        if not handler.handle_held(wait=True):
            call.is_done(POLL_INTERVAL_S)
    result: Any = call.result()
    world.now = result["to"]
    return handler.failures()


def release_held(world: WorldClient) -> None:
    """Let the receivers answer all deliveries that are still held in a world."""
    for delivery in _held_deliveries(world, wait=False):
        _answer(world, delivery, {})


class _DeliveryHandler:
    """Handles the held deliveries of one advance."""

    def __init__(self, context: RunContext, entries: tuple[DeliveryEntry, ...]) -> None:
        self.context, self.entries, self.world = context, entries, context.world
        self.used: set[int] = set()
        self.held: list[str] = []
        self.failed = False

    def handle_held(self, *, wait: bool) -> bool:
        """Handle the deliveries that are held, or soon will be; return whether there were any."""
        deliveries = _held_deliveries(self.world, wait=wait)
        for delivery in deliveries:
            self._handle(delivery)
        return bool(deliveries)

    def failures(self) -> Iterator[str]:
        """A message for each entry that was not used; only one if a nested step failed, which may be the cause."""
        if self.failed:
            yield "a step within it failed"
            return
        for index, entry in enumerate(self.entries):
            if index not in self.used:
                wanted = preview_value(self.context.resolve(entry.conditions)) if entry.conditions else "any attempt"
                held = ", ".join(self.held) or "none"
                yield f"on_delivery[{index}]: expected {wanted} at a receiver of mode hold, actual {held}"

    def _handle(self, delivery: Mapping[str, Any]) -> None:
        self.held.append(f"{delivery['type']} attempt {delivery['attempt']}")
        for index, entry in enumerate(self.entries):
            if not self.failed and _matches(self.context.resolve(entry.conditions), delivery):
                self.used.add(index)
                self._run_entry(entry, delivery)
                return
        _answer(self.world, delivery, {})

    def _run_entry(self, entry: DeliveryEntry, delivery: Mapping[str, Any]) -> None:
        self.world.now = delivery["at"]
        self.context.saved[VARIABLE] = _variable(delivery)
        try:
            for step in entry.steps:
                self.failed = not self.context.run_nested(step, self.failed) or self.failed
            self.context.variables[VARIABLE] = self.context.saved[VARIABLE]
            answer = self.context.resolve(entry.answer)
        finally:
            del self.context.saved[VARIABLE]
        _answer(self.world, delivery, answer)


def _held_deliveries(world: WorldClient, *, wait: bool) -> list[Mapping[str, Any]]:
    query = "?wait=true&limit=1000" if wait else "?limit=1000"
    deliveries: list[Mapping[str, Any]] = world.control("GET", f"/deliveries/held{query}")["held"]
    return deliveries


def _answer(world: WorldClient, delivery: Mapping[str, Any], reaction: Mapping[str, Any]) -> None:
    """Answer a held delivery; a step may have released it already by replacing the receiver."""
    path = world.path(f"/deliveries/{delivery['seq']}/answer")
    response = world.call("POST", path, reaction, {})
    if not response.is_success and "not_held" not in response.text:
        raise step_failed("POST", path, response)


def _matches(conditions: Mapping[str, Any], delivery: Mapping[str, Any]) -> bool:
    actual = {**_variable(delivery), "event": delivery["event_id"]}
    return all(actual[name] == value for name, value in conditions.items())


def _variable(delivery: Mapping[str, Any]) -> Mapping[str, Any]:
    """The value of `${delivery}`."""
    request = delivery["request"]
    return {
        **{name: delivery[name] for name in ("seq", "at", "url", "event_id", "type", "attempt")},
        "host": urlsplit(delivery["url"]).hostname,
        "headers": request["headers"],
        "body": msgspec.json.decode(request["body"]),
        "text": request["body"],
    }


def _check_kind(source: Source, path: YamlPath, step: Mapping[str, Any]) -> None:
    for kind in FORBIDDEN_KINDS:
        if kind in step:
            message = f'"{kind}" is not allowed here: the clock and the world must not change while a delivery is held'
            raise source.error((*path, kind), message, name=True)
