"""Observers of a simulator: they see calls, and what timers and deliveries change, and change nothing themselves."""

from __future__ import annotations

from typing import Protocol

import msgspec

from giftsim.kernel.state import State


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
