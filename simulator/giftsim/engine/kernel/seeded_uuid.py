"""UUIDs drawn from a world's seed: version 4 in form, and the same in every run."""

from __future__ import annotations

from giftsim.engine.kernel import random_streams
from giftsim.engine.kernel.state import State

_VERSION, _VARIANT = 4 << 76, 2 << 62
_RANDOM_BITS = ~(0xF << 76 | 0x3 << 62)


def draw_uuid(state: State, stream: str) -> str:
    """The next UUID of a stream, in lower case."""
    return _format(state.draw(stream), state.draw(stream))


def uuid_of(seed: int, stream: str, n: int) -> str:
    """UUID number `n` of a stream, in lower case, without changing any counter: for a record, by its slot."""
    return _format(random_streams.draw_number(seed, stream, 2 * n), random_streams.draw_number(seed, stream, 2 * n + 1))


def _format(high: int, low: int) -> str:
    digits = f"{(high << 64 | low) & _RANDOM_BITS | _VERSION | _VARIANT:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
