"""What an app's own clock is to the world that moves it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol


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
