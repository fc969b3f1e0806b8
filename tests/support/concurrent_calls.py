"""Concurrent calls: threads that start together, and their results."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

TIMEOUT_S = 60.0


class ConcurrentCalls(Generic[T]):
    """Calls that run in one thread each, started together."""

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
        """How many calls have returned."""
        return len(self._results)

    def results(self) -> list[T]:
        """The results, in the order of the calls; raises the first error of any call."""
        for thread in self._threads:
            thread.join(TIMEOUT_S)
        if self._errors:
            raise self._errors[0]
        return [self._results[n] for n in range(len(self._threads))]

    def _run(self, n: int, call: Callable[[], T]) -> None:
        try:
            self._start.wait(TIMEOUT_S)
            self._results[n] = call()
        except BaseException as error:  # noqa: BLE001  # raised again by `results`
            self._errors.append(error)


def call_concurrently(*calls: Callable[[], T]) -> list[T]:
    """Run these calls concurrently; their results, in order."""
    return ConcurrentCalls(calls).results()
