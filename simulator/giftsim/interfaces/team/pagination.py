"""Lists: `{data, next_cursor}`, newest first, stable while rows come and go (A7.14, A8.1, T-4.212)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from giftsim.gateway.call import Call, Reply
from giftsim.gateway.cursors import seal, unseal


def page(
    call: Call, collection: str, slots: Sequence[int], view: Callable[[int], Any],
    keep: Callable[[int], bool] | None = None, filters: Iterable[object] = (),
) -> Reply:  # fmt: skip
    """One page of a list, as `limit` and `cursor` of the call's query ask for it.

    `slots` are those of a group, ascending; `view(n)` shows the record in a slot, `keep(n)` says whether it is listed.
    The cursor is bound to the caller's team and mode, the collection's name and the values of `filters`; InvalidCursor.
    """
    bound = (call.caller.space.owner, collection, *map(repr, filters))
    cursor, limit = call.query.get("cursor"), call.query["limit"]
    end = len(slots) if cursor is None else bisect_left(slots, unseal(call.state, bound, cursor))
    found = list(islice(_back(slots, end, keep), limit + 1))
    shown = found[:limit]
    follows = seal(call.state, bound, shown[-1]) if len(found) > limit else None
    return Reply(200, {"data": [view(n) for n in shown], "next_cursor": follows})


def whole(rows: Iterable[Any]) -> Reply:
    """A list that is always one page (A8.1)."""
    return Reply(200, {"data": list(rows), "next_cursor": None})


def _back(slots: Sequence[int], end: int, keep: Callable[[int], bool] | None) -> Iterator[int]:
    for i in range(end - 1, -1, -1):
        if keep is None or keep(slots[i]):
            yield slots[i]
