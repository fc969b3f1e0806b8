"""What a scenario is once it is read: its world, who acts in it, and the steps to take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.scenario.saved_values import Saving

NOTHING: Mapping[str, Any] = {}


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step: what it does, its number from 1, its file and line, its name in a timeline, and what must be seen.

    `scope` has the names that the loops and includes around it give, outermost first, and `within` says which items
    these are; `world` is the fork it is taken in, None for the world of the scenario.
    """

    kind: str
    number: int
    file: str
    line: int
    title: str
    within: str = ""
    scope: tuple[Mapping[str, Any], ...] = ()
    world: str | None = None
    expect: Mapping[str, Any] = NOTHING


class Exchange(Step, frozen=True, kw_only=True):
    """A step that gets an answer, out of which it may save values; `recorded` is the one it must be to the byte."""

    saves: tuple[Saving, ...] = ()
    recorded: Mapping[str, Any] | None = None


class Call(Exchange, frozen=True, kw_only=True):
    """A client's call to an interface, made `repeat` times, or in the `background`; None for neither."""

    method: str
    path: str
    credential: str | None
    headers: Mapping[str, Any]
    body: Any
    repeat: int | None
    background: str | None


class Control(Exchange, frozen=True, kw_only=True):
    """A call to the control plane, below the world."""

    method: str
    path: str
    body: Any


class Await(Exchange, frozen=True, kw_only=True):
    """The answer of a call that went out in the background."""

    name: str


class App(Exchange, frozen=True, kw_only=True):
    """A call to the downstream app, made `repeat` times, or in the `background`; None for neither."""

    method: str
    path: str
    headers: Mapping[str, Any]
    body: Any
    repeat: int | None
    background: str | None


class Simulate(Exchange, frozen=True, kw_only=True):
    """Something that people, carriers or banks do."""

    verb: str
    members: Mapping[str, Any]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What happens when an attempt stands: which is meant, the steps, and the answer (empty: the receiver's own)."""

    matched: Mapping[str, Any]
    answer: Mapping[str, Any]
    steps: tuple[Step, ...]


class Advance(Step, frozen=True, kw_only=True):
    """Time that passes: `by` a duration, `to` a moment, or `until` next or idle."""

    how: str
    value: str
    entries: tuple[Entry, ...] = ()


class Receiver(Step, frozen=True, kw_only=True):
    """Who answers for a public host from now on; its script is used up by the end, unless that is `optional`."""

    host: str
    members: Mapping[str, Any]
    optional: bool


class Fault(Step, frozen=True, kw_only=True):
    """Something that goes wrong from now on; it strikes by the end, unless that is `optional`."""

    members: Mapping[str, Any]
    optional: bool


class Clear(Step, frozen=True, kw_only=True):
    """A fault that ends, or all of them."""

    fault: str | None


class Settings(Step, frozen=True, kw_only=True):
    """Settings changed from now on."""

    members: Mapping[str, Any]


class Snapshot(Step, frozen=True, kw_only=True):
    """A moment that is kept under a name."""

    name: str


class Restore(Step, frozen=True, kw_only=True):
    """A kept moment put in place again."""

    name: str


class Undo(Step, frozen=True, kw_only=True):
    """So many writes of clients taken back."""

    count: int


class Fork(Step, frozen=True, kw_only=True):
    """A second world with the same past and future, for steps that are taken `in` it."""

    name: str


class Expect(Step, frozen=True, kw_only=True):
    """A look at all that came since the scenario began."""


class Actor(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who acts by himself: the body that he is made of, and whether he may find nothing to do."""

    file: str
    line: int
    name: str
    members: Mapping[str, Any]
    optional: bool

    @property
    def title(self) -> str:
        """What a timeline calls it."""
        return f"actor {self.name}"


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A story and the world it is played in; `now` is None where the world may start when it likes.

    `app` is the address of the downstream app, None where there is none; `values` are those the file names.
    """

    name: str
    file: str
    seed: int
    now: str | None
    fixture: str | Mapping[str, Any]
    settings: Mapping[str, Any]
    app: str | None = None
    actors: tuple[Actor, ...] = ()
    values: Mapping[str, Any] = NOTHING
    steps: tuple[Step, ...]
