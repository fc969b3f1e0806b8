"""The fields of the search of a list of records, made from what its service says of it, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from giftsim.engine.control.call_names import operation_of
from giftsim.engine.control.search import Searchable, Section, one_of
from giftsim.engine.gateway.call import Interface
from giftsim.engine.gateway.record_search import Group, Outcome, Search, SearchField, Texts
from giftsim.engine.kernel.instants import parse_date, parse_duration, parse_instant, start_of_date
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, Undo, is_addition
from giftsim.engine.log.inputs import ClientCall
from giftsim.engine.log.segment import CallOutcome
from giftsim.engine.provenance.causes import MOST_CHANGES, newest_first
from giftsim.engine.worlds.world import World

R = TypeVar("R", bound=Record)
T = TypeVar("T")
Meaning = dict[str, Any]

_HTTP = re.compile(r"[1-5](\d\d|xx)", re.IGNORECASE)
MOST_KEPT = 200_000  # texts of one list
SINCE = "it began then or later, by the world's clock: a span until now, a date or an instant"
HTTP = "the HTTP status or its class, such as 503 or 5xx"
CALL = "the operation, or the number, of the call that made it"


def searchable(world: World, state: State, simulated: Sequence[Interface], search: Search[R]) -> Searchable[R]:
    """A list of records as the search takes it."""
    fields: dict[str, Callable[[str], Callable[[R], bool]]] = {}
    if search.kind.statuses:
        fields["status"] = partial(_status, state, search)
    for field in search.fields:
        fields[field.name] = partial(_field, state, search.noun, field)
    if search.at is not None:
        fields["since"] = partial(since, state.now_ms, search.at)
        fields["call"] = partial(_made_by, world, state, simulated, search)
    sections = _sections(state, search)
    if sections:
        fields["is"] = partial(is_in, search.noun, sections)
    text_of = _texts(world, state, search)
    return Searchable(search.noun, fields, lambda words: has_words(text_of, words), sections, _group_of(state, search))


def describe(search: Search[Any]) -> Meaning:
    """A list as the reference shows it: its fields with their meaning, an example and their values if they are few."""
    fields = list[Meaning]()
    if statuses := search.kind.statuses:
        means = "its status" if search.http_status is None else f"its status, or {HTTP}"
        fields.append(meaning("status", means, f"status:{statuses[0]}", statuses))
    fields += [meaning(each.name, each.means, each.example, each.values) for each in search.fields]
    if search.at is not None:
        fields += [meaning("since", SINCE, "since:2d"), meaning("call", CALL, "call:createTeamOrder")]
    if search.outcomes:
        means = "; ".join(f"{name}: {outcome.means}" for name, outcome in search.outcomes.items())
        fields.append(meaning("is", means, f"is:{next(iter(search.outcomes))}", list(search.outcomes)))
    return {"list": search.name, "noun": search.noun, "words": search.words, "fields": fields}


def meaning(name: str, means: str, example: str, values: Sequence[str] = ()) -> Meaning:
    """A field as the reference shows it."""
    return {"field": name, "means": means, "example": example, "values": list(values) or None}


def since(now_ms: int, at: Callable[[T], int], value: str) -> Callable[[T], bool]:
    """Whether a row began at an instant, a date or within a span, or later. ValueError."""
    first_ms = _first_ms(now_ms, value)
    return lambda row: at(row) >= first_ms


def _first_ms(now_ms: int, value: str) -> int:
    readings: tuple[Callable[[str], int], ...] = (
        lambda text: now_ms - parse_duration(text),
        lambda text: start_of_date(parse_date(text).isoformat()),
        parse_instant,
    )
    for read in readings:
        try:
            return read(value)
        except (ValueError, OverflowError):
            continue
    raise ValueError("since is a span such as 2d or 3h, a date such as 2027-01-04, or an instant")


def is_in(noun: str, sections: Mapping[str, Section[T]], value: str) -> Callable[[T], bool]:
    """Whether a row is in a section: has failed, or waits. ValueError."""
    if value.casefold() not in sections:
        raise ValueError(f"{noun} can be {' or '.join(sections)}")
    return sections[value.casefold()].has


def has_words(text_of: Callable[[T], str], words: Sequence[str]) -> Callable[[T], bool]:
    """Whether a row's text, in lower case, has all words."""
    if len(words) == 1:
        [word] = words
        return lambda row: word in text_of(row)

    def has_all(row: T) -> bool:
        text = text_of(row)
        return all(word in text for word in words)

    return has_all


def matches(of: Callable[[T], Texts], value: str, *, in_part: bool = False) -> Callable[[T], bool]:
    """Whether one of a row's values is `value` in any case, has it as a part, or begins with it as in `gift.*`."""
    wanted = value.casefold()
    if in_part:
        return lambda row: any(each is not None and wanted in each.casefold() for each in of(row))
    if wanted.endswith("*"):
        start = wanted[:-1]
        return lambda row: any(each is not None and each.casefold().startswith(start) for each in of(row))
    return lambda row: any(each is not None and each.casefold() == wanted for each in of(row))


def _status(state: State, search: Search[R], value: str) -> Callable[[R], bool]:
    if search.http_status is not None and _HTTP.fullmatch(value):
        return matches(partial(search.http_status, state), value.lower().replace("xx", "*"))
    wanted, status = one_of(value, search.kind.statuses, search.noun, "status"), search.statuses_in(state)
    return lambda row: status(row) == wanted


def _field(state: State, noun: str, field: SearchField[R], value: str) -> Callable[[R], bool]:
    if field.values and not value.endswith("*"):
        value = one_of(value, field.values, noun, field.name)
    return matches(partial(field.of, state), value, in_part=field.in_part)


def _sections(state: State, search: Search[R]) -> dict[str, Section[R]]:
    """What failed, and what waits and has not failed."""
    sections = {name: _section(state, search, outcome) for name, outcome in search.outcomes.items()}
    if len(sections) > 1:
        failed, waiting = sections["failed"].has, sections["waiting"]
        has, numbers = waiting.has, waiting.numbers
        sections["waiting"] = Section(lambda row: has(row) and not failed(row), numbers)
    return sections


def _section(state: State, search: Search[R], outcome: Outcome) -> Section[R]:
    if outcome.slots is not None:
        slots = outcome.slots(state)
        return Section(lambda row: row.n in slots, lambda: [n + 1 for n in sorted(slots)])
    status, statuses = search.statuses_in(state), frozenset(outcome.statuses)
    return Section(lambda row: status(row) in statuses)


def _group_of(state: State, search: Search[R]) -> Callable[[R], Group]:
    """What groups the rows of a list: what the service says, or their status."""
    if search.group is not None:
        return partial(search.group, state)
    status = search.statuses_in(state)

    def by_status(row: R) -> Group:
        own = status(row)
        return Group(own.replace("_", " "), (("status", own),))

    return by_status


def _texts(world: World, state: State, search: Search[R]) -> Callable[[R], str]:
    """The text of a row in lower case. What takes long to make is kept while the records that it is from stay."""
    text, parts_of = search.text, search.parts

    def make(row: R) -> str:
        return "\n".join([str(part) for part in text(state, row) if part]).casefold()

    if parts_of is None:
        return make
    kept = world.search_texts.setdefault(search.name, {})

    def keep(row: R) -> str:
        parts, found = parts_of(state, row), kept.get(row.n)
        if found is not None and found[0] == parts:
            return found[1]
        made = make(row)
        if len(kept) < MOST_KEPT or found is not None:
            kept[row.n] = parts, made
        return made

    return keep


def _made_by(
    world: World, state: State, simulated: Sequence[Interface], search: Search[R], value: str
) -> Callable[[R], bool]:
    """Whether a call made a row. ValueError for an operation that no interface has."""
    if not value.isdecimal():
        check_operation(simulated, value)
    slots = {row.n for row in _made(world, state, simulated, search, value)}
    return lambda row: row.n in slots


def check_operation(simulated: Iterable[Interface], name: str) -> None:
    """ValueError unless an interface has an operation of this name, or some that begin so as in `create*`."""
    names = [each.id.casefold() for interface in simulated for each in interface.contract.operations.values()]
    wanted = name.casefold()
    if wanted not in names and not (wanted.endswith("*") and any(each.startswith(wanted[:-1]) for each in names)):
        raise ValueError("no interface has such an operation; an example is call:createTeamOrder")


def _made(
    world: World, state: State, simulated: Sequence[Interface], search: Search[R], value: str
) -> Iterator[Record]:
    """The records of a list that calls added at their instant, among the last MOST_CHANGES changes."""
    table, at, looked_at = search.kind.table.name, search.at, 0
    for segment, n, entries in newest_first(world, state):
        place = n - segment.first_n
        event = segment.events[place] if 0 <= place < len(segment.events) else None
        if isinstance(event, ClientCall) and _is_call(simulated, event, segment.outcomes.get(n), value):
            added = (each.former for each in entries if _adds(each, table))
            yield from (record for record in added if at is None or at(record) == event.at_ms)
        looked_at += len(entries)
        if looked_at > MOST_CHANGES:
            return


def _adds(entry: Undo | State, table: str) -> bool:
    return isinstance(entry, Undo) and entry.part == table and is_addition(entry)


def _is_call(simulated: Sequence[Interface], event: ClientCall, outcome: CallOutcome | None, value: str) -> bool:
    if value.isdecimal():
        return outcome is not None and outcome.entry is not None and outcome.entry.seq == int(value)
    return matches(lambda call: (operation_of(simulated, call)[1],), value)(event)
