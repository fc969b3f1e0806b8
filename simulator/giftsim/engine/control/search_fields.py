"""The fields of the search of a list of records, made from what its service says of it, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, TypeVar

from giftsim.engine.control.call_names import operation_of
from giftsim.engine.control.search import Once, Searchable, Section, one_of
from giftsim.engine.gateway.call import Interface
from giftsim.engine.gateway.record_search import Group, Outcome, Search, SearchField, Texts
from giftsim.engine.gateway.simulated_service import Service
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


def searchable(
    world: World, state: State, interfaces: Callable[[], Sequence[Interface]], search: Search[R]
) -> Searchable[R]:
    """A list of records as the search takes it. `interfaces` take long to load: only `call:` asks for them."""
    fields: dict[str, Callable[[str], Callable[[R], bool]]] = {}
    if search.kind.statuses:
        fields["status"] = partial(_status, state, search)
    for field in search.fields:
        fields[field.name] = partial(_field, state, search.noun, field)
    if search.at is not None:
        fields["since"] = partial(since, state.now_ms, search.at)
        fields["call"] = partial(_made_by, world, state, interfaces, search)
    sections = _sections(state, search)
    if sections:
        fields["is"] = partial(is_in, search.noun, sections)
    if search.has_words is not None:
        words = partial(search.has_words, state)
    else:
        words = partial(has_words, _texts(world, state, search))
    return Searchable(search.noun, fields, words, sections, Once(lambda: _group_of(state, search)))


def describe(search: Search[Any], names: Names) -> Meaning:
    """A list as the reference shows it: its fields with their meaning, an example and their values if they are few."""
    fields = list[Meaning]()
    if statuses := search.kind.statuses:
        means = "its status" if search.http_status is None else f"its status, or {HTTP}"
        fields.append(meaning("status", means, f"status:{statuses[0]}", statuses))
    fields += [meaning(each.name, each.means, each.example, each.values) for each in search.fields]
    if search.at is not None:
        fields += [meaning("since", SINCE, "since:2d"), meaning("call", CALL, "call:{operation}")]
    if search.outcomes:
        means = "; ".join(f"{name}: {outcome.means}" for name, outcome in search.outcomes.items())
        fields.append(meaning("is", means, f"is:{next(iter(search.outcomes))}", list(search.outcomes)))
    for field in fields:
        field["example"] = field["example"].format(**names)
    return {"list": search.name, "noun": search.noun, "words": search.words, "fields": fields}


Names = Mapping[str, str]


def names_of_examples(service: Service, simulated: Sequence[Interface]) -> Names:
    """The names that examples have: an interface, one of its operations, and a type of events."""
    interface = simulated[0]
    operations = list(interface.contract.operations)
    operation = next((each for each in operations if each.startswith("create")), operations[0])
    return {"interface": interface.name, "operation": operation, "event": next(iter(service.webhook_kinds), "ping")}


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
    """Whether one of a row's values is `value` in any case, has it as a part, or begins with it as in `order.*`."""
    wanted = value.casefold()
    if in_part:
        return lambda row: any(each is not None and wanted in each.casefold() for each in of(row))
    if wanted.endswith("*"):
        start = wanted[:-1]
        return lambda row: any(each is not None and each.casefold().startswith(start) for each in of(row))
    return lambda row: any(each is not None and each.casefold() == wanted for each in of(row))


def _status(state: State, search: Search[R], value: str) -> Callable[[R], bool]:
    if search.http_status is not None and _HTTP.fullmatch(value):
        return matches(search.http_status(state), value.lower().replace("xx", "*"))
    wanted, status = one_of(value, search.kind.statuses, search.noun, "status"), search.statuses_in(state)
    return lambda row: status(row) == wanted


def _field(state: State, noun: str, field: SearchField[R], value: str) -> Callable[[R], bool]:
    if field.values and not value.endswith("*"):
        value = one_of(value, field.values, noun, field.name)
    return matches(field.values_in(state), value, in_part=field.in_part)


def _sections(state: State, search: Search[R]) -> dict[str, Section[R]]:
    """What failed, and what waits and has not failed."""
    sections = {name: _section(state, search, outcome) for name, outcome in search.outcomes.items()}
    if len(sections) == len(("failed", "waiting")):
        sections["waiting"] = _without(sections["waiting"], sections["failed"])
    return sections


def _without(section: Section[R], other: Section[R]) -> Section[R]:
    if section.slots is None or other.slots is None:
        return Section(lambda row: section.has(row) and not other.has(row))
    own, others = section.slots, other.slots
    return _in_slots(Once(lambda: own() - others()))


def _in_slots(slots: Callable[[], AbstractSet[int]]) -> Section[R]:
    return Section(lambda row: row.n in slots(), slots)


def _section(state: State, search: Search[R], outcome: Outcome) -> Section[R]:
    if outcome.slots is not None:
        return _in_slots(Once(partial(outcome.slots, state)))
    status, statuses = search.statuses_in(state), frozenset(outcome.statuses)
    return Section(lambda row: status(row) in statuses)


def _group_of(state: State, search: Search[R]) -> Callable[[R], Group]:
    """What groups the rows of a list: what the service says, or their status."""
    if search.group is not None:
        return search.group(state)
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
    world: World, state: State, interfaces: Callable[[], Sequence[Interface]], search: Search[R], value: str
) -> Callable[[R], bool]:
    """Whether a call made a row. ValueError for an operation that no interface has."""
    simulated = interfaces()
    if not value.isdecimal():
        check_operation(simulated, value)
    slots = {row.n for row in _made(world, state, simulated, search, value)}
    return lambda row: row.n in slots


def check_operation(simulated: Iterable[Interface], name: str) -> None:
    """ValueError unless an interface has an operation of this name, or some that begin so as in `create*`."""
    names = [each.id.casefold() for interface in simulated for each in interface.contract.operations.values()]
    wanted = name.casefold()
    if wanted not in names and not (wanted.endswith("*") and any(each.startswith(wanted[:-1]) for each in names)):
        raise ValueError("no interface has such an operation")


def _made(
    world: World, state: State, simulated: Sequence[Interface], search: Search[R], value: str
) -> Iterator[Record]:
    """The records of a list that calls added at their instant, in at most MOST_CHANGES changes by such calls."""
    table, at, looked_at = search.kind.table.name, search.at, 0
    is_wanted = _call_condition(simulated, value)
    for segment, n, entries in newest_first(world, state):
        place = n - segment.first_n
        event = segment.events[place] if 0 <= place < len(segment.events) else None
        if isinstance(event, ClientCall) and is_wanted(event, segment.outcomes.get(n)):
            added = (each.former for each in entries if isinstance(each, Undo) and _adds(each, table))
            yield from (record for record in added if at is None or at(record) == event.at_ms)
            looked_at += len(entries)
            if looked_at > MOST_CHANGES:
                return


def _adds(entry: Undo, table: str) -> bool:
    return entry.part == table and is_addition(entry)


def _call_condition(simulated: Sequence[Interface], value: str) -> Callable[[ClientCall, CallOutcome | None], bool]:
    """Whether a call has a number, or is of an operation."""
    if value.isdecimal():
        seq = int(value)
        return lambda _, outcome: outcome is not None and outcome.entry is not None and outcome.entry.seq == seq
    has_name: Callable[[str | None], bool] = matches(lambda name: (name,), value)
    known: dict[tuple[str, str], bool] = {}

    def is_of_operation(call: ClientCall, _: CallOutcome | None) -> bool:
        key = call.method, call.path.partition("?")[0]
        if key not in known:
            known[key] = has_name(operation_of(simulated, call)[1])
        return known[key]

    return is_of_operation
