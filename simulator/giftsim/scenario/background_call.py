"""A call that goes out and is not waited for: a thread, and the answer it comes back with."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeAlias

from giftsim.scenario.client_protocol import Answer
from giftsim.scenario.step import Step
from giftsim.scenario.world_client import Sandbox

Ask: TypeAlias = Callable[[], Answer]


class Background:
    """One call in a thread of its own, from the moment it is made; the thread ends with the process at the latest."""

    def __init__(self, step: Step, sandbox: Sandbox, ask: Ask) -> None:
        self.step, self.sandbox = step, sandbox
        self._ask = ask
        self._came: Answer | Exception | None = None
        self._answered = threading.Event()
        threading.Thread(target=self._call, name=f"step {step.number}", daemon=True).start()

    def has_answered(self, within_s: float) -> bool:
        """Whether the answer has come, or comes within so many real seconds."""
        return self._answered.wait(within_s)

    def answer(self) -> Answer:
        """The answer, once it has come; what went wrong instead is raised as it would have been in the foreground."""
        self._answered.wait()
        if isinstance(self._came, Exception):
            raise self._came
        if self._came is None:
            raise RuntimeError("a call ended without an answer")
        return self._came

    def _call(self) -> None:
        try:
            self._came = self._ask()
        except Exception as error:  # noqa: BLE001 - it belongs to whoever awaits the answer
            self._came = error
        finally:
            self._answered.set()
