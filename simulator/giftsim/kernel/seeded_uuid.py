"""UUIDs from a world's seed: version 4 in form, and the same in every run of the same story."""

from __future__ import annotations

from giftsim.kernel import random_streams
from giftsim.kernel.state import State

_VERSION, _VARIANT = 4 << 76, 2 << 62
_FREE = ~(0xF << 76 | 0x3 << 62)


def draw_uuid(state: State, stream: str) -> str:
    """The next UUID of a stream, in lower case."""
    return _written(state.draw(stream), state.draw(stream))


def uuid_of(seed: int, stream: str, n: int) -> str:
    """The UUID number `n` of a stream, in lower case, without a counter of its own: a record's, by its slot."""
    return _written(random_streams.draw(seed, stream, 2 * n), random_streams.draw(seed, stream, 2 * n + 1))


def _written(high: int, low: int) -> str:
    digits = f"{(high << 64 | low) & _FREE | _VERSION | _VARIANT:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
