"""Functions that take back writes to a state's counters, meters, settings, outbox, rate and instant.

They are not methods, because an undo entry names one of them, and a method takes longer to find.
"""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import UNSET

Former = tuple[str, Any]  # a name and its former value; UNSET if it had none


class Revertible(Protocol):
    """The parts of a state that these functions restore."""

    counters: dict[str, int]
    meters: dict[str, int]
    setting_values: dict[str, Any]
    parsed_settings: dict[str, Any]
    outbox: list[Any]
    rate: float
    now_ms: int


def restore_counter(state: Revertible, former: Former) -> None:
    """Give a counter its former value."""
    _restore(state.counters, *former)


def decrease(state: Revertible, name: str) -> None:
    """Take one from a counter."""
    _restore(state.counters, name, state.counters[name] - 1 or UNSET)


def restore_meter(state: Revertible, former: Former) -> None:
    """Give a meter its former value."""
    _restore(state.meters, *former)


def uncount(state: Revertible, name: str) -> None:
    """Take one from a meter."""
    _restore(state.meters, name, state.meters[name] - 1 or UNSET)


def restore_rate(state: Revertible, rate: float) -> None:
    """Run the clock at its former rate."""
    state.rate = rate


def restore_instant(state: Revertible, now_ms: int) -> None:
    """Put the clock back to an instant."""
    state.now_ms = now_ms


def restore_setting(state: Revertible, former: Former) -> None:
    """Give a setting its former value."""
    _restore(state.setting_values, *former)
    state.parsed_settings.pop(former[0], None)


def unsend(state: Revertible, _: None) -> None:
    """Take the last of the outbox back, unless it was sent."""
    if state.outbox:
        state.outbox.pop()


def _restore(values: dict[str, Any], name: str, former: Any) -> None:
    if former is UNSET:
        values.pop(name, None)
    else:
        values[name] = former
