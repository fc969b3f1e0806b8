"""A batch of the courier: requests that are sent together, in queues by endpoint (G23)."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from giftsim.webhooks.outgoing import Outcome, Outgoing

MAX_THREADS = 16
MAX_PER_ENDPOINT = 4


class BatchSender:
    """Sends one batch: a queue per endpoint, worked off by up to 16 threads, at most four of them per queue."""

    def __init__(self, batch: Sequence[Outgoing], send: Callable[[Outgoing], Outcome]) -> None:
        self.batch, self.send = batch, send
        self.outcomes: dict[int, Outcome] = {}
        self.errors: list[BaseException] = []
        queues: dict[int, deque[int]] = {}
        for n, outgoing in enumerate(batch):
            queues.setdefault(outgoing.endpoint, deque()).append(n)
        # Every endpoint gets one thread before any gets a second: a slow endpoint delays the others least.
        threads = {n: min(len(queue), batch[queue[0]].at_once) for n, queue in queues.items()}
        self.work = deque(queues[n] for turn in range(MAX_PER_ENDPOINT) for n in queues if threads[n] > turn)

    def run(self) -> list[Outcome]:
        """The outcomes in the order of the batch; an error of one is raised once all have ended."""
        count = min(len(self.work), MAX_THREADS)
        others = [threading.Thread(target=self._run_thread, daemon=True) for _ in range(count - 1)]
        for thread in others:
            thread.start()
        self._run_thread()
        for thread in others:
            thread.join()
        if self.errors:
            raise self.errors[0]
        return [self.outcomes[n] for n in range(len(self.batch))]

    def _run_thread(self) -> None:
        with suppress(IndexError):  # all queues are taken
            while True:
                self._send_queue(self.work.popleft())

    def _send_queue(self, queue: deque[int]) -> None:
        while queue:
            try:
                n = queue.popleft()
            except IndexError:  # another thread of this queue was faster
                return
            try:
                self.outcomes[n] = self.send(self.batch[n])
            except BaseException as error:  # noqa: BLE001  # raised again by `run`
                self.errors.append(error)
