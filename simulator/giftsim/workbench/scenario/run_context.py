"""The state of a scenario while it is played: its worlds, its variables and its background calls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import Any, TypeAlias

from giftsim.engine.client.matching import ABSENT
from giftsim.engine.client.response import Response
from giftsim.engine.kernel.instants import format_instant
from giftsim.workbench.app.app_calls import AppCaller
from giftsim.workbench.scenario.compiled_scenario import Scenario, Step
from giftsim.workbench.scenario.schema import fit_step_part
from giftsim.workbench.scenario.unused_setup import SetupTracker, Unused
from giftsim.workbench.scenario.variables import RUN, SavedValue, is_offset, parse_time, resolve_variables
from giftsim.workbench.scenario.world_client import StepFailed, WorldClient

POLL_INTERVAL_S = 0.01
POLLS_OF_A_LOCK = 200  # 2 s, which is longer than an app takes to call the service
MAX_POLLS = 15_000  # 150 s, longer than the longest delay of a fault
HELD = (
    "a fault or a receiver holds this call, and no later step can release it while this step waits for its response; "
    "make the call with `background: NAME`, release it in a later step, and `await: NAME` after that"
)


Send: TypeAlias = Callable[[], Response]
# Runs a step within another one, or skips it, and returns whether it passed or was skipped.
NestedRunner: TypeAlias = Callable[[Step, bool], bool]


class BackgroundCall(Future[Response]):
    """A call in its own daemon thread, which starts at once; `send` makes the call and returns its response."""

    def __init__(self, step: Step, world: WorldClient, send: Send) -> None:
        super().__init__()
        self.step, self.world = step, world
        threading.Thread(target=self._run, args=(send,), name=f"step {step.number}", daemon=True).start()

    def is_done(self, within_s: float) -> bool:
        """Wait for the response for at most `within_s` real seconds. Return whether it is there."""
        return bool(wait([self], within_s).done)

    def _run(self, send: Send) -> None:
        try:
            self.set_result(send())
        except BaseException as error:  # noqa: BLE001 - raised again where the response is awaited
            self.set_exception(error)


class RunContext:
    """What all steps share; `world` and `variables` are those of the step that is running.

    `main_world` is the scenario's own world, `forks` are the others by name. `may_hold` is whether a receiver of mode
    `hold` was set up, `may_hold_calls` whether that or a fault may hold a call. `run_nested` runs the steps within a
    step. `run` is the value of ${run}.
    """

    def __init__(self, scenario: Scenario, world: WorldClient, app_caller: AppCaller, run: str = RUN) -> None:
        self.scenario, self.app_caller, self.run = scenario, app_caller, run
        self.world = self.main_world = world
        self.forks: dict[str, WorldClient] = {}
        self.variables = world.variables(run, scenario.app)
        for name, value in scenario.values.items():
            self.variables[name] = self.resolve(value)
        self.saved = {name: self.variables[name] for name in scenario.values}
        self.background_calls: dict[str, BackgroundCall] = {}
        self.setup = SetupTracker()
        self.may_hold = self.may_hold_calls = False
        self.run_nested: NestedRunner  # the runner sets it before each step

    @contextmanager
    def enter(self, step: Step) -> Iterator[None]:
        """Use the world and the variables of a step; those of the surrounding step are restored at the end."""
        outer = self.world, self.variables
        self.world = self.world_of(step)
        self.variables = {**self.world.variables(self.run, self.scenario.app), **self.saved}
        try:
            for values in step.scope:
                self.variables |= self.resolve(values)
            yield
        finally:
            self.world, self.variables = outer

    def world_of(self, step: Step) -> WorldClient:
        """The world that a step runs in."""
        return self.forks[step.world] if step.world else self.main_world

    def unused(self) -> list[Unused]:
        """The setup and the background calls that no step has used, once all steps have run."""
        message = "expected its response to be awaited, actual never"
        return [*self.setup.check(), *(Unused(call.step, message) for call in self.background_calls.values())]

    def call_in_background(self, step: Step, name: str, send: Send, *, of_app: bool) -> None:
        """Make a call in the background.

        Waits until it is answered, held, delayed or at a held delivery, so that its effects precede the next step every
        time. If another call is open, one of the app may wait for that there, for a lock: two seconds later it is taken
        to do so.
        """
        waits = of_app and any(not other.is_done(0) for other in self.background_calls.values())
        call = self.background_calls[name] = BackgroundCall(step, self.world, send)
        self._wait_until_settled(call, ("held", "late", "standing"), POLLS_OF_A_LOCK if waits else None)

    def call_in_foreground(self, step: Step, send: Send) -> Response:
        """Make a call and wait for its response. StepFailed if the call is held: no later step could release it."""
        if not self.may_hold_calls:
            return send()
        world = self.world
        held = world.held_call_count()
        call = BackgroundCall(step, world, send)
        while not call.is_done(POLL_INTERVAL_S):
            if world.held_call_count() > held and not call.is_done(0):
                raise StepFailed(HELD)
        return call.result()

    def wait_for(self, call: BackgroundCall) -> bool:
        """Wait for the response of a background call; return False if the call is held."""
        return self._wait_until_settled(call, ("held", "standing"))

    def _wait_until_settled(self, call: BackgroundCall, counters: tuple[str, ...], polls: int | None = None) -> bool:
        """Wait until a call is answered (True), or until the world counts all open calls as held or delayed (False).

        With `polls`, it may stay open after that many.
        """
        for _ in range(polls or MAX_POLLS):
            if call.is_done(POLL_INTERVAL_S):
                return True
            # A held call is released before it is answered. Counting in this order never takes one call for another.
            open_calls = sum(not other.is_done(0) for other in self._background_calls_of(call.world))
            counts = call.world.refresh()["counts"]
            if open_calls and sum(counts[name] for name in counters) >= open_calls:
                return False
        if polls is not None:
            return False
        raise StepFailed(f"the call was neither answered nor held within {MAX_POLLS * POLL_INTERVAL_S:g} s")

    def _background_calls_of(self, world: WorldClient) -> list[BackgroundCall]:
        return [call for call in self.background_calls.values() if call.world is world]

    def delete_worlds(self) -> None:
        """Delete the worlds of the scenario."""
        for world in (*self.forks.values(), self.main_world):
            world.delete()

    def with_instants(self, value: Any, members: tuple[str, ...]) -> Any:
        """The mapping with its variables resolved, and with the times among `members` as instants."""
        value = self.resolve(value)
        return {**value, **{name: self.instant(value[name]) for name in members if name in value}}

    def instant(self, text: Any) -> str:
        """A time as an instant, to the millisecond for an offset; StepFailed if a variable made it invalid."""
        resolved = str(self.resolve(text))
        try:
            at_ms = parse_time(resolved, self.world.start_ms)
            return format_instant(at_ms) if is_offset(resolved) else resolved
        except ValueError as error:
            raise StepFailed(str(error)) from None

    def resolve(self, value: Any) -> Any:
        """The value with its variables resolved."""
        return resolve_variables(value, self.variables)

    def resolve_part(self, definition: str, value: Any) -> Any:
        """A part of a step with its variables resolved; StepFailed if it does not fit its definition in the schema."""
        resolved = self.resolve(value)
        if resolved == value:
            return value
        try:
            return fit_step_part(definition, resolved)
        except ValueError as error:
            raise StepFailed(str(error)) from None

    def save(self, saved_values: tuple[SavedValue, ...], content: Any) -> tuple[str, ...]:
        """Save values of a response for later steps; return a message for each that is not there."""
        return tuple(message for value in saved_values if (message := self._save(value, content)))

    def show_unsaved(self, saved_values: tuple[SavedValue, ...]) -> None:
        """Let the variables of values that were not there stand for themselves, to show what differs."""
        for saved in saved_values:
            self.variables.setdefault(saved.name, f"${{{saved.name}}}")

    def _save(self, saved: SavedValue, content: Any) -> str | None:
        try:
            value = saved.extract(None if content is ABSENT else content)
        except LookupError:
            return f"save.{saved.name}: expected a value at {saved.text}, actual none"
        self.saved[saved.name] = self.variables[saved.name] = value
        return None
