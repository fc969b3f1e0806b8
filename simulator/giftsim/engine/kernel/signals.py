"""Typed signals: how a package calls a package that it does not import.

The package that makes the call declares a signal, which is a constant. Each `definitions.py` connects handlers to the
signals of other packages, and the composition root merges the connections. mypy checks a handler against its signal:

    LINK_OPENED: Signal[Callable[[State, int], None]] = Signal("link_opened")   # the package that calls
    connect(LINK_OPENED, ask_actor)                                             # a `definitions.py`
    state.handler(LINK_OPENED)(state, n)                                        # the package that calls
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, TypeVar

H = TypeVar("H")


class AlreadyConnected(Exception):
    """Two handlers are connected to one signal, or to one key of a keyed signal; raised when definitions are built."""


class NotConnected(Exception):
    """A signal was called that has neither a handler nor a default."""


class Signal(Generic[H]):
    """A call with one handler of type `H`; `default` handles it while nothing is connected."""

    __slots__ = ("default", "name")

    def __init__(self, name: str, default: H | None = None) -> None:
        self.name, self.default = name, default


class KeyedSignal(Generic[H]):
    """A call with one handler of type `H` per key, such as a resource type; `default` handles all other keys."""

    __slots__ = ("default", "name")

    def __init__(self, name: str, default: H | None = None) -> None:
        self.name, self.default = name, default


class Connection(NamedTuple):
    """A handler and the signal that it handles; `key` is None unless the signal is keyed."""

    signal: Signal[Any] | KeyedSignal[Any]
    key: str | None
    handler: Any

    @property
    def slot(self) -> Any:
        """The key by which `Handlers` finds the handler."""
        return self.signal if self.key is None else (self.signal, self.key)


def ignore(*_: object, **__: object) -> None:
    """The default of a signal that nothing has to handle."""


def connect(signal: Signal[H], handler: H) -> Connection:
    """Handle a signal."""
    return Connection(signal, None, handler)


def connect_key(signal: KeyedSignal[H], key: str, handler: H) -> Connection:
    """Handle one key of a keyed signal."""
    return Connection(signal, key, handler)


class Handlers(dict[Any, Any]):
    """The handler of every signal: by the signal itself, or by (signal, key) of a keyed one.

    AlreadyConnected where two connections have the same signal and key. Looking up a signal without a handler gives its
    default; NotConnected if it has none.
    """

    def __init__(self, connections: Iterable[Connection] = ()) -> None:
        super().__init__()
        for connection in connections:
            slot = connection.slot
            if slot in self:
                both = f"{_named(self[slot])} and {_named(connection.handler)}"
                raise AlreadyConnected(f"the signal {_shown(slot)} has two handlers: {both}; connect one of them")
            self[slot] = connection.handler

    def __missing__(self, slot: Any) -> Any:
        signal = slot[0] if isinstance(slot, tuple) else slot
        if signal.default is None:
            raise NotConnected(f"the signal {_shown(slot)} has no handler; connect one in a definitions.py")
        if signal is slot:
            self[slot] = signal.default  # found at once from now on
        return signal.default


def _shown(slot: Any) -> str:
    return f"{slot[0].name}[{slot[1]!r}]" if isinstance(slot, tuple) else str(slot.name)


def _named(handler: Any) -> str:
    named = handler if hasattr(handler, "__qualname__") else type(handler)
    return f"{named.__module__}.{named.__qualname__}"
