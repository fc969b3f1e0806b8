"""A compiled scenario: the world it starts from, its actors and its steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from giftsim.workbench.scenario.scenario_error import InvalidScenario
    from giftsim.workbench.scenario.yaml_source import Source, YamlPath

EMPTY: Mapping[str, Any] = {}


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """Any kind of step: its number from 1, its file and line, its title, and what it expects of the world.

    `source` is the file with the positions of its members, and `place` the path of the step in it.
    `scope` holds the variables of the loops and includes around the step, outermost first. `iteration` names the
    items of those loops, for the title. `world` is the fork that the step runs in, None for the scenario's own world.
    """

    kind: str
    number: int
    file: str
    line: int
    source: Source
    place: YamlPath
    title: str
    iteration: str = ""
    scope: tuple[Mapping[str, Any], ...] = ()
    world: str | None = None
    expect: Mapping[str, Any] = EMPTY

    def error(self, path: YamlPath, message: str, *, name: bool = False) -> InvalidScenario:
        """The error to raise for the value (or for the name) at a path below the step."""
        return self.source.error((*self.place, *path), message, name=name)

    @property
    def full_title(self) -> str:
        """The title with the fork and the loop items."""
        fork = f", in {self.world}" if self.world else ""
        return self.title + fork + (f" ({self.iteration})" if self.iteration else "")

    @property
    def since_start(self) -> bool:
        """Whether it checks the events, deliveries and mail since the start of the scenario, not only its own."""
        return self.kind == "expect"

    @property
    def expectation(self) -> str:
        """The definition of `expect` in the schema."""
        return "world_expectation" if self.kind in ("advance", "expect") else "answer_expectation"

    @property
    def nested(self) -> tuple[Step, ...]:
        """The steps that run within this one."""
        return ()

    @property
    def expectation_count(self) -> int:
        """How many expectations the step checks."""
        return len(self.expect)


class Actor(msgspec.Struct, frozen=True, kw_only=True):
    """A person who acts without steps: the body that creates the actor, and whether the actor may stay idle."""

    file: str
    line: int
    name: str
    members: Mapping[str, Any]
    optional: bool

    @property
    def title(self) -> str:
        """The title in a timeline."""
        return f"actor {self.name}"


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A compiled scenario; `now` is None where the simulator chooses the instant at which the world starts.

    `app` is the address of the downstream app, if there is one. `values` are the variables that the file defines.
    `sandbox` says whether its calls may be made to a service's sandbox, and whether they are `free` there or `spends`.
    `source` is the file with the positions of its members. `sources` are the ids of what it rests on.
    """

    name: str
    file: str
    source: Source
    seed: int
    now: str | None
    fixture: str | Mapping[str, Any]
    settings: Mapping[str, Any]
    app: str | None = None
    sandbox: str | None = None
    sources: tuple[str, ...] = ()
    actors: tuple[Actor, ...] = ()
    values: Mapping[str, Any] = EMPTY
    steps: tuple[Step, ...]
