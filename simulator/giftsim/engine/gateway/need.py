"""What needs somebody in a world, as a service tells it: what fails or waits, how much, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.state import State

if TYPE_CHECKING:
    from giftsim.engine.worlds.world import World


class Act(msgspec.Struct, frozen=True):
    """What can be done: the `label` of a button, and a POST to a `path` below the world's with a `body`.

    With `retry` the app's call that failed is then made again, with the same key; without a path only that.
    """

    label: str
    path: str | None
    body: Mapping[str, Any]
    retry: bool = False


class Need(msgspec.Struct, frozen=True):
    """One record that fails or waits, or with `about` None a number of them.

    `kind` says what is wrong, in one word. `text` says it with the record's `title` at its end, and `note` what else
    there is to know. It has been so since `at_ms`, and ends by itself at `until_ms`. The first of the `acts` mends it.
    """

    kind: str
    failed: bool
    text: str
    title: str = ""
    note: str = ""
    count: int = 1
    about: Ref | None = None
    at_ms: int | None = None
    until_ms: int | None = None
    acts: tuple[Act, ...] = ()


class Health(msgspec.Struct, frozen=True):
    """How it stands with one list of a service, by kept indexes, whatever the size of the world.

    `place` names the list. `failed` and `waiting` count its records. `needs` are the newest of them, the failures
    first, each kind with a last row that counts the rest.
    """

    place: str
    failed: Callable[[State], int] = lambda _: 0
    waiting: Callable[[State], int] = lambda _: 0
    needs: Callable[[World, State], Iterable[Need]] = lambda _world, _state: ()
