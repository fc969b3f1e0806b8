"""What a soak found: failures by kind with a few examples, and counts of what was done."""

from __future__ import annotations

import threading
import traceback
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

EXAMPLES = 5

# Every kind of failure, as the report names it.
LOST_ORDER = "acknowledged orders lost"
DOUBLED_ORDER = "orders doubled"
FOREIGN_ORDER = "orders nobody asked for in this world"
CHANGED = "acknowledged answers changed"
LOST_EVENT = "events lost"
DOUBLED_EVENT = "events doubled"
FAILED_DELIVERY = "deliveries failed at a good receiver"
REDIRECT = "redirects followed"
SERVER_ERROR = "5xx without a fault"
BROKEN = "calls broken without a kill or a fault"
REFUSED = "calls refused for no reason"
MONEY = "money that does not add up"
RECOVERY = "starts refused"
LOGGED = "errors in the server's log"
WORLDS = "worlds lost"
GROWTH = "growth"
SLOW = "another client waited too long"
LEFT_OVER = "left over"
STOPPED = "threads of the soak that stopped with an error"


class Findings:
    """The failures and counts of a soak; every thread adds to them."""

    def __init__(self) -> None:
        self.failures: Counter[str] = Counter()
        self.examples: defaultdict[str, list[str]] = defaultdict(list)
        self.done: Counter[str] = Counter()
        self._spans: defaultdict[str, array[float]] = defaultdict(lambda: array("d"))
        self._lock = threading.Lock()

    def fail(self, kind: str, example: str, many: int = 1) -> None:
        """Count failures of a kind, and keep the first examples."""
        with self._lock:
            self.failures[kind] += many
            if len(self.examples[kind]) < EXAMPLES:
                self.examples[kind].append(example[:400])

    @contextmanager
    def watch_thread(self, *ends: type[Exception]) -> Iterator[None]:
        """Around the work of a thread: an exception that is not one of `ends` is a failure of the soak itself."""
        try:
            yield
        except ends:
            pass
        except Exception:  # noqa: BLE001  # a thread that is gone would go unnoticed
            self.fail(STOPPED, traceback.format_exc()[-400:])

    def count(self, what: str, many: int = 1) -> None:
        """Count something that was done."""
        with self._lock:
            self.done[what] += many

    def time(self, what: str, seconds: float) -> None:
        """Note how long a call took."""
        with self._lock:
            self._spans[what].append(seconds)

    def spans(self) -> dict[str, list[float]]:
        """The sorted seconds of each kind of call."""
        with self._lock:
            return {what: sorted(spans) for what, spans in self._spans.items()}
