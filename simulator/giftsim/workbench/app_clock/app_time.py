"""The time of an app: what moves it, and the environment in which its processes see it (G467)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from giftsim.engine.courier.courier import Courier
from giftsim.engine.worlds.app_clock import AppClock, TimeFile
from giftsim.engine.worlds.asked_app import AskedApp
from giftsim.engine.worlds.registry import START_MS
from giftsim.workbench.app_clock.node_clocks import NodeClocks
from giftsim.workbench.app_clock.processes import variables
from giftsim.workbench.app_clock.runtimes import refuse_runtime


class CannotMove(Exception):
    """The time of a command's processes cannot be moved; the message says why, and what to do."""


class AppTime:
    """What moves the time of an app that a command starts: a file, a hub for Node, and a question to the app itself.

    `where()` is the origin of the app and the path at which it takes actions, or None while it is not asked.
    CannotMove for a runtime whose time nothing moves, and without what moves it.
    """

    where: Callable[[], tuple[str, str] | None] = staticmethod(lambda: None)

    def __init__(self, command: Sequence[str]) -> None:
        if command and (problem := refuse_runtime(command)):
            raise CannotMove(problem)
        self._folder = TemporaryDirectory(prefix="giftsim-time-")
        self._file = TimeFile(Path(self._folder.name, "now"), in_seconds=True)
        self._hub, self._courier = NodeClocks(), Courier()
        self._file.show(START_MS)  # processes may start before there is a world
        self._asked = AskedApp(self._courier, self._ask_where)

    def _ask_where(self) -> tuple[str, str] | None:
        return self.where()

    @property
    def clocks(self) -> tuple[AppClock, ...]:
        """The clocks that a world shows its time to."""
        return self._file, self._hub, self._asked

    def variables(self, before: Mapping[str, str]) -> dict[str, str]:
        """The variables for the app's processes; `before` is the environment that they are added to."""
        return variables(self._file.path, self._hub, before)

    def close(self) -> None:
        """Move it no more."""
        self._file.close()
        self._hub.close()
        self._courier.close()
        self._folder.cleanup()
