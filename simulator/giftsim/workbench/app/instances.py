"""The app that a command starts, with its restarts and a second instance of it.

A scenario asks for them by calls to two paths of the app. What started the app answers these in its place. If nothing
did, the app itself gets them, and may do the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from giftsim.engine.client.response import Response
from giftsim.engine.worlds.runtime import Runtime
from giftsim.workbench.app.app_calls import TIMEOUT_S, call_app
from giftsim.workbench.app.process import AppNotStarted, AppProcess, url_of_own
from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.app_clock.app_time import AppTime

RESTART: Final = "POST /giftsim/restart"
INSTANCE: Final = "POST /giftsim/instance"


class Instances:
    """One or two processes of the app that a command starts. The first has the given address.

    With `time`, their clocks follow the world of a run.
    """

    def __init__(self, command: str, url: str, time: AppTime | None = None) -> None:
        self.command, self.time = command, time
        self._variables = None if time is None else time.variables(os.environ)
        self._first = self._now = AppProcess(command, url, self._variables)
        self._second: AppProcess | None = None
        self._start, self._is_started = "", False

    @property
    def url(self) -> str:
        """The address of the first instance."""
        return self._first.url

    @property
    def present_url(self) -> str:
        """The address of the instance that answers now."""
        return self._now.url

    def follow(self, runtime: Runtime, protocol: Callable[[], AppProtocol]) -> None:
        """Let the app's time, if it can be moved, follow each world that a simulator makes.

        An app that lists the action `clock` is asked too, from the start in a world on.
        """
        time = self.time
        if time is None:
            return

        def where() -> tuple[str, str] | None:
            known = protocol()
            is_asked = self._is_started and "clock" in known.actions
            return (self.present_url, known.do) if is_asked and known.do is not None else None

        time.where, self._start = where, f"POST {protocol().start}"
        runtime.app_clocks = time.clocks

    def wait(self) -> None:
        """Wait until the app listens. AppNotStarted."""
        self._first.wait()

    def begin_run(self) -> None:
        """Begin a run: the first instance answers, also if it ended in the last run, and the second is a new one."""
        self._now, self._is_started = self._first, False
        if self._second is not None:
            self._second.close()
            self._second = None
        if self._first.has_ended:
            with suppress(AppNotStarted):
                self._first.restart()

    def call(
        self, _url: str, method: str, target: str, body: Any, headers: Mapping[str, str], timeout_s: float = TIMEOUT_S
    ) -> Response:
        """Call the instance that answers now, or restart it, or let the other one answer. AppError, ConnectionError."""
        asked = f"{method} {target}"
        if asked not in (RESTART, INSTANCE):
            response = call_app(self._now.url, method, target, body, headers, timeout_s)
            self._is_started = self._is_started or asked == self._start
            return response
        try:
            self._now.restart() if asked == RESTART else self._switch()
        except AppNotStarted as error:
            return _answer(503, {"error": str(error)})
        return _answer(200, {"url": self._now.url})

    def close(self) -> None:
        """End the app."""
        for process in filter(None, (self._second, self._first)):
            process.close()
        if self.time is not None:
            self.time.close()

    def _switch(self) -> None:
        if self._second is None:
            self._second = AppProcess(self.command, url_of_own(self.url), self._variables)
            self._second.wait()
        self._now = self._second if self._now is self._first else self._first


def _answer(status: int, data: Any) -> Response:
    return Response(status, {"content-type": "application/json"}, msgspec.json.encode(data))
