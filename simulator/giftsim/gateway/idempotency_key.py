"""An idempotency key and the record that is stored for it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

STORED_HEADERS = ("Content-Disposition", "Location")


class IdempotencyRecord(Record, frozen=True, gc=False):
    """What is stored for a key. `name` is scope and key; `body` is None while the key is only bound to `subject`."""

    name: str
    fingerprint: str = msgspec.field(name="print")
    subject: int | None
    status: int
    content_type: str
    headers: tuple[tuple[str, str], ...]
    body: bytes | None
    until_ms: int | None


IDEMPOTENCY_RECORDS: TableSpec[IdempotencyRecord] = TableSpec(
    "idempotency", IdempotencyRecord, unique={"name": lambda row: row.name}
)


class IdempotencyKey:
    """The idempotency key of the current call; `row` is what is stored for it, None for a new key."""

    def __init__(self, name: str, fingerprint: str, until_ms: int | None, row: IdempotencyRecord | None) -> None:
        self.name, self.fingerprint, self.until_ms, self.row = name, fingerprint, until_ms, row

    def bind(self, state: State, subject: int) -> None:
        """Bind the key to a record from now on, whatever the response will be (B4)."""
        if self.row is None:
            self._write(state, subject, 0, "application/json", {}, None)

    def store(self, state: State, status: int, content_type: str, headers: Mapping[str, str], body: bytes) -> None:
        """Store the response."""
        self._write(state, self.row.subject if self.row else None, status, content_type, headers, body)

    def _write(
        self, state: State, subject: int | None, status: int, content_type: str, headers: Mapping[str, str],
        body: bytes | None,
    ) -> None:  # fmt: skip
        table = state[IDEMPOTENCY_RECORDS]
        n = self.row.n if self.row else table.next_n
        kept = tuple((name, value) for name, value in headers.items() if name in STORED_HEADERS)
        row = IdempotencyRecord(
            n, self.name, self.fingerprint, subject, status, content_type, kept, body,
            self.until_ms,
        )  # fmt: skip
        self.row = table.put(row) if self.row else table.add(row)
