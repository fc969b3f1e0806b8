"""Many callers at once: threads that start together, and what each of them got."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

TIMEOUT_S = 30.0


class ConcurrentCalls(Generic[T]):
    """Calls under way, each in a thread of its own; `results` in the order of the calls once all are back."""

    def __init__(self, calls: Sequence[Callable[[], T]]) -> None:
        self._results: dict[int, T] = {}
        self._errors: list[BaseException] = []
        self._start = threading.Barrier(len(calls))
        self._threads = [
            threading.Thread(target=self._run, args=(n, call), daemon=True) for n, call in enumerate(calls)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def completed(self) -> int:
        """How many are back."""
        return len(self._results)

    def results(self) -> list[T]:
        """What every call gave; the first error of any of them is raised."""
        for thread in self._threads:
            thread.join(TIMEOUT_S)
        if self._errors:
            raise self._errors[0]
        return [self._results[n] for n in range(len(self._threads))]

    def _run(self, n: int, call: Callable[[], T]) -> None:
        try:
            self._start.wait(TIMEOUT_S)
            self._results[n] = call()
        except BaseException as error:  # noqa: BLE001  # raised again by whoever asks for the results
            self._errors.append(error)


def call_concurrently(*calls: Callable[[], T]) -> list[T]:
    """Make these calls at once; what they gave, in their order."""
    return ConcurrentCalls(calls).results()
