"""Cursors: where a list goes on, signed and bound to what was listed, so that one never opens another (A7.14, G1)."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b

from giftsim.gateway.problem import InvalidCursor
from giftsim.kernel.state import State

_PLACE, _SEAL = 8, 16


def seal(state: State, bound: tuple[str, ...], place: int) -> str:
    """The cursor that goes on behind `place` (a slot) in the list that `bound` names: its owner, name and filters."""
    written = place.to_bytes(_PLACE)
    key = f"{state.seed}|cursor".encode()
    name = "".join(f"{len(part)}:{part}" for part in bound).encode()
    mark = blake2b(name + b"|" + written, key=blake2b(key).digest(), digest_size=_SEAL).digest()
    hidden = bytes(a ^ b for a, b in zip(written, mark, strict=False))
    return urlsafe_b64encode(mark + hidden).decode().rstrip("=")


def unseal(state: State, bound: tuple[str, ...], cursor: str) -> int:
    """The place that a cursor goes on behind; InvalidCursor unless it was made here for the same list."""
    place = _place(cursor)
    if place is None or seal(state, bound, place) != cursor:
        raise InvalidCursor("the cursor was not issued for this team, mode, list and filters")
    return place


def _place(cursor: str) -> int | None:
    try:
        text = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
    except ValueError:
        return None
    mark, hidden = text[:_SEAL], text[_SEAL:]
    return int.from_bytes(a ^ b for a, b in zip(hidden, mark, strict=False)) if len(hidden) == _PLACE else None
