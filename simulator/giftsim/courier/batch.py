"""A batch of the courier: requests that are sent together (G23)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

from giftsim.courier.fair_queue import Job
from giftsim.webhooks.outgoing import Outcome, Outgoing

MAX_PER_ENDPOINT = 4


class Batch:
    """The requests of one batch; `when_done(batch)` is called once the last of them is back."""

    def __init__(
        self, requests: Sequence[Outgoing], send: Callable[[Outgoing], Outcome], when_done: Callable[[Batch], None]
    ) -> None:
        self._requests, self._send, self._when_done = requests, send, when_done
        self._outcomes: dict[int, Outcome] = {}
        self._errors: list[BaseException] = []
        self._left = len(requests)
        self._lock = threading.Lock()

    def jobs(self) -> Iterator[tuple[int, int, Job]]:
        """For each request its endpoint, how many of those may run at a time, and the job that sends it."""
        for n, request in enumerate(self._requests):
            yield request.endpoint, min(request.at_once, MAX_PER_ENDPOINT), self._job(n)

    def outcomes(self) -> list[Outcome]:
        """The outcomes in the order of the requests; an error of one of them is raised."""
        if self._errors:
            raise self._errors[0]
        return [self._outcomes[n] for n in range(len(self._requests))]

    def _job(self, n: int) -> Job:
        def run() -> None:
            try:
                self._outcomes[n] = self._send(self._requests[n])
            except BaseException as error:  # noqa: BLE001 - raised again by `outcomes`
                self._errors.append(error)
            with self._lock:
                self._left -= 1
                is_done = not self._left
            if is_done:
                self._when_done(self)

        return run
