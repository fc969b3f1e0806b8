"""The words of a world's inputs: whatever its state follows from, beside its birth (G3)."""

from __future__ import annotations

import msgspec

from giftsim.event_log.config import WorldConfig

Headers = tuple[tuple[str, str], ...]


class Input(msgspec.Struct, tag_field="t", gc=False, omit_defaults=True):
    """What every input is: its number in its world, from 1; it is given when the input is added."""

    n: int = 0

    def size(self) -> int:
        """The bytes that count against the bound."""
        return 100


class Called(Input, tag="call", gc=False, omit_defaults=True):
    """A client's call, or a guest's on a claim page; `path` is whole, with its query.

    `assistant` is the message of the assistant that made it. `during` is the delivery, as event id and attempt, at
    which an advance stood meanwhile (G4). What is unset here is known only afterwards, and in memory.
    """

    at_ms: int = 0
    method: str = ""
    path: str = ""
    headers: Headers = ()
    body: bytes = b""
    assistant: bytes | None = None
    during: tuple[str, int] | None = None

    def size(self) -> int:
        """The bytes that count against the bound."""
        return len(self.body) + len(self.path) + 400


class Controlled(Input, tag="control", gc=False, omit_defaults=True):
    """A control call that changes the world's state; `path` is what follows `/worlds/{w}`.

    `during` is as for a client's call.
    """

    at_ms: int = 0
    method: str = ""
    path: str = ""
    body: bytes = b""
    during: tuple[str, int] | None = None


class Ran(Input, tag="run", gc=False, omit_defaults=True):
    """Time went on to `to_ms`, and so many timers fired on the way: an advance or a part of one, or a ticker's turn.

    One that stopped with more due at that instant counts its `events`, as the bound of an advance does.
    """

    fired: int = 0
    to_ms: int = 0
    events: int = 0


class Landed(Input, tag="landed", gc=False, omit_defaults=True):
    """What a forwarded attempt (a slot) to a host came back with."""

    attempt: int = 0
    host: str = ""
    outcome: str = ""
    status: int | None = None
    signed_s: int = 0
    took_s: float = 0.0


class Parked(Input, tag="parked", gc=False, omit_defaults=True):
    """The call `call` gave the world back before it was done."""

    call: int = 0


class Resumed(Input, tag="resumed", gc=False, omit_defaults=True):
    """The call `call` has the world again."""

    call: int = 0
    at_ms: int = 0


class Paced(Input, tag="paced", gc=False, omit_defaults=True):
    """The clock runs at `rate` from `at_ms` on, or stands (0)."""

    at_ms: int = 0
    rate: float = 0.0


class SnapshotTaken(Input, tag="saved", gc=False, omit_defaults=True):
    """A state was kept under a name."""

    name: str = ""


class Forgot(Input, tag="forgot", gc=False, omit_defaults=True):
    """A kept state was deleted."""

    name: str = ""


class Restored(Input, tag="restored", gc=False, omit_defaults=True):
    """A kept state was put in place again."""

    name: str = ""


class Reset(Input, tag="reset", gc=False, omit_defaults=True):
    """The world is as it was created; numbers begin anew, unless a call is under way."""


class Carried(Input, tag="carried", gc=False, omit_defaults=True):
    """After a restart, what had been under way was sent again (G5)."""


class Born(msgspec.Struct, tag_field="t", tag="born", gc=False):
    """A world was made; `print` is the hash of its fixture as it was then."""

    config: WorldConfig
    print: str = ""
    ttl_s: float | None = None


class Forked(msgspec.Struct, tag_field="t", tag="forked", gc=False):
    """A world was made as a copy of another."""

    of: str


class Deleted(msgspec.Struct, tag_field="t", tag="deleted", gc=False):
    """A world was let go."""


class Undone(msgspec.Struct, tag_field="t", tag="undone", gc=False):
    """The inputs from number `n` on were taken back."""

    n: int


class Checkpoint(msgspec.Struct, tag_field="t", tag="checkpoint", gc=False):
    """A world before its input `n`, so that what is before it need not be applied again (G5).

    States are archives; `first` is what a fork began with, and `first_n` the number that inputs begin with after a
    reset; `calls` is how many calls its journal had counted.
    """

    n: int
    first_n: int
    config: WorldConfig
    ttl_s: float | None
    calls: int
    state: bytes
    first: bytes | None
    snapshots: dict[str, bytes]


AnyInput = (
    Called | Controlled | Ran | Landed | Parked | Resumed | Paced | SnapshotTaken | Forgot | Restored | Reset | Carried
)
Word = AnyInput | Born | Forked | Deleted | Undone | Checkpoint
