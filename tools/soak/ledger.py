"""The soak's own books: what the server acknowledged in each world, and which calls ended without an answer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

DRAIN_LIMIT_S = 90.0


@dataclass(frozen=True)
class Acknowledged:
    """An order that the server said it created: its id, the response's bytes if they are sure, and its credential."""

    order_id: int | str
    body: bytes | None
    credential: str


@dataclass
class Book:
    """The orders of one interface in one world: every idempotency key sent, and those that were acknowledged.

    `unsure` are the keys of calls that ended without an answer.
    """

    sent: set[str] = field(default_factory=set)
    acknowledged: dict[str, Acknowledged] = field(default_factory=dict)
    unsure: dict[str, str] = field(default_factory=dict)

    def keys_of(self, credential: str) -> frozenset[str]:
        """The keys of a credential's orders, whether acknowledged or not."""
        known = {key for key, order in self.acknowledged.items() if order.credential == credential}
        return frozenset(known.union(key for key, name in self.unsure.items() if name == credential))

    def forget(self, keys: set[str]) -> None:
        """Forget orders that an undo, restore or reset took back."""
        for key in keys:
            self.acknowledged.pop(key, None)

    def forget_answers(self) -> None:
        """Forget the bytes of responses: the orders may have been made again since."""
        self.acknowledged = {key: replace(order, body=None) for key, order in self.acknowledged.items()}


class Gate:
    """Lets clients call one at a time or many at once, and a tester alone once all calls have ended."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._closed = False

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Enter as one of many; waits while a tester is alone."""
        with self._changed:
            self._changed.wait_for(lambda: not self._closed)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    def close(self) -> None:
        """Let nobody in from now on."""
        with self._changed:
            self._closed = True

    def drain(self) -> bool:
        """Wait until all have left; False after a long time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._inside, DRAIN_LIMIT_S)

    def open(self) -> None:
        """Let clients in again."""
        with self._changed:
            self._closed = False
            self._changed.notify_all()


class WorldLedger:
    """The books of one world. Take `lock` to read or change them.

    While `taking_back`, an undo, restore or reset runs beside the clients: then they can tell no loss.
    """

    def __init__(self, world: str) -> None:
        self.world = world
        self.lock = threading.Lock()
        self.gate = Gate()
        self.taking_back = False
        self.partner, self.team = Book(), Book()
        self.tickets: list[str] = []
        self.links: list[str] = []
        self.endpoints: list[int] = []
