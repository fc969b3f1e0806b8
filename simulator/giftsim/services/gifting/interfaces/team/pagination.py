"""Pages of lists: `{data, next_cursor}`, newest first, stable when rows are added or removed (A7.14, A8.1, T-4.212)."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any

from giftsim.engine.gateway.call import ASSISTANT, Call, Response
from giftsim.engine.gateway.problem import InvalidCursor
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.interfaces.team.assistant_answers import rows_that_fit

_POSITION_BYTES, _SIGNATURE_BYTES = 8, 16


def encode_cursor(state: State, list_key: tuple[str, ...], slot: int) -> str:
    """The cursor that continues after `slot` in the list that `list_key` names: its owner, name and filters."""
    position = slot.to_bytes(_POSITION_BYTES)
    secret = f"{state.seed}|cursor".encode()
    name = "".join(f"{len(part)}:{part}" for part in list_key).encode()
    key = blake2b(secret).digest()
    signature = blake2b(name + b"|" + position, key=key, digest_size=_SIGNATURE_BYTES).digest()
    masked = bytes(a ^ b for a, b in zip(position, signature, strict=False))
    return urlsafe_b64encode(signature + masked).decode().rstrip("=")


def decode_cursor(state: State, list_key: tuple[str, ...], cursor: str) -> int:
    """The slot that a cursor continues after; InvalidCursor unless it was issued by this world for the same list."""
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


def respond_with_page(
    call: Call,
    collection: str,
    slots: Sequence[int],
    view: Callable[[int], Any],
    keep: Callable[[int], bool] | None = None,
    filters: Iterable[object] = (),
) -> Response:
    """One page of a list, as the query's `limit` and `cursor` ask for it.

    `slots` are the row numbers of the list's records, ascending. `view(n)` is the JSON of the record in slot `n`, and
    `keep(n)` is whether it is listed. A cursor is valid for one tenant, collection and set of values of `filters`;
    raises InvalidCursor for any other. A page for an assistant ends early if it is full (G379).
    """
    scope = (call.caller.tenant.owner, collection, *map(repr, filters))
    cursor, limit = call.query.get("cursor"), call.query["limit"]
    end = len(slots) if cursor is None else bisect_left(slots, decode_cursor(call.state, scope, cursor))
    matches = list(islice(_descending(slots, end, keep), limit + 1))
    rows = [view(n) for n in matches[:limit]]
    if ASSISTANT in call.environ:
        rows = rows[: rows_that_fit(rows)]
    next_cursor = encode_cursor(call.state, scope, matches[len(rows) - 1]) if len(matches) > len(rows) else None
    return Response(200, {"data": rows, "next_cursor": next_cursor})


def single_page(rows: Iterable[Any]) -> Response:
    """A list that always fits on one page (A8.1)."""
    return Response(200, {"data": list(rows), "next_cursor": None})


def _descending(slots: Sequence[int], end: int, keep: Callable[[int], bool] | None) -> Iterator[int]:
    for i in range(end - 1, -1, -1):
        if keep is None or keep(slots[i]):
            yield slots[i]
