"""One client call and its response, as the call log shows it."""

from __future__ import annotations

import msgspec


class CallRecord(msgspec.Struct, frozen=True, gc=False):
    """A call and its response. Bodies are kept unchanged and redacted when they are read."""

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
        """The bytes that count against the call log's bound."""
        return len(self.body) + len(self.answer) + len(self.path) + 400
