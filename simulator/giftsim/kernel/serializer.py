"""Serialize a state to bytes and back, whole or what changed since it was serialized, for checkpoints.

The bytes are pickles one after another, compressed: a head with the timers, and rows of tables in pieces. Pieces are
small, so that other threads get their turn between two of them.
"""

from __future__ import annotations

import io
import pickle
import zlib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from giftsim.kernel.state import STATE, Definitions, State
from giftsim.kernel.table import Record, Undo
from giftsim.kernel.timer import PART as TIMERS
from giftsim.kernel.timer import Timer, key_of

PACKAGE = "giftsim."
ROWS_AT_ONCE = 500
FAST = 1  # the level of compression; other threads run meanwhile
Slots = int | Sequence[int]  # the first of consecutive slots, or each
Piece = tuple[str, Slots, Sequence[Record | None]]
Content = tuple[tuple[Any, ...], dict[int, Timer | None], list[Piece]]


class Damaged(Exception):
    """The bytes do not hold a state that fits the definitions."""


class _Reader(pickle.Unpickler):
    """Reads plain values and records, and refuses every other class."""

    def find_class(self, module: str, name: str) -> Any:
        record = super().find_class(module, name) if module.startswith(PACKAGE) or module == "msgspec" else None
        if isinstance(record, type) and issubclass(record, msgspec.Struct | msgspec.Raw):
            return record
        raise Damaged(f"{module}.{name} is not a record")


def content_of(state: State) -> Content:
    """Everything that a state holds, between transactions. It stays as it is if the state was shared."""
    timers: dict[int, Timer | None] = {key: state.timers.live[key] for key in sorted(state.timers.live)}
    return _head(state), timers, [(name, 0, table.rows) for name, table in state.tables.items() if table.rows]


def changed_content(state: State, undo_log: Iterable[Undo]) -> Content:
    """The current content of everything that the undo log names."""
    slots: dict[str, dict[int, None]] = {}
    timers: dict[int, Timer | None] = {}
    for entry in undo_log:
        if entry.part == TIMERS:
            key = key_of(entry.former)
            timers[key] = state.timers.live.get(key)
        elif entry.part != STATE:
            slots.setdefault(entry.part, {})[entry.former.n] = None
    pieces: list[Piece] = []
    for name, changed in slots.items():
        rows = state.tables[name].rows
        present = sorted(n for n in changed if n < len(rows))
        pieces.append((name, present, [rows[n] for n in present]))
    return _head(state), timers, pieces


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


def serialize(content: Content) -> bytes:
    """The bytes of a content."""
    head, timers, pieces = content
    file = io.BytesIO()
    pickle.dump((head, timers), file, pickle.HIGHEST_PROTOCOL)
    for piece in pieces:
        for part in _parts(piece):
            pickle.dump(part, file, pickle.HIGHEST_PROTOCOL)
    return zlib.compress(file.getbuffer(), FAST)


def _parts(piece: Piece) -> Iterator[Piece]:
    name, slots, rows = piece
    for i in range(0, len(rows), ROWS_AT_ONCE):
        part = slots + i if isinstance(slots, int) else slots[i : i + ROWS_AT_ONCE]
        yield name, part, rows[i : i + ROWS_AT_ONCE]


def deserialize(definitions: Definitions, contents: Sequence[bytes]) -> State:
    """The state in the bytes: a whole one, then what changed each time. Damaged if they do not fit the definitions."""
    state = State(definitions, 0, 0)
    for content in contents:
        try:
            _read(state, content)
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
    state.log.clear()
    return state


def _read(state: State, content: bytes) -> None:
    whole = zlib.decompress(content)
    file = io.BytesIO(whole)
    head, timers = _Reader(file).load()
    state.seed, state.now_ms, state.rate, state.counters, state.meters, state.setting_values, state.writes, serial = (
        head
    )
    while file.tell() < len(whole):
        name, slots, rows = _Reader(file).load()
        table = state.tables[name]
        if isinstance(slots, int):
            table.extend(rows)
        else:
            for n, row in zip(slots, rows, strict=True):
                table.set(n, row)
    for key, timer in timers.items():
        state.timers.put_back(key, timer)
    state.timers.serial = serial


_pack = msgspec.msgpack.Encoder(order="deterministic")


def fingerprint(state: State) -> str:
    """SHA-256 over clock, counters, settings, tables in slot order and timers in firing order, as hex."""
    digest = sha256()
    meters = {name: value for name, value in state.meters.items() if value}
    digest.update(_pack.encode([state.now_ms, state.seed, state.counters, meters, state.setting_values]))
    for name in sorted(name for name, table in state.tables.items() if table.spec.hashed):
        digest.update(_pack.encode([name, [row for row in state.tables[name].rows if row is not None]]))
    digest.update(_pack.encode(list(state.timers.rows())))
    return digest.hexdigest()
