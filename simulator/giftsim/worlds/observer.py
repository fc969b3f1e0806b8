"""Observers of a simulator: they are told of calls and of what timers and deliveries change, and change nothing."""

from __future__ import annotations

from typing import Protocol

import msgspec

from giftsim.kernel.state import State


class ObservedWorld(Protocol):
    """What an observer sees of a world: its id and its current state, to read and never to change."""

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
    """Told of calls and changes. All but `call_answered` run with the world locked."""

    def call_begins(self, world: ObservedWorld, authorization: str | None) -> object:
        """Note how things stand before a call."""

    def call_ends(self, world: ObservedWorld, before: object) -> object:
        """What the call did, given what was noted before it."""

    def call_answered(self, call: AnsweredCall) -> None:
        """A call of any interface, or of a page, has its response."""

    def world_changed(self, world: ObservedWorld) -> None:
        """Timers have fired, or a delivery has its outcome."""
