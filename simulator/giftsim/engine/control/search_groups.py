"""Rows of a list that failed or wait, in groups of those that are alike, each with the search that finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

import msgspec

from giftsim.engine.control.search import Searchable, Section, join, write
from giftsim.engine.gateway.record_search import Group

T = TypeVar("T")
Condition = Callable[[T], bool]

MOST = 50  # groups of a section; the others are one more


class Alike(msgspec.Struct, Generic[T]):
    """Rows that are alike: how many there are, and the newest of them."""

    group: Group
    rows: list[T]
    count: int = 0


class Groups(msgspec.Struct, Generic[T]):
    """The groups of each section by what its rows have in common, and how many rows each section has."""

    asked: str
    sections: dict[str, list[Alike[T]]]
    counts: dict[str, int]

    def views(self, view: Callable[[T], Any]) -> list[dict[str, Any]]:
        """The groups as JSON, the ones that failed first."""
        return [
            {
                "is": section,
                "title": each.group.title,
                "count": each.count,
                "q": join(f"is:{section}", *(write(field, [value]) for field, value in each.group.terms), self.asked),
                "rows": [view(row) for row in each.rows],
            }
            for section, groups in self.sections.items()
            for each in groups
        ]


def group_rows(
    listed: Searchable[T],
    newest_first: Callable[[Section[T]], Iterator[T]],
    wanted: Condition[T] | None,
    asked: str,
    most: int,
) -> Groups[T]:
    """The rows that are wanted of each section, of which `newest_first` has all, with `most` rows of each group."""
    found = Groups[T](asked, {}, {})
    for name, section in listed.sections.items():
        rows = newest_first(section)
        groups = _grouped(rows if wanted is None else filter(wanted, rows), listed, most)
        found.counts[name] = sum(each.count for each in groups)
        found.sections[name] = _first(groups)
    return found


def _grouped(rows: Iterable[T], listed: Searchable[T], most: int) -> list[Alike[T]]:
    groups, group_of = dict[Group, Alike[T]](), listed.group()
    alike: Alike[T] | None = None
    for row in rows:
        group = group_of(row)
        if alike is None or alike.group is not group:
            alike = groups.get(group)
            if alike is None:
                alike = groups[group] = Alike(group, [])
        alike.count += 1
        if len(alike.rows) < most:
            alike.rows.append(row)
    return list(groups.values())


def _first(groups: list[Alike[T]]) -> list[Alike[T]]:
    """The first groups; if there are too many, the others are one."""
    if len(groups) <= MOST:
        return groups
    others = groups[MOST - 1 :]
    rest = Alike(Group("others", ()), others[0].rows, sum(each.count for each in others))
    return [*groups[: MOST - 1], rest]
