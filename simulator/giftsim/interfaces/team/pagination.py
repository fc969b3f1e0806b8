"""Pages of lists: `{data, next_cursor}`, newest first, stable when rows are added or removed (A7.14, A8.1, T-4.212)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from giftsim.gateway.call import Call, Response
from giftsim.gateway.cursors import decode_cursor, encode_cursor


def page(
    call: Call, collection: str, slots: Sequence[int], view: Callable[[int], Any],
    keep: Callable[[int], bool] | None = None, filters: Iterable[object] = (),
) -> Response:  # fmt: skip
    """One page of a list, as the query's `limit` and `cursor` ask for it.

    `slots` are the row numbers of the list's records, ascending. `view(n)` is the JSON of the record in slot `n`, and
    `keep(n)` tells whether it is listed. A cursor is valid for one tenant, collection and set of values of `filters`;
    raises InvalidCursor for any other.
    """
    scope = (call.caller.tenant.owner, collection, *map(repr, filters))
    cursor, limit = call.query.get("cursor"), call.query["limit"]
    end = len(slots) if cursor is None else bisect_left(slots, decode_cursor(call.state, scope, cursor))
    matches = list(islice(_descending(slots, end, keep), limit + 1))
    listed = matches[:limit]
    next_cursor = encode_cursor(call.state, scope, listed[-1]) if len(matches) > limit else None
    return Response(200, {"data": [view(n) for n in listed], "next_cursor": next_cursor})


def single_page(rows: Iterable[Any]) -> Response:
    """A list that always fits on one page (A8.1)."""
    return Response(200, {"data": list(rows), "next_cursor": None})


def _descending(slots: Sequence[int], end: int, keep: Callable[[int], bool] | None) -> Iterator[int]:
    for i in range(end - 1, -1, -1):
        if keep is None or keep(slots[i]):
            yield slots[i]
