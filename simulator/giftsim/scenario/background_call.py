"""A call that runs in a thread of its own while the scenario continues."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeAlias

from giftsim.client.response import Response
from giftsim.scenario.compiled_scenario import Step
from giftsim.scenario.world_client import WorldClient

Send: TypeAlias = Callable[[], Response]


class BackgroundCall:
    """One call in a daemon thread, which starts at once; `send` makes the call and returns its response."""

    def __init__(self, step: Step, world: WorldClient, send: Send) -> None:
        self.step, self.world = step, world
        self._send = send
        self._result: Response | Exception | None = None
        self._done = threading.Event()
        threading.Thread(target=self._run, name=f"step {step.number}", daemon=True).start()

    def wait(self, timeout_s: float) -> bool:
        """Wait at most so many real seconds; return whether the response is there."""
        return self._done.wait(timeout_s)

    def response(self) -> Response:
        """Wait for the response and return it, or raise what the call raised."""
        self._done.wait()
        if isinstance(self._result, Exception):
            raise self._result
        if self._result is None:
            raise RuntimeError("a background call ended without a response")
        return self._result

    def _run(self) -> None:
        try:
            self._result = self._send()
        except Exception as error:  # noqa: BLE001 - raised again where the response is awaited
            self._result = error
        finally:
            self._done.set()
