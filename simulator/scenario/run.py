"""One run of a scenario: the worlds it has, the values it has saved, and what a step sees of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from simulator.scenario.app import Dial
from simulator.scenario.match import ABSENT
from simulator.scenario.sandbox import Sandbox
from simulator.scenario.saving import Saving
from simulator.scenario.step import Scenario, Step
from simulator.scenario.variables import fill


class Done(NamedTuple):
    """What an act came to: a word for the timeline, or what was wrong with it and the answer it got."""

    said: str = ""
    faults: tuple[str, ...] = ()
    answer: str = ""


class Run:
    """What the acts share; `sandbox` and `variables` are those of the step that is being taken."""

    def __init__(self, scenario: Scenario, sandbox: Sandbox, dial: Dial) -> None:
        self.scenario, self.sandbox, self.dial = scenario, sandbox, dial
        self.saved: dict[str, Any] = {}
        self.variables: dict[str, Any] = self._names()

    @contextmanager
    def entered(self, _step: Step) -> Iterator[None]:
        """Have names and world as they are at a step; steps within steps put the outer ones back at their end."""
        outer = self.sandbox, self.variables
        self.variables = {**self._names(), **self.saved}
        try:
            yield
        finally:
            self.sandbox, self.variables = outer

    def fill(self, value: Any) -> Any:
        """The value with its variables filled in."""
        return fill(value, self.variables)

    def save(self, savings: tuple[Saving, ...], found: Any) -> tuple[str, ...]:
        """Take values out of an answer's content, for later steps; what is not there is told of."""
        return tuple(fault for saving in savings if (fault := self._save(saving, found)))

    def _save(self, saving: Saving, found: Any) -> str | None:
        try:
            value = saving.take(None if found is ABSENT else found)
        except LookupError:
            return f"save.{saving.name}: expected a value at {saving.text}, actual none"
        self.saved[saving.name] = self.variables[saving.name] = value
        return None

    def _names(self) -> dict[str, Any]:
        sandbox = self.sandbox
        start = {"start": sandbox.start_ms, "start_date": sandbox.start_ms}
        app: Mapping[str, str] = {"app": self.scenario.app} if self.scenario.app else {}
        return {"world": sandbox.id, "origin": sandbox.origin, **start, **app}
