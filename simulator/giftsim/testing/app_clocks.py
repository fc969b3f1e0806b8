"""An app's own clock, and the block inside which it follows a world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

SIGNED_AT = "webhooks.signature_time"


class AppsOwnClock(Protocol):
    """An app's own clock: of this process, or of another one.

    `fixed_ms` is the instant that it shows, None if it reads the world's clock itself, and `next_ms` when the app wants
    to act next.
    """

    fixed_ms: int | None
    next_ms: int | None = None

    def begin(self) -> None:
        """Begin an advance."""

    def told(self) -> dict[str, Any] | None:
        """What the app saw in this advance, for its report; None if there is nothing to say."""

    def fixed_at(self, at_ms: int) -> AbstractContextManager[None]:
        """Inside the block, show this instant."""
        ...


class FollowedWorld(Protocol):
    """The world that clocks of apps follow."""

    app_clocks: list[AppsOwnClock]

    def settings(self, changes: Mapping[str, Any] = ...) -> dict[str, Any]:
        """Change settings, and return all."""
        ...


@contextmanager
def following(world: FollowedWorld, clock: AppsOwnClock) -> Iterator[None]:
    """Inside the block, the clock of an app follows a world, and webhooks are signed at the world's time (G469)."""
    before = world.settings()[SIGNED_AT]
    world.settings({SIGNED_AT: "simulated"})
    world.app_clocks.append(clock)
    try:
        yield
    finally:
        world.app_clocks.remove(clock)
        world.settings({SIGNED_AT: before})
