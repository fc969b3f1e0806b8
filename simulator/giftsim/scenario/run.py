"""One run of a scenario: the worlds it has, the values it has saved, and what a step sees of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from giftsim.kernel.instants import format_instant
from giftsim.scenario.app_client import Dial
from giftsim.scenario.background_call import Ask, Background
from giftsim.scenario.matching import ABSENT
from giftsim.scenario.recorded_response import Difference
from giftsim.scenario.saved_values import Saving
from giftsim.scenario.step import Scenario, Step
from giftsim.scenario.time_values import is_offset, moment
from giftsim.scenario.unused_setup import Duties, Owed
from giftsim.scenario.variables import fill
from giftsim.scenario.world_client import Refused, Sandbox

A_MOMENT_S = 0.01
MOST_MOMENTS = 15_000  # longer than a fault can delay a call


class Done(NamedTuple):
    """What an act came to: a word for the timeline, or what was wrong with it and the answer it got.

    `difference` is how that answer differs from the one recorded.
    """

    said: str = ""
    faults: tuple[str, ...] = ()
    answer: str = ""
    difference: Difference | None = None


class Take(Protocol):
    """Takes a step within another one."""

    def __call__(self, step: Step, /, *, skip: bool) -> bool:
        """Whether it passed; one that is skipped does not fail."""


def _taken_by_nobody(step: Step, /, *, skip: bool) -> bool:
    raise RuntimeError(f"step {step.number} is taken by no player (skipped: {skip})")


class Run:
    """What the acts share; `sandbox` and `variables` are those of the step that is being taken.

    `home` is the world of the scenario, `worlds` are its forks by name. `holds` is whether a receiver may hold. `take`
    is how a step within a step is taken or skipped: whether it passed.
    """

    def __init__(self, scenario: Scenario, sandbox: Sandbox, dial: Dial) -> None:
        self.scenario, self.dial = scenario, dial
        self.sandbox = self.home = sandbox
        self.worlds: dict[str, Sandbox] = {}
        self.variables: dict[str, Any] = self._names()
        for name, value in scenario.values.items():
            self.variables[name] = self.fill(value)
        self.saved = {name: self.variables[name] for name in scenario.values}
        self.backgrounds: dict[str, Background] = {}
        self.duties = Duties()
        self.holds = False
        self.take: Take = _taken_by_nobody

    @contextmanager
    def entered(self, step: Step) -> Iterator[None]:
        """Have names and world as they are at a step; steps within steps put the outer ones back at their end."""
        outer = self.sandbox, self.variables
        self.sandbox = self.worlds[step.world] if step.world else self.home
        self.variables = {**self._names(), **self.saved}
        try:
            for values in step.scope:
                self.variables |= self.fill(values)
            yield
        finally:
            self.sandbox, self.variables = outer

    def owed(self) -> list[Owed]:
        """What the steps were there for and what never came to be, at the end of the story."""
        awaited = "expected that its answer is awaited, actual never"
        return [*self.duties.look(), *(Owed(background.step, awaited) for background in self.backgrounds.values())]

    def send(self, step: Step, name: str, ask: Ask) -> bool:
        """Make a call in the background; whether it is still out when this goes on: held, delayed or at a delivery.

        Until one of both is the case this waits, so that what the call does comes before the next step every time.
        """
        background = self.backgrounds[name] = Background(step, self.sandbox, ask)
        return not self._settled(background, ("held", "late", "standing"))

    def come_back(self, background: Background) -> bool:
        """Whether the answer of a call in the background has come; one that is held will not."""
        return self._settled(background, ("held", "standing"))

    def _settled(self, background: Background, standing: tuple[str, ...]) -> bool:
        """Wait until a call is answered, or as many stand in the world as are out."""
        for _ in range(MOST_MOMENTS):
            if background.has_answered(A_MOMENT_S):
                return True
            # A call leaves its place before it has answered: counted in this order, none is taken for another.
            waiting = sum(not one.has_answered(0) for one in self._out(background.sandbox))
            counts = background.sandbox.refresh()["counts"]
            if waiting and sum(counts[name] for name in standing) >= waiting:
                return False
        raise Refused(f"the call has neither been answered nor held within {MOST_MOMENTS * A_MOMENT_S:g} s")

    def _out(self, sandbox: Sandbox) -> list[Background]:
        return [background for background in self.backgrounds.values() if background.sandbox is sandbox]

    def end(self) -> None:
        """Delete the worlds."""
        for sandbox in (*self.worlds.values(), self.home):
            sandbox.end()

    def anchored(self, value: Any, members: tuple[str, ...]) -> Any:
        """The same mapping with its times filled in and made instants."""
        value = self.fill(value)
        return {**value, **{name: self.instant(value[name]) for name in members if name in value}}

    def instant(self, text: Any) -> str:
        """A moment as an instant, to the millisecond where it is one; Refused where what was filled in is none."""
        filled = str(self.fill(text))
        try:
            at_ms = moment(filled, self.sandbox.start_ms)
            return format_instant(at_ms) if is_offset(filled) else filled
        except ValueError as error:
            raise Refused(str(error)) from None

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
