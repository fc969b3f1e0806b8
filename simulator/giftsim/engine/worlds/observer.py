"""Who looks at the worlds of a simulator and changes nothing: observers of what happens, keepers of what was met."""

from __future__ import annotations

from typing import Protocol

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.attempt import AppAnswer
from giftsim.engine.worlds.call_log import CallLog


class ObservedWorld(Protocol):
    """The part of a world that an observer reads, and never changes: its id and its current state."""

    id: str
    state: State


class AnsweredCall(msgspec.Struct, frozen=True):
    """A call with its response; `status` is None if the connection was dropped without one.

    `effects` is what the observer made of the call inside its world, and None for a call to no world.
    """

    method: str
    path: str
    status: int | None
    request_id: str = ""
    world: ObservedWorld | None = None
    operation: str | None = None
    fault: str | None = None
    effects: object = None


class KeptCalls(Protocol):
    """The part of a world's calls that a keeper reads."""

    log: CallLog


class KeptWorld(Protocol):
    """The part of a world that a keeper reads, and never changes. `epoch` grows when its state is replaced."""

    id: str
    state: State
    epoch: int
    app_answers: list[AppAnswer]

    @property
    def calls(self) -> KeptCalls: ...


class Keeper(Protocol):
    """Keeps what was met in worlds. All methods run with the world locked, or before others can find it."""

    def begins(self, world: KeptWorld) -> None:
        """Called when a world starts, with its current state."""

    def loses(self, world: KeptWorld) -> None:
        """Called before a world's logs and state are undone or replaced."""

    def ends(self, world: KeptWorld) -> None:
        """A world is about to be deleted."""


class Observer(Protocol):
    """Notified of calls and changes. All methods but `call_answered` run with the world locked."""

    def call_begins(self, world: ObservedWorld, authorization: str | None) -> object:
        """Note the state of the world before a call."""

    def call_ends(self, world: ObservedWorld, before: object) -> object:
        """Return what the call did, given the note from before it."""

    def call_answered(self, call: AnsweredCall) -> None:
        """A call of any interface, or of a page, has its response."""

    def world_changed(self, world: ObservedWorld) -> None:
        """Timers have fired, or a delivery has its outcome."""
