"""Idempotency memory: what a key was first used for, and the first answer's bytes (G13, G14).

A key of the partner interface stands in the body and lasts for ever; one of the team interface stands in a header and
lasts for a time. Only 2xx answers are stored; the row, the change it belongs to and its timers are one transaction.
"""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from giftsim.gateway.call import Call, Reply
from giftsim.gateway.problem import IdempotencyKeyRequired, InFlight, InvalidIdempotencyKey, PayloadMismatch
from giftsim.kernel.instants import DAY, format_duration
from giftsim.kernel.setting import duration
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

LIFETIME = duration("idempotency.lifetime", format_duration(DAY), "how long a header's idempotency key is remembered")
HEADERS_KEPT = ("Content-Disposition", "Location")
canonical = msgspec.json.Encoder(order="deterministic").encode


class Memory(Record, frozen=True, gc=False):
    """`name` is scope and key; `print` the payload's hash; `body` None while only `subject` is bound."""

    name: str
    print: str
    subject: int | None
    status: int
    content_type: str
    headers: tuple[tuple[str, str], ...]
    body: bytes | None
    until_ms: int | None


MEMORIES: TableSpec[Memory] = TableSpec("idempotency", Memory, unique={"name": lambda row: row.name})


class Keyed:
    """The idempotency key of the call under way: found or new, bound to a record when the work says so."""

    def __init__(self, name: str, print_: str, until_ms: int | None, row: Memory | None) -> None:
        self.name, self.print, self.until_ms, self.row = name, print_, until_ms, row

    def bind(self, call: Call, subject: int) -> None:
        """Remember now that the key stands for a record, whatever becomes of the answer (B4)."""
        if self.row is None:
            self._write(call.state, subject, Reply(0), None)

    def store(self, call: Call, reply: Reply) -> None:
        """Remember the answer's bytes."""
        self._write(call.state, self.row.subject if self.row else None, reply, reply.bytes())

    def _write(self, state: State, subject: int | None, reply: Reply, body: bytes | None) -> None:
        table = state[MEMORIES]
        n = self.row.n if self.row else table.next_n
        kept = tuple((name, value) for name, value in reply.headers.items() if name in HEADERS_KEPT)
        row = Memory(n, self.name, self.print, subject, reply.status, reply.content_type, kept, body, self.until_ms)
        self.row = table.put(row) if self.row else table.add(row)


def keyed(call: Call) -> Keyed | None:
    """The call's key, if it has one: checked for form and payload; PayloadMismatch when it was used otherwise."""
    key = _key(call)
    if key is None:
        return None
    state, name = call.state, f"{call.caller.scope} {key}"
    table = state[MEMORIES]
    row = table.find("name", name)
    if row and row.until_ms is not None and row.until_ms <= state.now_ms:
        table.drop(row.n)
        row = None
    print_ = _payload(call)
    if row and row.print != print_:
        raise PayloadMismatch(f"the idempotency key{_told(call, key)} was used with another payload; take a new key")
    if name in _claimed(call):
        call.headers["Retry-After"] = "1"
        raise InFlight(f"a call with the idempotency key{_told(call, key)} is still under way")
    in_body = call.operation.idempotency == "body"
    return Keyed(name, print_, None if in_body else state.now_ms + state.setting(LIFETIME), row)


def identity(call: Call) -> str:
    """What makes a repeated call the same one: its idempotency key, or all that it says where there is none."""
    return f"{call.caller.scope} {_key(call) or _payload(call)}"


def replayed(memory: Memory) -> Reply:
    """The first answer again, byte for byte, marked by a header (A3.4)."""
    headers = {**dict(memory.headers), "Idempotent-Replayed": "true"}
    return Reply(memory.status, memory.body or b"", headers, memory.content_type)


def _told(call: Call, key: str) -> str:
    return f" {key[:60]!r}" if call.interface.echo else ""


def _claimed(call: Call) -> dict[str, None]:
    return call.world.claimed if call.world else {}


def _key(call: Call) -> str | None:
    kind = call.operation.idempotency
    if kind == "body":
        key = call.body.get("idempotency_key") if isinstance(call.body, dict) else None
        return key if isinstance(key, str) else None
    return header_key(call)


def header_key(call: Call) -> str | None:
    """The Idempotency-Key header where the operation takes one; refused where it is missing or malformed (A3.6)."""
    kind = call.operation.idempotency
    if kind in (None, "body") or call.method == "GET":
        return None
    key = call.header("Idempotency-Key")
    if key is None:
        if kind == "required":
            raise IdempotencyKeyRequired(f"{call.method} {call.operation.template} asks for an Idempotency-Key header")
        return None
    if not 1 <= len(key) <= 128 or not all(" " <= letter <= "~" for letter in key):
        raise InvalidIdempotencyKey("an Idempotency-Key is 1 to 128 printable ASCII characters")
    return key


def _payload(call: Call) -> str:
    """The canonical hash of method, path, query and body: member order and white space do not matter (A3.1).

    In JSON `1`, `1.0` and `true` are three things, and stay three here.
    """
    text = b"\n".join((call.method.encode(), call.path.encode(), call.query_string.encode(), canonical(call.body)))
    return blake2b(text, digest_size=16).hexdigest()
