"""Pages of lists: `{NAME: [...], next}`. `next` is the `after` of the next page, or null on the last page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, TypeVar

from giftsim.gateway.call import Call, Response

T = TypeVar("T")


def page(call: Call, name: str, rows: Iterable[tuple[int, T]], view: Callable[[T], Any], **more: Any) -> Response:
    """The first `limit` rows with a number above `after`. `rows` yields (number, row) in ascending order."""
    after, limit = call.query.get("after") or 0, call.query["limit"]
    selected = list(islice(((number, row) for number, row in rows if number > after), limit + 1))
    on_page = selected[:limit]
    next_after = on_page[-1][0] if len(selected) > limit else None
    return Response(200, {name: [view(row) for _, row in on_page], "next": next_after, **more})


def numbered(rows: Iterable[T]) -> Iterable[tuple[int, T]]:
    """The rows with numbers from 1."""
    return enumerate(rows, start=1)
