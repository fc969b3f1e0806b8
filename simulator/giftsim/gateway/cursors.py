"""Cursors of lists: signed positions, bound to one list, so that a cursor never opens another list (A7.14, G1)."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b

from giftsim.gateway.problem import InvalidCursor
from giftsim.kernel.state import State

_POSITION_BYTES, _SIGNATURE_BYTES = 8, 16


def encode_cursor(state: State, list_key: tuple[str, ...], slot: int) -> str:
    """The cursor that continues behind `slot` in the list that `list_key` names: its owner, name and filters."""
    position = slot.to_bytes(_POSITION_BYTES)
    secret = f"{state.seed}|cursor".encode()
    name = "".join(f"{len(part)}:{part}" for part in list_key).encode()
    key = blake2b(secret).digest()
    signature = blake2b(name + b"|" + position, key=key, digest_size=_SIGNATURE_BYTES).digest()
    masked = bytes(a ^ b for a, b in zip(position, signature, strict=False))
    return urlsafe_b64encode(signature + masked).decode().rstrip("=")


def decode_cursor(state: State, list_key: tuple[str, ...], cursor: str) -> int:
    """The slot that a cursor continues behind; InvalidCursor unless it was issued by this world for the same list."""
    slot = _read_slot(cursor)
    if slot is None or encode_cursor(state, list_key, slot) != cursor:
        raise InvalidCursor("the cursor was not issued for this team, mode, list and filters")
    return slot


def _read_slot(cursor: str) -> int | None:
    try:
        content = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
    except ValueError:
        return None
    signature, masked = content[:_SIGNATURE_BYTES], content[_SIGNATURE_BYTES:]
    if len(masked) != _POSITION_BYTES:
        return None
    return int.from_bytes(a ^ b for a, b in zip(masked, signature, strict=False))
