"""Pages of lists: `{NAME: [...], next}`, the oldest rows first, or the newest.

`next` is the `after` of the next page, or its `before` when the newest rows come first, and null on the last page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

import msgspec

from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.record_kind import Kind
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, Table

T = TypeVar("T")
R = TypeVar("R", bound=Record)

NEWEST = "newest"


class Rows(msgspec.Struct, Generic[T], frozen=True):
    """Rows with numbers from `first` to `last`. `at(number)` is a row, or None if that number has none.

    `slots` is the list of the same rows, starting with number 1, if there is one: a list is faster to read.
    """

    last: int
    at: Callable[[int], T | None]
    first: int = 1
    slots: Sequence[T | None] | None = None

    def rows_of_page(self, call: Call) -> Iterator[tuple[int, T]]:
        """The rows between the `after` and `before` of a query, in its `order`. Reads no row before it is needed."""
        after, before = call.query.get("after"), call.query.get("before")
        low = max(self.first, (after or 0) + 1)
        high = self.last if before is None else min(self.last, before - 1)
        numbers = range(low, high + 1)
        slots, at = self.slots, self.at
        for number in reversed(numbers) if call.query.get("order") == NEWEST else numbers:
            row = at(number) if slots is None else slots[number - 1]
            if row is not None:
                yield number, row

    def every(self) -> Iterator[T]:
        """Every row, oldest first."""
        rows = self.slots if self.slots is not None else map(self.at, range(self.first, self.last + 1))
        return (row for row in rows if row is not None)


def rows_of_table(table: Table[R]) -> Rows[R]:
    """The rows of a table, numbered by their slots counted from 1."""
    return Rows(table.next_n, lambda number: table.at(number - 1), slots=table.rows)


def rows_of_list(rows: Sequence[T]) -> Rows[T]:
    """The rows of a list, numbered from 1."""
    return Rows(len(rows), lambda number: rows[number - 1], slots=rows)


def respond_with_page(
    call: Call, name: str, rows: Iterable[tuple[int, T]], view: Callable[[T], Any], **more: Any
) -> Response:
    """The first `limit` of the rows between `after` and `before`. `rows` yields (number, row) in the asked order."""
    after, before, limit = call.query.get("after") or 0, call.query.get("before"), call.query["limit"]
    asked = ((number, row) for number, row in rows if number > after and (before is None or number < before))
    selected = list(islice(asked, limit + 1))
    on_page = selected[:limit]
    next_number = on_page[-1][0] if len(selected) > limit else None
    return Response(200, {name: [view(row) for _, row in on_page], "next": next_number, **more})


def list_records(
    call: Call,
    name: str,
    kind: Kind[R],
    view: Callable[[State, R], Any],
    *,
    keep: Callable[[R], bool] | None = None,
) -> Response:
    """A page of the records of a kind with the text `q` and the `status` of the query, among those `keep` accepts."""
    with current_state(call.world) as state:
        text = call.query.get("q")
        has_text = matches_search(text, partial(kind.text, state)) if text else None
        return filtered_page(
            call,
            name,
            rows_of_table(state[kind.table]),
            partial(view, state),
            keep=_both(keep, has_text),
            status=partial(kind.status, state) if kind.statuses else None,
            statuses=kind.statuses,
        )


def _both(first: Callable[[R], bool] | None, second: Callable[[R], bool] | None) -> Callable[[R], bool] | None:
    if first is None or second is None:
        return first or second
    return lambda row: first(row) and second(row)


def filtered_page(
    call: Call,
    name: str,
    rows: Rows[T],
    view: Callable[[T], Any],
    *,
    keep: Callable[[T], bool] | None = None,
    status: Callable[[T], str] | None = None,
    statuses: Sequence[str] = (),
    **more: Any,
) -> Response:
    """A page of the rows that `keep` accepts and whose `status` is that of the query, if it names one.

    If the query asks for `counts`, the page has them: how many rows that `keep` accepts have each of `statuses`. They
    read every row; the page reads only as many as it needs.
    """
    if status is not None and call.query.get("per_status"):
        return _board(call, name, rows, view, keep=keep, status=status, statuses=statuses, **more)
    wanted = call.query.get("status") if status else None
    if status is not None and call.query.get("counts"):
        counted = Counter(map(status, filter(keep, rows.every())))
        more["counts"] = {each: counted[each] for each in statuses}
    return respond_with_page(call, name, _matching(rows.rows_of_page(call), keep, status, wanted), view, **more)


def _matching(
    rows: Iterable[tuple[int, T]],
    keep: Callable[[T], bool] | None,
    status: Callable[[T], str] | None,
    wanted: str | None,
) -> Iterator[tuple[int, T]]:
    for number, row in rows:
        if (keep is None or keep(row)) and (wanted is None or status is None or status(row) == wanted):
            yield number, row


def _board(
    call: Call,
    name: str,
    rows: Rows[T],
    view: Callable[[T], Any],
    *,
    keep: Callable[[T], bool] | None,
    status: Callable[[T], str],
    statuses: Sequence[str],
    **more: Any,
) -> Response:
    """The first rows of each status, with the counts, in one walk over all rows. There is no next page."""
    most, wanted = call.query["per_status"], call.query.get("status")
    counted, chosen = dict.fromkeys(statuses, 0), []
    for _, row in rows.rows_of_page(call):
        if keep is None or keep(row):
            row_status = status(row)
            counted[row_status] += 1
            if counted[row_status] <= most and wanted in (None, row_status):
                chosen.append(row)
    if call.query.get("counts"):
        more["counts"] = counted
    return Response(200, {name: [view(row) for row in chosen], "next": None, **more})


def number_rows(rows: Iterable[T]) -> Iterable[tuple[int, T]]:
    """The rows with numbers from 1."""
    return enumerate(rows, start=1)


def text_filter(text: str | None) -> Callable[[str], bool] | None:
    """Whether a string has `text` in it, in any case; None to keep everything."""
    if not text:
        return None
    wanted = text.casefold()
    return lambda string: wanted in string.casefold()


def matches_search(text: str | None, parts: Callable[[Any], Iterable[object]]) -> Callable[[Any], bool]:
    """Whether one of the `parts` of a row has `text` in it, in any case. Without a text every row has it."""
    if not text:
        return lambda _: True
    wanted = text.casefold()
    return lambda row: wanted in "\n".join(map(str, filter(None, parts(row)))).casefold()
