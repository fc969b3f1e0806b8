"""Serialize a state to bytes and back, for checkpoints."""

from __future__ import annotations

import io
import pickle
from typing import Any

import msgspec

from giftsim.kernel.state import Definitions, State
from giftsim.kernel.table import Record

PACKAGE = "giftsim."


class Damaged(Exception):
    """The bytes do not hold a state that fits the definitions."""


class _Reader(pickle.Unpickler):
    """Reads plain values and records, and refuses every other class."""

    def find_class(self, module: str, name: str) -> Any:
        record = super().find_class(module, name) if module.startswith(PACKAGE) or module == "msgspec" else None
        if isinstance(record, type) and issubclass(record, msgspec.Struct | msgspec.Raw):
            return record
        raise Damaged(f"{module}.{name} is not a record")


def serialize(state: State) -> bytes:
    """Everything that a state holds, between transactions."""
    tables = {name: table.rows for name, table in state.tables.items() if table.rows}
    timers = [state.timers.live[key] for key in sorted(state.timers.live)]
    content = (
        state.seed, state.now_ms, state.rate, state.counters, state.meters, state.setting_values, state.writes,
        state.timers.serial, timers, tables,
    )  # fmt: skip
    return pickle.dumps(content, pickle.HIGHEST_PROTOCOL)


def deserialize(definitions: Definitions, content: bytes) -> State:
    """The state in the bytes. Damaged when they do not hold one that fits the definitions."""
    try:
        content_read = _Reader(io.BytesIO(content)).load()
        seed, now_ms, rate, counters, meters, setting_values, writes, serial, timers, tables = content_read
    except (pickle.UnpicklingError, ValueError, TypeError, EOFError, AttributeError, ImportError) as error:
        raise Damaged(str(error)) from None
    state = State(definitions, seed, now_ms)
    state.rate, state.writes = rate, writes
    state.counters, state.meters, state.setting_values = counters, meters, setting_values
    for name, rows in tables.items():
        if name not in state.tables:
            raise Damaged(f"there is no table {name}")
        _fill(state, name, rows)
    for timer in timers:
        state.timers.put_back(timer)
    state.timers.serial = serial
    state.log.clear()
    return state


def _fill(state: State, name: str, rows: list[Record | None]) -> None:
    table = state.tables[name]
    for row in rows:
        if row is None:
            table.rows.append(None)
        else:
            table.add(row)
    state.log.clear()
