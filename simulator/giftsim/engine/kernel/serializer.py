"""Serialize a state to bytes and back, whole or what changed since it was serialized, for checkpoints.

The bytes are pickles one after another, compressed: a head with the timers, and rows of tables in pieces. Pieces are
small, so that other threads get their turn between two of them.
"""

from __future__ import annotations

import io
import pickle
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from operator import attrgetter
from typing import Any

import msgspec

from giftsim.engine.kernel.state import Definitions, State
from giftsim.engine.kernel.table import Record
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.kernel.touched import Touched

PACKAGE = "giftsim."
ROWS_AT_ONCE = 500
BUFFER, SMALL_BUFFER = 256 * 1024, 16 * 1024
FAST = 1  # the level of compression; other threads run meanwhile
Slots = int | Sequence[int]  # the first of consecutive slots, or each
Piece = tuple[str, Slots, Sequence[Record | None]]
Content = tuple[tuple[Any, ...], dict[int, Timer | None], list[Piece]]


class Damaged(Exception):
    """The bytes do not hold a state that fits the definitions."""


class _Reader(pickle.Unpickler):
    """Reads plain values and records, and refuses every other class."""

    def find_class(self, module: str, name: str) -> Any:
        try:
            record = super().find_class(module, name) if module.startswith(PACKAGE) or module == "msgspec" else None
        except (ModuleNotFoundError, AttributeError):
            record = _record_class(module.rpartition(".")[2], name)
        if isinstance(record, type) and issubclass(record, msgspec.Struct | msgspec.Raw):
            return record
        raise Damaged(f"{module}.{name} is not a record")


@cache
def _record_class(module: str, name: str) -> type | None:
    """The record of this name, wherever its module lies now. Records that share a name are told apart by the module's.

    An earlier version may have written the bytes, which had its modules in other folders.
    """
    found, classes = [], [msgspec.Struct]
    for each in classes:
        classes += each.__subclasses__()
        if each.__name__ == name and each.__module__.startswith(PACKAGE):
            found.append(each)
    same = [each for each in found if each.__module__.rpartition(".")[2] == module] or found
    return same[0] if len(same) == 1 else None


def content_of(state: State) -> Content:
    """Everything that a state holds, between transactions. It stays as it is while the state changes."""
    pieces: list[Piece] = [(table.name, 0, table.rows.copy()) for table in state.tables() if table.rows]
    return _head(state), {**state.timers.live}, pieces


def changed_content(state: State, touched: Touched) -> Content:
    """The current content of what has changed."""
    pieces: list[Piece] = []
    for name, slots in touched.slots.items():
        rows = state.table(name).rows
        present = sorted(n for n in slots if n < len(rows))
        pieces.append((name, present, [rows[n] for n in present]))
    return _head(state), {key: state.timers.live.get(key) for key in touched.timers}, pieces


def _head(state: State) -> tuple[Any, ...]:
    return (
        state.seed,
        state.now_ms,
        state.rate,
        state.counters.copy(),
        state.meters.copy(),
        state.setting_values.copy(),
        state.writes,
        state.timers.serial,
    )


def row_count(content: Content) -> int:
    """How many rows and timers a content has: what writing it costs."""
    return len(content[1]) + sum(len(rows) for _, _, rows in content[2])


def size_of(state: State) -> int:
    """How many rows and timers a state has."""
    return len(state.timers.live) + sum(len(table.rows) for table in state.tables())


def serialize(content: Content) -> bytes:
    """The bytes of a content."""
    head, timers, pieces = content
    file = io.BytesIO()
    pickle.dump((head, dict(sorted(timers.items()))), file, pickle.HIGHEST_PROTOCOL)
    for together in _in_parts(pieces):
        pickle.dump(together, file, pickle.HIGHEST_PROTOCOL)
    return zlib.compress(file.getbuffer(), FAST)


def _in_parts(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """The pieces, large ones cut and small ones joined: each costs a reader as much as a few rows."""
    together: list[Piece] = []
    count = 0
    for name, slots, rows in pieces:
        for i in range(0, len(rows), ROWS_AT_ONCE):
            part = slots + i if isinstance(slots, int) else slots[i : i + ROWS_AT_ONCE]
            together.append((name, part, rows[i : i + ROWS_AT_ONCE]))
            count += len(together[-1][2])
            if count >= ROWS_AT_ONCE:
                yield together
                together, count = [], 0
    if together:
        yield together


def deserialize(definitions: Definitions, contents: Iterable[bytes]) -> State:
    """The state in the bytes: a whole one, then what changed each time. Damaged if they do not fit the definitions.

    Rows are put into their tables and indexes once, in their last version.
    """
    state, parts = State(definitions, 0, 0), _Parts()
    try:
        for content in contents:
            _read(parts, content)
        state.seed, state.now_ms, state.rate, *rest, serial = parts.head
        state.counters, state.meters, state.setting_values, state.writes = rest
        for name, rows in parts.rows.items():
            state.table(name).extend(rows)
        state.timers.extend(parts.timers)
        state.timers.serial = serial
    except (
        pickle.UnpicklingError,
        zlib.error,
        ValueError,
        TypeError,
        EOFError,
        AttributeError,
        ImportError,
    ) as error:
        raise Damaged(str(error)) from None
    except LookupError as error:
        raise Damaged(f"there is no {error}") from None
    return state


class _Parts:
    """A state as it was read: its head, the rows of its tables by slot, and its timers by key."""

    def __init__(self) -> None:
        self.head: tuple[Any, ...] = ()
        self.rows: dict[str, list[Record | None]] = {}
        self.timers: dict[int, Timer] = {}

    def put(self, name: str, slots: Slots, found: Sequence[Record | None]) -> None:
        """Take rows of a table. ValueError when slots are left out."""
        rows = self.rows.setdefault(name, [])
        new = bisect_left(slots, len(rows)) if not isinstance(slots, int) else max(0, len(rows) - slots)
        first, last = (slots, slots + len(found) - 1) if isinstance(slots, int) else (slots[0], slots[-1])
        if isinstance(slots, int):
            rows[slots : slots + new] = found[:new]
        else:
            for n, row in zip(slots[:new], found, strict=False):
                rows[n] = row
        rows += found[new:]
        if first < 0 or last >= len(rows):
            raise ValueError(f"{name}: slot {last} comes where {len(rows)} are there")


class _Inflated(io.RawIOBase):
    """Compressed bytes as a file, inflated as they are read: a state takes no memory beside its records."""

    def __init__(self, content: bytes) -> None:
        self._inflate, self._rest = zlib.decompressobj(), content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Inflate up to the size of a buffer into it; 0 at the end. ValueError if that is missing."""
        found = self._inflate.decompress(self._rest, len(buffer))
        self._rest = self._inflate.unconsumed_tail
        if not found and not self._inflate.eof:
            raise ValueError("the bytes end too soon")
        buffer[: len(found)] = found
        return len(found)


def _read(parts: _Parts, content: bytes) -> None:
    file = io.BufferedReader(_Inflated(content), BUFFER if len(content) > BUFFER else SMALL_BUFFER)
    parts.head, timers = _Reader(file).load()
    while file.peek(1):
        for name, slots, rows in _Reader(file).load():
            parts.put(name, slots, rows)
    for key, timer in timers.items():
        if timer is None:
            parts.timers.pop(key, None)
        else:
            parts.timers[key] = timer


_pack = msgspec.msgpack.Encoder(order="deterministic")


def fingerprint(state: State) -> str:
    """SHA-256 over clock, counters, settings, tables in slot order and timers in firing order, as hex."""
    digest = sha256()
    meters = {name: value for name, value in state.meters.items() if value}
    digest.update(_pack.encode([state.now_ms, state.seed, state.counters, meters, state.setting_values]))
    for table in sorted((table for table in state.tables() if table.spec.hashed), key=attrgetter("name")):
        rows = list(table.hashed_rows())
        if rows or not table.spec.sparse:
            digest.update(_pack.encode([table.name, rows]))
    digest.update(_pack.encode(list(state.timers.rows())))
    return digest.hexdigest()
