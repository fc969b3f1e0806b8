"""The configuration of a world: what it is created from, and what a reset returns to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class WorldConfig(msgspec.Struct, frozen=True):
    """A fixture (name, path or data), a seed, the first instant and the clock's rate (0: stopped)."""

    fixture: str | dict[str, Any]
    seed: int
    now_ms: int
    rate: float = 0.0
    settings: dict[str, Any] = {}


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
    answer_headers: Mapping[str, str]  # the dictionary of the response; nothing changes it afterwards
    answer: bytes
    fault: str | None
    note: str | None
    content_type: str = ""

    @property
    def typed_headers(self) -> Mapping[str, str]:
        """The headers of the response, with the type of its body if it has one."""
        return {**self.answer_headers, "Content-Type": self.content_type} if self.answer else self.answer_headers

    def size(self) -> int:
        """The bytes that count against the call log's bound: request and response."""
        return request_size(self.path, self.headers, self.body) + self.answer_size()

    def answer_size(self) -> int:
        """The bytes of the response and its record, about."""
        return RECORD_BYTES + HEADER_BYTES * len(self.answer_headers) + len(self.answer)


Headers = tuple[tuple[str, str], ...]


class Input(msgspec.Struct, tag_field="t", gc=False, omit_defaults=True):
    """The members of all events."""

    n: int = 0

    def size(self) -> int:
        """The bytes that count against the log's bound."""
        return RECORD_BYTES


class ClientCall(Input, tag="call", gc=False, omit_defaults=True):
    """A client's call to an interface or a page of a service. `path` includes the query.

    `assistant` is the MCP message that made the call. `during` is the delivery (event id, attempt number) at which an
    advance was waiting (G4).
    """

    at_ms: int = 0
    method: str = ""
    path: str = ""
    headers: Headers = ()
    body: bytes = b""
    assistant: bytes | None = None
    during: tuple[str, int] | None = None

    def size(self) -> int:
        """The bytes that count against the log's bound."""
        return request_size(self.path, self.headers, self.body) + len(self.assistant or b"")


class ControlCall(Input, tag="control", gc=False, omit_defaults=True):
    """A call to the control API that changes the world. `path` follows `/worlds/{w}`; `during` is as in ClientCall."""

    at_ms: int = 0
    method: str = ""
    path: str = ""
    body: bytes = b""
    during: tuple[str, int] | None = None

    def size(self) -> int:
        """The bytes that count against the log's bound."""
        return request_size(self.path, (), self.body)


class TimePassed(Input, tag="run", gc=False, omit_defaults=True):
    """Time went on to `to_ms`, and `fired` timers fired on the way: in an advance, or on a running clock.

    `events` is set when an advance stopped at its bound of events with more due at the same instant. `from_ms` is the
    instant at which an advance began, in the first event of its time.
    """

    fired: int = 0
    to_ms: int = 0
    events: int = 0
    from_ms: int | None = None


class AttemptCompleted(Input, tag="landed", gc=False, omit_defaults=True):
    """The outcome of a forwarded delivery attempt (a slot), with the beginning of the body that answered it."""

    attempt: int = 0
    host: str = ""
    outcome: str = ""
    status: int | None = None
    signed_s: int = 0
    took_s: float = 0.0
    body: bytes = b""
    cut: bool = False

    def size(self) -> int:
        """The bytes that count against the log's bound."""
        return RECORD_BYTES + len(self.body)


class CallSuspended(Input, tag="parked", gc=False, omit_defaults=True):
    """Call number `call` released the world's lock before it was done."""

    call: int = 0


class CallResumed(Input, tag="resumed", gc=False, omit_defaults=True):
    """Call number `call` continues."""

    call: int = 0
    at_ms: int = 0


class ClockRateSet(Input, tag="paced", gc=False, omit_defaults=True):
    """The clock runs at `rate` from `at_ms` on, or is stopped (0)."""

    at_ms: int = 0
    rate: float = 0.0


class SnapshotSaved(Input, tag="saved", gc=False, omit_defaults=True):
    """The state was kept under a name."""

    name: str = ""
    at_ms: int = 0


class SnapshotDeleted(Input, tag="forgot", gc=False, omit_defaults=True):
    """A snapshot was deleted."""

    name: str = ""
    at_ms: int = 0


class SnapshotRestored(Input, tag="restored", gc=False, omit_defaults=True):
    """A snapshot was put back; `at_ms` is the instant before."""

    name: str = ""
    at_ms: int = 0


class WorldReset(Input, tag="reset", gc=False, omit_defaults=True):
    """The world returned to its initial state. Events are numbered from 1 again, unless a call is suspended."""


class CallAbandoned(Input, tag="abandoned", gc=False, omit_defaults=True):
    """Call number `call` was suspended and never acts, because its process or its world's state ended (G5)."""

    call: int = 0


class DeliveriesResent(Input, tag="carried", gc=False, omit_defaults=True):
    """After a restart, the attempts (slots) that had been in flight were sent again (G5)."""

    attempts: tuple[int, ...] = ()


AnyInput = (
    ClientCall
    | ControlCall
    | TimePassed
    | AttemptCompleted
    | CallSuspended
    | CallResumed
    | CallAbandoned
    | ClockRateSet
    | SnapshotSaved
    | SnapshotDeleted
    | SnapshotRestored
    | WorldReset
    | DeliveriesResent
)


class WorldCreated(msgspec.Struct, tag_field="t", tag="born", gc=False):
    """A world was created; `print` is the hash of its fixture's content."""

    config: WorldConfig
    print: str = ""
    ttl_s: float | None = None


class WorldForked(msgspec.Struct, tag_field="t", tag="forked", gc=False):
    """A world was created as a copy of another."""

    of: str


class WorldDeleted(msgspec.Struct, tag_field="t", tag="deleted", gc=False):
    """A world was deleted."""


class InputsUndone(msgspec.Struct, tag_field="t", tag="undone", gc=False):
    """The events from number `n` on were undone."""

    n: int


class InputsRedone(msgspec.Struct, tag_field="t", tag="redone", gc=False):
    """The events from number `n` on were replaced by these, which an undo had taken away.

    They are all in one line, so that no file has some of them only.
    """

    n: int
    events: list[AnyInput]


class Checkpoint(msgspec.Struct, tag_field="t", tag="checkpoint", gc=False):
    """The whole world before its event `n`, so that earlier events need not be replayed (G5).

    States are serialized. With a `base`, `state` is only what has changed since the checkpoint in the line that begins
    at that byte; `whole` is the line of a WholeState for one of those that it is based on. `first` is the initial state
    of a fork; `first_n` is the number with which events begin after a reset; `calls` counts the calls in the call log
    so far. A number in place of bytes says where the line with these bytes begins. `rows` counts the rows and timers in
    all that a start reads for it. `suspended` are the calls that had released the world's lock.
    """

    n: int
    first_n: int
    config: WorldConfig
    ttl_s: float | None
    calls: int
    state: bytes
    first: bytes | int | None
    snapshots: dict[str, bytes | int]
    base: int | None = None
    whole: int | None = None
    rows: int = 0
    suspended: tuple[int, ...] = ()


class WholeState(msgspec.Struct, tag_field="t", tag="whole", gc=False):
    """The whole state of a world at its checkpoint in the line that begins at byte `at`.

    For later checkpoints a start reads this instead of the checkpoints before it.
    """

    at: int
    state: bytes


class CheckpointsComplete(msgspec.Struct, tag_field="t", tag="complete", gc=False):
    """All worlds have checkpoints: a start needs those in `worlds`, by the bytes at which their lines begin, and the
    lines from byte `since` on (G77). `ids` counts the worlds that came without an id so far."""

    since: int
    worlds: dict[str, int]
    ids: int


JournalRecord = (
    AnyInput
    | WorldCreated
    | WorldForked
    | WorldDeleted
    | InputsUndone
    | InputsRedone
    | Checkpoint
    | WholeState
    | CheckpointsComplete
)
