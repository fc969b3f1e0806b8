"""What passes through the stages: the call, who makes it, and the reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from giftsim.event_log.events import Called

if TYPE_CHECKING:
    from giftsim.gateway.contract import Operation
    from giftsim.gateway.interface import Interface
    from giftsim.kernel.state import State
    from giftsim.worlds.registry import Registry
    from giftsim.worlds.world import World

JSON = "application/json"
ASSISTANT = "giftsim.assistant"  # in the environ of a call that an assistant's message makes; no header becomes it
NOT_YET = Called()
encode = msgspec.json.Encoder().encode


@cache
def _member(header: str) -> str:
    """What WSGI calls a header; asked with names that stand in the code, so that there are few."""
    return "HTTP_" + header.upper().replace("-", "_")


class Dropped(Exception):
    """The connection ends here without a byte of an answer (faults `drop` and `crash`)."""


class Caller(Protocol):
    """Who makes a call: `scope` names the holder of idempotency keys, `bucket` that of a rate window."""

    @property
    def scope(self) -> str: ...
    @property
    def bucket(self) -> str: ...
    @property
    def plan(self) -> str: ...


@dataclass(slots=True)
class Reply:
    """An answer: `body` is bytes as they are, or anything that JSON can say.

    `opaque` bytes may hold any value (an image), so that no slots are filled in them.
    """

    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = JSON
    opaque: bool = False

    def bytes(self) -> bytes:
        """The body as it leaves, but for its slots (kernel.mark); said once for memory, journal and client."""
        said = self.body if isinstance(self.body, bytes) else encode(self.body)
        self.body = said
        return said


@dataclass(slots=True)
class Later:
    """A reply that waits for the courier: the gateway commits, sends without the lock, then asks `finish`."""

    finish: Callable[[State], Reply]


@dataclass(slots=True)
class Call:
    """One request on its way; stages fill it from the top down. `came` is the input of its world that it is.

    `effect` is what the fault of the name `fault` does to it; `met` is set where one that acts in the work did act.
    """

    method: str
    path: str
    query_string: str
    environ: Mapping[str, Any]
    raw: bytes
    interface: Interface
    registry: Registry
    op: Operation | None = None
    params: dict[str, Any] = field(default_factory=dict)
    world: World | None = None
    came: Called = NOT_YET
    request_id: str = ""
    caller: Any = None
    query: dict[str, Any] = field(default_factory=dict)
    body: Any = None
    loose_numbers: bool = False
    effect: dict[str, Any] = field(default_factory=dict)
    fault: str | None = None
    met: bool = False
    late_s: float = 0.0
    bound: int | None = None
    subject: Any = None
    memory: Any = None
    wrote: bool = False
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The state of the call's world as it is now (a restore may have replaced an earlier one)."""
        if self.world is None:
            raise RuntimeError("this call belongs to no world")
        return self.world.state

    @property
    def here(self) -> World:
        """The call's world, for stages behind the choice of one."""
        if self.world is None:
            raise RuntimeError("this call belongs to no world")
        return self.world

    @property
    def operation(self) -> Operation:
        """The operation that the route names; for stages behind the routing."""
        if self.op is None:
            raise RuntimeError("this call has no operation")
        return self.op

    def header(self, name: str) -> str | None:
        """A request header by its usual name, or None."""
        value: str | None = self.environ.get(_member(name))
        return value

    def bind(self, subject: int) -> None:
        """Tie the call's idempotency key to a record from now on (partner: the order, B4)."""
        if self.memory is not None:
            self.memory.bind(self, subject)


Proceed = Callable[[Call], Reply]
