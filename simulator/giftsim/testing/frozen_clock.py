"""An application's own clock held at a world's time, by freezegun (G46).

freezegun replaces the functions of the modules `time` and `datetime`, so the freeze affects **every thread of this
process** and no other process. By default freezegun exempts code that an ignored module called within five frames,
which would exempt the handlers of most threaded servers. Here only the calling module itself is checked, so those
handlers are frozen too. C code that reads the machine's clock (`threading` waits, `select`, socket time-outs, SQLite)
runs in real time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pkgutil import iter_modules

import freezegun.api
from freezegun.api import FrozenDateTimeFactory

import giftsim

# The simulator, but for what apps use of it, and the libraries that carry its calls and deliveries, whose time-outs are
# in real seconds.
IGNORED_MODULES = (
    *(f"giftsim.{module.name}" for module in iter_modules(giftsim.__path__) if module.name != "verify"),
    "waitress",
    "http.client",
    "http.server",
    "socketserver",
    "selectors",
    "ssl",
    "urllib3",
    "requests.",
    "httpx.",
    "httpx2.",
    "httplib2",
    "httpcore",
    "aiohttp",
    "anyio",
    "h11",
    "asyncio",
    "concurrent.futures",
    "werkzeug.serving",
    "wsgiref",
    "_pytest",
    "pluggy",
    "xdist",
    "execnet",
)
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - freezegun keeps UTC in naive instants


class WorldClock(FrozenDateTimeFactory):
    """The time source for freezegun: the world's time, or a fixed instant."""

    def __init__(self, present_ms: Callable[[], int]) -> None:
        self.present_ms = present_ms
        self.fixed_ms: int | None = None
        self.next_ms: int | None = None
        super().__init__(EPOCH)

    def __call__(self) -> datetime:
        """The current time in naive UTC."""
        return EPOCH + timedelta(milliseconds=self.present_ms() if self.fixed_ms is None else self.fixed_ms)

    def begin(self) -> None:
        """Begin an advance."""

    def told(self) -> None:
        """Say nothing in the report of an advance."""

    @contextmanager
    def fixed_at(self, at_ms: int) -> Iterator[None]:
        """Inside the block, show this instant."""
        before, self.fixed_ms = self.fixed_ms, at_ms
        try:
            yield
        finally:
            self.fixed_ms = before


@contextmanager
def frozen(present_ms: Callable[[], int]) -> Iterator[WorldClock]:
    """Make `present_ms()` the time of the whole process, except for the modules that carry calls."""
    clock = WorldClock(present_ms)
    limit = freezegun.api.call_stack_inspection_limit
    freeze = freezegun.freeze_time(clock(), ignore=list(IGNORED_MODULES), real_asyncio=True)
    # freezegun exempts PyGObject by the prefix `gi`, which would exempt every app called `gifts` or `giftshop` too.
    freeze.ignore = tuple("gi." if name == "gi" else name for name in freeze.ignore)
    freeze.start()
    freezegun.api.freeze_factories[-1] = clock
    freezegun.api.call_stack_inspection_limit = 1
    try:
        yield clock
    finally:
        freezegun.api.call_stack_inspection_limit = limit
        freeze.stop()
