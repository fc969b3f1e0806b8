"""One client call and its response, as the call log shows it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

RECORD_BYTES, HEADER_BYTES = 350, 120  # what a record and a header take in memory beside their contents


def request_size(path: str, headers: tuple[tuple[str, str], ...], body: bytes) -> int:
    """The bytes that a request takes in memory, about. A client decides how many headers it has, and how long."""
    size = RECORD_BYTES + len(path) + len(body) + HEADER_BYTES * len(headers)
    for name, value in headers:
        size += len(name) + len(value)
    return size


class CallRecord(msgspec.Struct, frozen=True, gc=False):
    """A call and its response. Bodies are kept unchanged and redacted when they are read."""

    seq: int
    at_ms: int
    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    status: int | None
    answer_headers: Mapping[str, str]  # the dictionary of the response, which is not changed any more
    answer: bytes
    fault: str | None
    note: str | None

    def size(self) -> int:
        """The bytes that count against the call log's bound: request and response."""
        return request_size(self.path, self.headers, self.body) + self.answer_size()

    def answer_size(self) -> int:
        """The bytes of the response and its record, about."""
        return RECORD_BYTES + HEADER_BYTES * len(self.answer_headers) + len(self.answer)
