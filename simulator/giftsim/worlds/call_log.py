"""The journal of a world's client calls: for people, redacted, bounded by entries and bytes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import msgspec

from giftsim.kernel.problem import Problem

MAX_ENTRIES = 10_000
MAX_BYTES = 16 * 1024 * 1024


class JournalTruncated(Problem):
    """The window asked for has been dropped from the journal."""

    status = 409
    code = "journal_truncated"


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One call and its answer; bodies as they were, redacted when they are read."""

    seq: int
    at_ms: int
    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    status: int | None
    answer_headers: tuple[tuple[str, str], ...]
    answer: bytes
    fault: str | None
    note: str | None

    def size(self) -> int:
        """The bytes that count against the bound."""
        return len(self.body) + len(self.answer) + len(self.path) + 400


class Journal:
    """The newest entries; `dropped` says how many older ones are gone."""

    def __init__(self, max_entries: int = MAX_ENTRIES, max_bytes: int = MAX_BYTES) -> None:
        self.max_entries, self.max_bytes = max_entries, max_bytes
        self.entries: deque[Entry] = deque()
        self.bytes = 0
        self.dropped = 0

    def add(self, entry: Entry) -> None:
        """Keep an entry, and let the oldest go where a bound is met."""
        self.entries.append(entry)
        self.bytes += entry.size()
        while len(self.entries) > self.max_entries or (self.bytes > self.max_bytes and len(self.entries) > 1):
            self.bytes -= self.entries.popleft().size()
            self.dropped += 1

    @property
    def next_seq(self) -> int:
        """The number of the next entry; they count from 1."""
        return self.dropped + len(self.entries) + 1

    def after(self, seq: int) -> Iterator[Entry]:
        """Entries with a greater number, oldest first; JournalTruncated where some of them are gone."""
        if seq < self.dropped:
            raise JournalTruncated(
                f"calls up to {self.dropped} were dropped from the journal; ask for after={self.dropped} or later"
            )
        for i in range(seq - self.dropped, len(self.entries)):
            yield self.entries[i]

    def cut(self, seq: int) -> None:
        """Forget the entries from number `seq` on (undo)."""
        while self.entries and self.entries[-1].seq >= seq:
            self.bytes -= self.entries.pop().size()

    def clear(self) -> None:
        """Forget all of it (reset)."""
        self.entries.clear()
        self.bytes = self.dropped = 0
