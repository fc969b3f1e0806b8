"""A state as bytes and back: what a checkpoint holds."""

from __future__ import annotations

import io
import pickle
from typing import Any

import msgspec

from giftsim.kernel.state import Definitions, State
from giftsim.kernel.table import Record

ROOM = "giftsim."


class Damaged(Exception):
    """The bytes hold no state of these laws."""


class _Reader(pickle.Unpickler):
    """Reads plain values and records, and refuses to name anything else."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith(ROOM) or module == "msgspec" else None
        if isinstance(found, type) and issubclass(found, msgspec.Struct | msgspec.Raw):
            return found
        raise Damaged(f"{module}.{name} is no record")


def packed(state: State) -> bytes:
    """All that a state holds, between transactions."""
    tables = {name: table.rows for name, table in state.tables.items() if table.rows}
    timers = [state.timers.live[key] for key in sorted(state.timers.live)]
    whole = (
        state.seed, state.now_ms, state.rate, state.cells, state.meters, state.choices, state.writes,
        state.timers.serial, timers, tables,
    )  # fmt: skip
    return pickle.dumps(whole, pickle.HIGHEST_PROTOCOL)


def unpacked(definitions: Definitions, content: bytes) -> State:
    """The state that the bytes hold; Damaged where they hold none that fits the laws."""
    try:
        seed, now_ms, rate, cells, meters, choices, writes, serial, timers, tables = _Reader(io.BytesIO(content)).load()
    except (pickle.UnpicklingError, ValueError, TypeError, EOFError, AttributeError, ImportError) as error:
        raise Damaged(str(error)) from None
    state = State(definitions, seed, now_ms)
    state.rate, state.writes = rate, writes
    state.cells, state.meters, state.choices = cells, meters, choices
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
