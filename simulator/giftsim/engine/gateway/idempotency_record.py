"""What is stored for an idempotency key: a record with the response, and the key of the current call."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence

import msgspec

from giftsim.engine.kernel.signals import KeyedSignal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec

# Hardly any stored response is read again, so the bodies of 64 keys in a row are packed together.
TOGETHER = 64
LARGEST = 16 * 1024  # a larger body stays as it is: its neighbours would take long to read
FAST = 1  # the level of compression
_decoder = msgspec.msgpack.Decoder(list[bytes])


class Pack(msgspec.Struct, frozen=True, gc=False):
    """Bodies that are compressed together."""

    data: bytes


class StoredBody(msgspec.Struct, gc=False, eq=False):
    """The body of a stored response. Its bytes never change, so worlds and forks may share it, packed or not."""

    kept: bytes | Pack
    place: int = 0  # in the pack

    def read(self) -> bytes:
        """The bytes."""
        kept, place = self.kept, self.place
        return kept if isinstance(kept, bytes) else _decoder.decode(zlib.decompress(kept.data))[place]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, StoredBody) and self.read() == other.read())

    def __hash__(self) -> int:
        return hash(self.read())


def pack(bodies: Sequence[StoredBody | None]) -> None:
    """Pack the bodies of consecutive keys. A body has the same place in each world that has it: that of its key."""
    small = {
        place: body
        for place, body in enumerate(bodies)
        if body is not None and isinstance(body.kept, bytes) and len(body.kept) <= LARGEST
    }
    contents = [small[n].kept if n in small else b"" for n in range(len(bodies))]
    packed = Pack(zlib.compress(msgspec.msgpack.encode(contents), FAST))
    for place, body in small.items():
        body.place = place  # before `kept`, because other threads may read the body meanwhile
        body.kept = packed


STORED_HEADERS = ("Content-Disposition", "Location")


class IdempotencyRecord(Record, frozen=True, gc=False):
    """What is stored for a key. `name` is scope and key; `body` is None while the key is only bound to a record.

    `subject` is the slot of that record in the table `kind`.
    """

    name: str
    fingerprint: str = msgspec.field(name="print")
    subject: int | None
    status: int
    content_type: str
    headers: tuple[tuple[str, str], ...]
    body: StoredBody | None
    until_ms: int | None
    kind: str | None = None


def _unpacked(row: IdempotencyRecord) -> IdempotencyRecord:
    """The record with the bytes of its body, whether they are packed or not."""
    return row if row.body is None else msgspec.structs.replace(row, body=row.body.read())


IDEMPOTENCY_RECORDS: TableSpec[IdempotencyRecord] = TableSpec(
    "idempotency",
    IdempotencyRecord,
    unique={"name": "name"},
    moving={"bound_to": ("kind", "subject")},
    hashed_as=_unpacked,
)

# Whether the record in a slot has a payment without a known outcome; by the table of the record.
OUTCOME_PENDING: KeyedSignal[Callable[[State, int], bool]] = KeyedSignal("outcome_pending", lambda _state, _n: False)


def is_expired(state: State, row: IdempotencyRecord) -> bool:
    """Whether a key has expired. It does not while the outcome of a payment made with it is unknown (G58)."""
    if row.until_ms is None or row.until_ms > state.now_ms:
        return False
    if row.kind is None or row.subject is None:
        return True
    return not state.handler_of(OUTCOME_PENDING, row.kind)(state, row.subject)


def prolong(state: State, kind: str, subject: int, until_ms: int) -> None:
    """Keep the keys that are bound to a record for longer, as the outcome of its payment is known now (G58)."""
    table = state[IDEMPOTENCY_RECORDS]
    for row in table.rows_in("bound_to", f"{kind} {subject}"):
        if row.until_ms is not None and row.until_ms < until_ms:
            table.put(msgspec.structs.replace(row, until_ms=until_ms))


class IdempotencyKey(msgspec.Struct):
    """The idempotency key of the current call; `row` is what is stored for it, None for a new key."""

    name: str
    fingerprint: str
    until_ms: int | None
    row: IdempotencyRecord | None

    def bind(self, state: State, subject: int, kind: str) -> None:
        """Bind the key to a record of the table `kind` from now on, whatever the response will be (B4)."""
        if self.row is None or (self.row.subject, self.row.kind) != (subject, kind):
            self._write(state, (subject, kind), 0, "application/json", {}, None)

    def store(self, state: State, status: int, content_type: str, headers: Mapping[str, str], body: bytes) -> None:
        """Store the response."""
        bound = (self.row.subject, self.row.kind) if self.row else (None, None)
        self._write(state, bound, status, content_type, headers, body)

    def _write(
        self,
        state: State,
        bound: tuple[int | None, str | None],
        status: int,
        content_type: str,
        headers: Mapping[str, str],
        body: bytes | None,
    ) -> None:
        table = state[IDEMPOTENCY_RECORDS]
        n = self.row.n if self.row else table.next_n
        stored = None if body is None else StoredBody(body)
        kept = tuple([each for each in headers.items() if each[0] in STORED_HEADERS]) if headers else ()
        row = IdempotencyRecord(
            n, self.name, self.fingerprint, bound[0], status, content_type, kept, stored, self.until_ms, bound[1]
        )
        if self.row:
            self.row = table.put(row)
            return
        self.row = table.add(row)
        if n and n % TOGETHER == 0:
            pack([each.body if each else None for each in table.rows[n - TOGETHER : n]])
