"""UUIDs from a world's streams: version 4 in form, and the same in every run of the same story."""

from __future__ import annotations

from simulator.kernel.state import State

_VERSION, _VARIANT = 4 << 76, 2 << 62
_FREE = ~(0xF << 76 | 0x3 << 62)


def draw_uuid(state: State, stream: str) -> str:
    """The next UUID of a stream, in lower case."""
    bits = (state.draw(stream) << 64 | state.draw(stream)) & _FREE | _VERSION | _VARIANT
    digits = f"{bits:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
