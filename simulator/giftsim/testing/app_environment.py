"""An app in another process whose clock follows the world of a test: its environment, and its clock (G467)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.url_paths import CONTROL
from giftsim.engine.worlds.app_clock import Together
from giftsim.engine.worlds.asked_app import DO
from giftsim.testing.app_clocks import following
from giftsim.workbench.app_clock.app_time import AppTime

if TYPE_CHECKING:
    from giftsim.testing.world_for_test import Giftsim

MAX_ASKED_FOR = 1_000  # instants that an app asks for in one advance, each of which takes two calls


class ShownClock:
    """The clock of the app: it shows each instant that it gets, and waits until the app has acted."""

    def __init__(self, together: Together, now_ms: int) -> None:
        self._together = together
        self._shown = self._asked_for = 0
        self._fixed_ms: int | None = now_ms
        self.next_ms: int | None = None
        together.show(now_ms)

    @property
    def fixed_ms(self) -> int | None:
        """The instant that the app sees."""
        return self._fixed_ms

    @fixed_ms.setter
    def fixed_ms(self, now_ms: int | None) -> None:
        """Show an instant, and wait until the app has acted."""
        self._fixed_ms = now_ms
        if now_ms is None:
            return
        self._shown += 1
        next_ms = self._together.show(now_ms)
        self.next_ms = next_ms if next_ms is None or self._asked_for < MAX_ASKED_FOR else None
        self._asked_for += self.next_ms is not None

    def begin(self) -> None:
        """Begin an advance."""
        self._together.begin()
        self._shown = self._asked_for = 0

    def told(self) -> dict[str, Any]:
        """What the app saw in this advance."""
        problems = list(self._together.problems)
        if self._asked_for >= MAX_ASKED_FOR:
            problems.append(f"the app asked for {MAX_ASKED_FOR:,} instants in one advance, and that is the most")
        return {"shown": self._shown, "asked_for": self._asked_for, "problems": problems}

    @contextmanager
    def fixed_at(self, at_ms: int) -> Iterator[None]:
        """Inside the block, show this instant."""
        before = self._fixed_ms
        self.fixed_ms = at_ms
        try:
            yield
        finally:
            self.fixed_ms = before


class AppEnvironment(dict[str, str]):
    """The environment of the app's processes, for `subprocess.Popen(..., env=app_clock)`.

    It is that of the test, with `GIFTSIM_URL`, `GIFTSIM_WORLD`, `GIFTSIM_CONTROL` and what moves the app's time.
    """

    def __init__(self, world: Giftsim, time: AppTime) -> None:
        own = {
            "GIFTSIM_URL": world.url,
            "GIFTSIM_WORLD": world.world,
            "GIFTSIM_CONTROL": f"{world.url}{CONTROL}/worlds/{world.world}",
        }
        super().__init__({**os.environ, **own})
        self.update(time.variables(self))
        self._time = time

    def ask(self, url: str) -> None:
        """Ask the app at the origin of this URL, too, when it wants to act next. ValueError for another URL."""
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError(f"{url!r} is not the address of an app on this machine, like http://127.0.0.1:9000")
        origin = f"http://{parts.netloc}"
        self._time.where = lambda: (origin, DO)


@contextmanager
def app_environment(world: Giftsim) -> Iterator[AppEnvironment]:
    """The environment of an app whose clock follows a world inside the block. CannotMove."""
    with closing(AppTime(())) as time:
        clock = ShownClock(Together(time.clocks), parse_instant(world.control("GET", "/clock")["now"]))
        with following(world, clock):
            yield AppEnvironment(world, time)
