"""Lists: `{NAME: [...], next}`, where `next` is the `after` that goes on from here, or null at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, TypeVar

from giftsim.gateway.call import Call, Reply

T = TypeVar("T")


def page(call: Call, name: str, rows: Iterable[tuple[int, T]], view: Callable[[T], Any], **more: Any) -> Reply:
    """The first `limit` rows numbered above `after`; `rows` gives (number, row) with ascending numbers."""
    after, limit = call.query.get("after") or 0, call.query["limit"]
    found = list(islice(((number, row) for number, row in rows if number > after), limit + 1))
    shown = found[:limit]
    follows = shown[-1][0] if len(found) > limit else None
    return Reply(200, {name: [view(row) for _, row in shown], "next": follows, **more})


def numbered(rows: Iterable[T]) -> Iterable[tuple[int, T]]:
    """Rows numbered from 1 in their order."""
    return enumerate(rows, start=1)
