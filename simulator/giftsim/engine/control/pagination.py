"""Pages of lists: `{NAME: [...], next}`, the oldest rows first, or the newest, and those that a search finds.

`next` is the `after` of the next page, or its `before` when the newest rows come first, and null on the last page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

import msgspec

from giftsim.engine.control.search import Searchable, Section, every, parse
from giftsim.engine.control.search_fields import searchable
from giftsim.engine.control.search_groups import group_rows
from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.record_search import Search
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

    def some_of_page(self, call: Call, numbers: Sequence[int]) -> Iterator[tuple[int, T]]:
        """The rows of the page that have some numbers, which are in order."""
        after, before = call.query.get("after") or 0, call.query.get("before")
        for number in reversed(numbers) if call.query.get("order") == NEWEST else numbers:
            if number > after and (before is None or number < before) and (row := self.at(number)) is not None:
                yield number, row


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
    search: Search[R],
    view: Callable[[State, R], Any],
    *,
    keep: Callable[[R], bool] | None = None,
) -> Response:
    """A page of the records of a list that its search finds, with the `status` of the query, among those kept."""
    with current_state(call.world) as state:
        rows = rows_of_table(state[search.kind.table])
        return page_of_records(call, state, search, rows, partial(view, state), keep=keep)


def page_of_records(
    call: Call,
    state: State,
    search: Search[R],
    rows: Rows[R],
    view: Callable[[R], Any],
    *,
    keep: Callable[[R], bool] | None = None,
) -> Response:
    """A page of some records of a list. InvalidSearch."""
    kind = search.kind
    return searched_page(
        call,
        search.name.rpartition("/")[2],
        rows,
        view,
        searchable(call.world, state, services_of(call).simulated, search),
        keep=keep,
        status=search.statuses_in(state) if kind.statuses else None,
        statuses=kind.statuses,
        count_all=search.counts and partial(search.counts, state),
    )


class Selection(msgspec.Struct, Generic[T], frozen=True):
    """Which rows a query asks for: `also` are its conditions of status and outcome, `keep` the others.

    `numbers` are those among which all of them are, if they are known. With `asks_more` the search has conditions
    beside status and outcome.
    """

    keep: Callable[[T], bool] | None
    also: Callable[[T], bool] | None
    numbers: Sequence[int] | None
    asks_more: bool

    @property
    def both(self) -> Callable[[T], bool] | None:
        """All conditions; None if there are none."""
        return every([each for each in (self.keep, self.also) if each])


FACETS = ("status", "is")  # `counts` count as if they were not asked


def select(call: Call, listed: Searchable[T], keep: Callable[[T], bool] | None = None) -> Selection[T]:
    """The conditions of a query on a list. InvalidSearch."""
    terms, wanted = parse(call.query.get("q")), call.query.get("status")
    listed.check(terms)
    also = listed.conditions([term for term in terms if term.field in FACETS])
    if wanted is not None:
        also.append(listed.fields["status"](wanted))
    others = listed.conditions([term for term in terms if term.field not in FACETS])
    kept = every([*([keep] if keep else []), *others])
    if kept is not None and others and (call.query.get("counts") or call.query.get("grouped")):
        kept = _remembered(kept)
    return Selection(kept, every(also), listed.numbers(terms), bool(others))


def _remembered(condition: Callable[[T], bool]) -> Callable[[T], bool]:
    """A condition that is asked more than once about rows that stay as long as it."""
    known: dict[int, bool] = {}

    def remembered(row: T) -> bool:
        key = id(row)
        if (found := known.get(key)) is None:
            found = known[key] = condition(row)
        return found

    return remembered


Count = Callable[[Rows[T], Selection[T]], dict[str, Any]]


def searched_page(
    call: Call,
    name: str,
    rows: Rows[T],
    view: Callable[[T], Any],
    listed: Searchable[T],
    *,
    keep: Callable[[T], bool] | None = None,
    status: Callable[[T], str] | None = None,
    statuses: Sequence[str] = (),
    count: Count[T] | None = None,
    count_all: Callable[[], Mapping[str, int]] | None = None,
    most: int | None = None,
    **more: Any,
) -> Response:
    """A page of the rows that the search and the `status` of the query find, among those that `keep` accepts.

    If the query asks for `counts`, the page has them: how many rows are `found`, and how many there would be of each of
    `statuses` if it asked for no status. They read every row, or are what `count` says, or `count_all` if the search
    asks for nothing else; the page reads only as many
    rows as it needs, and `most` at most. With `grouped`, those that failed or wait are in `groups`, and the page has
    the rest.
    """
    chosen, query = select(call, listed, keep), call.query
    if query.get("counts"):
        more |= count(rows, chosen) if count else count_rows(rows, chosen, status, statuses, count_all)
    more |= groups_of(call, rows, view, listed, chosen)
    wanted = wanted_on_page(call, listed, chosen)
    asked_rows = rows.rows_of_page(call) if chosen.numbers is None else rows.some_of_page(call, chosen.numbers)
    found, last = scan(asked_rows, wanted, query["limit"], most)
    return Response(200, {name: [view(row) for _, row in found], "next": last, **more})


def groups_of(
    call: Call, rows: Rows[T], view: Callable[[T], Any], listed: Searchable[T], chosen: Selection[T]
) -> dict[str, Any]:
    """The groups of the rows that failed or wait, and how many these are, if the query asks for them."""
    if not call.query.get("grouped"):
        return {}
    asked, most = (call.query.get("q") or "").strip(), call.query["per_group"]
    grouped = group_rows(listed, partial(_newest_of, rows), chosen.both, asked, most)
    return {"groups": grouped.views(view), "sections": grouped.counts}


def wanted_on_page(call: Call, listed: Searchable[T], chosen: Selection[T]) -> Callable[[T], bool] | None:
    """Which rows the page has: those that are wanted, without those of the groups if the query asks for the rest."""
    if not (call.query.get("grouped") or call.query.get("rest")):
        return chosen.both
    return every([*([chosen.both] if chosen.both else []), *_outside(listed.sections.values())])


def _outside(sections: Collection[Section[T]]) -> list[Callable[[T], bool]]:
    """Conditions for rows that are in no section."""
    known = [section.slots() for section in sections if section.slots is not None]
    if not known or len(known) < len(sections):
        return [_is_not(section.has) for section in sections]
    inside = frozenset[int]().union(*known)

    def is_outside(record: Any) -> bool:  # only sections of records have slots
        return record.n not in inside

    return [is_outside]


def scan(
    asked: Iterable[tuple[int, T]], keep: Callable[[T], bool] | None, limit: int, most: int | None = None
) -> tuple[list[tuple[int, T]], int | None]:
    """The first `limit` rows that are kept among the first `most`, and the number after which the next page starts."""
    found: list[tuple[int, T]] = []
    looked_at, number = 0, None
    for number, row in islice(asked, most):
        looked_at += 1
        if keep is None or keep(row):
            if len(found) == limit:
                return found, found[-1][0]
            found.append((number, row))
    return found, number if looked_at == most else None


def _newest_of(rows: Rows[T], section: Section[T]) -> Iterator[T]:
    """The rows of a section, the newest first."""
    numbers = section.numbers()
    if numbers is not None and rows.slots is not None:
        return filter(None, map(rows.slots.__getitem__, [number - 1 for number in reversed(numbers)]))
    if numbers is not None:
        return filter(None, map(rows.at, reversed(numbers)))
    return filter(section.has, reversed(list(rows.every())))


def _is_not(condition: Callable[[T], bool]) -> Callable[[T], bool]:
    return lambda row: not condition(row)


def count_rows(
    rows: Rows[T],
    chosen: Selection[T],
    status: Callable[[T], str] | None,
    statuses: Sequence[str],
    count_all: Callable[[], Mapping[str, int]] | None = None,
) -> dict[str, Any]:
    """How many rows are `found`, and the `counts` of each status, for which the conditions of status do not count."""
    if count_all is not None and not chosen.asks_more:
        counts = count_all()
        if chosen.also is None:
            return {"found": sum(counts.values()), "counts": counts}
        some = rows.every() if chosen.numbers is None else filter(None, map(rows.at, chosen.numbers))
        return {"found": sum(map(chosen.both or bool, some)), "counts": counts}
    kept = list(rows.every() if chosen.keep is None else filter(chosen.keep, rows.every()))
    found = {"found": len(kept) if chosen.also is None else sum(map(chosen.also, kept))}
    if status is None:
        return found
    counted = Counter(map(status, kept))
    return {**found, "counts": {each: counted[each] for each in statuses}}


def number_rows(rows: Iterable[T]) -> Iterable[tuple[int, T]]:
    """The rows with numbers from 1."""
    return enumerate(rows, start=1)
