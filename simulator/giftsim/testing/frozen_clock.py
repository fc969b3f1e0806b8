"""Holding an application's own clock at a world's (G46), by freezegun.

freezegun replaces the functions of the modules `time` and `datetime`, so the freeze reaches **every thread of the
process** that asks them for the time, whenever it was started, and no other process. Its own rule spares whoever is
called from an ignored module within five frames, which would take in the handlers of most threaded servers and every
thread's first function; here it spares only the asking module itself, so those are frozen too. Code in C that reads the
machine's clock by itself (`threading` waits, `select`, socket time-outs, SQLite) goes on in real time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import freezegun.api
from freezegun.api import FrozenDateTimeFactory

# The simulator, and what carries its calls and deliveries: their time-outs are in real seconds.
SPARED = (
    "giftsim.", "waitress", "http.client", "http.server", "socketserver", "selectors", "ssl", "urllib3", "requests.",
    "httpx.", "httpcore", "anyio", "h11", "asyncio", "concurrent.futures", "werkzeug.serving", "wsgiref",
    "_pytest", "pluggy", "xdist", "execnet",
)  # fmt: skip
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - freezegun keeps UTC in naive instants


class Hand(FrozenDateTimeFactory):
    """What freezegun asks for the time: the world's present, or the instant at which it is held for a moment."""

    def __init__(self, present_ms: Callable[[], int]) -> None:
        self.present_ms = present_ms
        self.held_ms: int | None = None
        super().__init__(EPOCH)

    def __call__(self) -> datetime:
        """The instant to show, in naive UTC."""
        return EPOCH + timedelta(milliseconds=self.present_ms() if self.held_ms is None else self.held_ms)

    @contextmanager
    def held(self, at_ms: int) -> Iterator[None]:
        """Show another instant for a while."""
        before, self.held_ms = self.held_ms, at_ms
        try:
            yield
        finally:
            self.held_ms = before


@contextmanager
def frozen(present_ms: Callable[[], int]) -> Iterator[Hand]:
    """Have the whole process see `present_ms()` as the time, but for the modules that carry calls."""
    hand = Hand(present_ms)
    limit = freezegun.api.call_stack_inspection_limit
    freeze = freezegun.freeze_time(hand(), ignore=list(SPARED), real_asyncio=True)
    freeze.start()
    freezegun.api.freeze_factories[-1] = hand
    freezegun.api.call_stack_inspection_limit = 1
    try:
        yield hand
    finally:
        freezegun.api.call_stack_inspection_limit = limit
        freeze.stop()
