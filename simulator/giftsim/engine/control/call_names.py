"""What a logged call was: its interface, its operation, and the name of its credential."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from giftsim.engine.control.credentials import credential_name_in_headers
from giftsim.engine.gateway.call import Interface
from giftsim.engine.gateway.nearest_route import slashed_base
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import CallRecord, ClientCall

_CREDENTIAL_HEADERS = ("Authorization", "X-Api-Key", "Cookie")


class CallName(NamedTuple):
    """The interface and the operation that a call matched, and the name of its credential. Each may be None."""

    interface: str | None
    operation: str | None
    credential: str | None


class CallNames:
    """Names the calls of one world. It remembers what it found, because many calls are alike."""

    def __init__(self, simulated: Sequence[Interface], state: State, world_id: str) -> None:
        self._simulated, self._state, self._world_id = simulated, state, world_id
        self._operations: dict[tuple[str, str], tuple[str | None, str | None]] = {}
        self._credentials: dict[tuple[tuple[str, str], ...], str | None] = {}

    def of(self, entry: CallRecord) -> CallName:
        """All names of a call."""
        return CallName(*self.operation(entry), self.credential(entry))

    def operation(self, entry: CallRecord) -> tuple[str | None, str | None]:
        """The interface and the operation of a call."""
        key = entry.method, entry.path.partition("?")[0]
        if key not in self._operations:
            self._operations[key] = operation_of(self._simulated, entry)
        return self._operations[key]

    def credential(self, entry: CallRecord) -> str | None:
        """The name of a call's credential."""
        key = tuple([header for header in entry.headers if header[0] in _CREDENTIAL_HEADERS])
        if key not in self._credentials:
            self._credentials[key] = credential_name_in_headers(self._state, self._world_id, dict(key))
        return self._credentials[key]


def operation_of(simulated: Sequence[Interface], entry: CallRecord | ClientCall) -> tuple[str | None, str | None]:
    """The names of the interface and the operation that a call matches, or None."""
    path = entry.path.partition("?")[0]
    for interface in simulated:
        prefix = interface.contract.prefix
        if path.startswith(f"{prefix}/"):
            match = interface.contract.match(path.removeprefix(prefix))
            operation = match[0].operation(entry.method) if match else None
            return interface.name, operation.id if operation else None
        if slashed_base(prefix, path):
            return interface.name, None
    return None, None
