"""The log of a world's client calls: redacted when it is read, bounded by entries and bytes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from copy import copy

from giftsim.engine.log.inputs import CallRecord
from giftsim.engine.problem import Problem

MAX_ENTRIES = 10_000
MAX_BYTES = 16 * 1024 * 1024


class CallLogTruncated(Problem, status=409, code="journal_truncated"):
    """The calls asked for have been dropped from the call log."""


class CallNotFound(Problem, status=404, code="call_not_found"):
    """The world has had no call with that number."""


def has_failed(entry: CallRecord) -> bool:
    """Whether a call was refused, or got no response."""
    return entry.status is None or entry.status >= 400


class CallLog:
    """The newest calls; `dropped` counts the older ones that were dropped, `failed` those here that failed.

    `folded` is the number of the last call that coverage has read. With `before_drop`, it reads each call that it has
    not read before the call is dropped.
    """

    def __init__(self, max_entries: int = MAX_ENTRIES, max_bytes: int = MAX_BYTES) -> None:
        self.max_entries, self.max_bytes = max_entries, max_bytes
        self.entries: deque[CallRecord] = deque()
        self._sizes: deque[int] = deque()
        self.bytes = self.failed = 0
        self.dropped = self.folded = 0
        self.before_drop: Callable[[CallRecord], None] | None = None

    def add(self, entry: CallRecord, size: int | None = None) -> None:
        """Append a call that takes `size` bytes, and drop the oldest ones beyond the bounds."""
        size = entry.size() if size is None else size
        self.entries.append(entry)
        self._sizes.append(size)
        self.bytes += size
        if entry.status is None or entry.status >= 400:
            self.failed += 1
        while len(self.entries) > self.max_entries or (self.bytes > self.max_bytes and len(self.entries) > 1):
            oldest = self.entries.popleft()
            if self.before_drop is not None and oldest.seq > self.folded:
                self.before_drop(oldest)
                self.folded = oldest.seq
            self.bytes -= self._sizes.popleft()
            self.failed -= has_failed(oldest)
            self.dropped += 1

    @property
    def next_seq(self) -> int:
        """The number of the next call. Calls count from 1."""
        return self.dropped + len(self.entries) + 1

    def after(self, seq: int) -> Iterator[CallRecord]:
        """Calls with a greater number, oldest first. CallLogTruncated when some of them were dropped."""
        self.check_kept(seq)
        for i in range(seq - self.dropped, len(self.entries)):
            yield self.entries[i]

    def check_kept(self, seq: int) -> None:
        """CallLogTruncated when some of the calls with a greater number were dropped."""
        if seq < self.dropped:
            raise CallLogTruncated(
                f"calls up to {self.dropped} were dropped from the journal; ask for after={self.dropped} or later"
            )

    def not_folded(self) -> Iterator[CallRecord]:
        """The calls that coverage has not read yet, oldest first. From now on they count as read."""
        first = max(self.folded, self.dropped)
        self.folded = self.next_seq - 1
        return self.after(first)

    def entry(self, seq: int) -> CallRecord:
        """The call with this number. LookupError when it was dropped."""
        place = seq - self.dropped - 1
        if place < 0:
            raise LookupError(f"call {seq} was dropped")
        return self.entries[place]

    def find(self, seq: int) -> CallRecord:
        """The call of a number. CallNotFound, or CallLogTruncated when it was dropped."""
        if seq >= self.next_seq:
            raise CallNotFound(f"there is no call {seq}; the last one is {self.next_seq - 1}")
        return next(self.after(seq - 1))

    def truncate(self, seq: int) -> None:
        """Remove the calls from number `seq` on (undo). The next call gets `seq`, even if its old call was dropped."""
        while self.entries and self.entries[-1].seq >= seq:
            self.failed -= has_failed(self.entries.pop())
            self.bytes -= self._sizes.pop()
        self.dropped = min(self.dropped, seq - 1)
        self.folded = min(self.folded, seq - 1)

    def kept(self) -> CallLog:
        """This log as it is now, for a redo."""
        kept = copy(self)
        kept.entries, kept._sizes = self.entries.copy(), self._sizes.copy()
        return kept

    def clear(self) -> None:
        """Remove all calls (reset)."""
        self.entries.clear()
        self._sizes.clear()
        self.bytes = self.failed = self.dropped = self.folded = 0
