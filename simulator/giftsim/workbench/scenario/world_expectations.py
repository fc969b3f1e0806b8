"""What a step can expect of its world, by the members of `expect`: one table, used before and after each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from giftsim.engine.client.matching import (
    ABSENT,
    Mismatch,
    find_mismatches,
    is_operator,
    matches_expected,
    preview_value,
)
from giftsim.workbench.scenario.scenario_error import suggest_known
from giftsim.workbench.scenario.variables import has_expressions, is_offset, parse_time, with_instants
from giftsim.workbench.scenario.world_client import StepFailed, WorldClient
from giftsim.workbench.scenario.yaml_source import Source, YamlPath

Entries: TypeAlias = Sequence[Mapping[str, Any]]


def exact_event_mismatches(expected: Sequence[Any], actual: Entries) -> Iterator[Mismatch]:
    """Where the events are not exactly the expected ones."""
    if len(expected) != len(actual):
        wanted = "[" + ", ".join(_entry_text(item) for item in expected) + "]"
        yield Mismatch("events_exactly", wanted, _entries_text(actual))
        return
    for index, (item, entry) in enumerate(zip(expected, actual, strict=True)):
        yield from find_mismatches(_as_object(item), entry, f"events_exactly[{index}]")


def delivery_mismatches(expected: Any, actual: Entries) -> Iterator[Mismatch]:
    """Where the delivery attempts of an event type, or of each of several, differ from what is expected."""
    for item in expected if isinstance(expected, list) else [expected]:
        attempts = [attempt for attempt in actual if _selects(item, attempt)]
        yield from _attempt_mismatches(item, attempts, f"deliveries of {item['type']}")


def order_mismatches(expected: Sequence[Any], actual: Entries, name: str) -> Iterator[Mismatch]:
    """Where the expected entries are not contained in order; other entries may lie between them."""
    rest = iter(actual)
    for index, item in enumerate(expected):
        wanted = _as_object(item)
        if not any(matches_expected(wanted, entry) for entry in rest):
            after = f" after {_entry_text(expected[index - 1])}" if index else ""
            yield Mismatch(f"{name}[{index}]", f"{_entry_text(item)}{after}", _entries_text(actual))
            return


def _as_object(item: Any) -> Any:
    return {"type": item} if isinstance(item, str) else item


def _entry_text(item: Any) -> str:
    return item if isinstance(item, str) else preview_value(item)


def _entries_text(entries: Entries) -> str:
    """Entries in one line: events by time and type, mail by time, address and kind."""
    texts = [" ".join(str(entry[name]) for name in ("at", "type", "to", "kind") if name in entry) for entry in entries]
    return "[" + ", ".join(texts) + "]"


def _selects(expected: Mapping[str, Any], attempt: Mapping[str, Any]) -> bool:
    same_host = "host" not in expected or urlsplit(attempt["url"]).hostname == expected["host"]
    return same_host and bool(attempt["type"] == expected["type"])


def _attempt_mismatches(expected: Mapping[str, Any], attempts: Entries, path: str) -> Iterator[Mismatch]:
    actual = _outcomes_text(attempts)
    if "count" in expected and len(attempts) != expected["count"]:
        yield Mismatch(f"{path}.count", str(expected["count"]), f"{len(attempts)} {actual}")
    if "outcomes" in expected and not _have_outcomes(expected["outcomes"], attempts):
        yield Mismatch(f"{path}.outcomes", preview_value(expected["outcomes"]), actual)
    if not attempts:
        if expected.keys() & {"first", "last"} or expected.keys().isdisjoint({"count", "outcomes"}):
            yield Mismatch(path, "at least one attempt", "none")
        return
    for name, index in (("first", 0), ("last", -1)):
        if name in expected and not _has_outcome(expected[name], attempts[index]):
            yield Mismatch(f"{path}.{name}", preview_value(expected[name]), actual)


def _have_outcomes(expected: Sequence[Any], attempts: Entries) -> bool:
    return len(expected) == len(attempts) and all(map(_has_outcome, expected, attempts))


def _has_outcome(expected: int | str, attempt: Mapping[str, Any]) -> bool:
    return bool(attempt["outcome" if isinstance(expected, str) else "status"] == expected)


def _outcomes_text(attempts: Entries) -> str:
    outcomes = [attempt["outcome"] if attempt["status"] is None else attempt["status"] for attempt in attempts]
    return "[" + ", ".join(map(str, outcomes)) + "]"


# The names of the keys and teams of the standard fixtures; other fixtures and keys made in a scenario have others.
OWNERS: Final = (
    "partner.prepaid",
    "partner.no_funds",
    "partner.net_terms",
    "partner.no_capability",
    "team",
    "team.northwind",
    "team.other",
)
STANDARD_FIXTURES: Final = ("empty", "bare", "default")
TEAM: Final = "team"
MAX_ROWS_SHOWN: Final = 5


def money_mismatches(expected: Mapping[str, Any], _before: None, world: WorldClient) -> Iterator[Mismatch]:
    """Where the money of accounts (by the name of a key) or teams (`team`, `team.LABEL`) is not as expected."""
    owners: dict[str, Mapping[str, Any]] = {}
    if any(not _is_team(owner) for owner in expected):
        owners |= _accounts(world)
    if any(_is_team(owner) for owner in expected):
        owners |= _teams(world)
    for owner, money in expected.items():
        if owner in owners:
            yield from find_mismatches(money, owners[owner], f"money.{owner}")
        else:
            actual = f"none of this name{suggest_known(owner, sorted(owners))}"
            yield Mismatch(f"money.{owner}", "an account or a team", actual)


def state_mismatches(expected: Mapping[str, Any], _before: None, world: WorldClient) -> Iterator[Mismatch]:
    """Where the lists of the world are not as expected."""
    for name, rows in expected.items():
        yield from _row_mismatches(rows, world.rows(name), f"state.{name}", world.start_ms)


def has_standard_owners(data: Mapping[str, Any]) -> bool:
    """Whether the owners of money in a scenario are known before it runs: a standard fixture and no keys of its own."""
    return data.get("fixture", "empty") in STANDARD_FIXTURES and not _makes_keys(data)


def check_owners(source: Source, path: YamlPath, expected: Mapping[str, Any]) -> None:
    """Raise InvalidScenario for an owner of money that a standard fixture does not have."""
    for owner in expected:
        if owner not in OWNERS:
            message = f'no account or team is called "{owner}"{suggest_known(owner, OWNERS)}'
            raise source.error((*path, owner), message, name=True)


def check_times(source: Source, path: YamlPath, expected: Mapping[str, Any], start_ms: int) -> None:
    """Raise InvalidScenario for an invalid offset in an expected row."""
    for name, rows in expected.items():
        for index, row in enumerate(rows if isinstance(rows, list) else ()):
            for member in _offset_members(row):
                if has_expressions(row[member]):
                    continue  # checked once it is resolved
                with source.checking((*path, name, index, member)):
                    parse_time(row[member], start_ms)


def _is_team(owner: str) -> bool:
    return owner == TEAM or owner.startswith(f"{TEAM}.")


def _makes_keys(value: Any) -> bool:
    """Whether a file creates keys, whose names are not known before it runs."""
    if isinstance(value, str):
        return "/keys" in value
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_makes_keys(member) for member in members)


def _accounts(world: WorldClient) -> dict[str, Mapping[str, Any]]:
    """The account of each key, with what that key has spent today."""
    return {
        key: {**row, "spent_today_cents": row["spent_today_cents"][key]}
        for row in world.rows("accounts")
        for key in row["keys"]
    }


def _teams(world: WorldClient) -> dict[str, Mapping[str, Any]]:
    rows = world.rows("teams")
    return {**({TEAM: rows[0]} if rows else {}), **{f"{TEAM}.{row['label']}": row for row in rows}}


def _row_mismatches(expected: Any, actual: Entries, path: str, start_ms: int) -> Iterator[Mismatch]:
    """Rows contained in order, or operators for the whole list."""
    if is_operator(expected):
        yield from find_mismatches(expected, list(actual), path)
        return
    rest = list(actual)
    for index, item in enumerate(expected):
        try:
            wanted = with_instants(item, tuple(_offset_members(item)), start_ms)
        except ValueError as error:
            raise StepFailed(str(error)) from None
        differences = [list(find_mismatches(wanted, row, f"{path}[{index}]")) for row in rest]
        match = next((place for place, difference in enumerate(differences) if not difference), None)
        if match is None:
            yield from _nearest_row(wanted, rest, differences, f"{path}[{index}]")
            return
        del rest[: match + 1]


def _nearest_row(
    wanted: Any, rows: Entries, differences: Sequence[Sequence[Mismatch]], path: str
) -> Iterator[Mismatch]:
    """A message that no row matches, with the differences of the nearest one."""
    if not rows:
        yield Mismatch(path, preview_value(wanted), "no further row")
        return
    nearest = min(range(len(rows)), key=lambda place: len(differences[place]))
    if len(rows) > 1:
        yield Mismatch(path, preview_value(wanted), f"none of {len(rows)} rows: {_rows_text(wanted, rows)}")
    yield from differences[nearest]


def _rows_text(wanted: Any, rows: Entries) -> str:
    """The expected members of the first rows."""
    names = list(wanted) if isinstance(wanted, Mapping) else []
    texts = [preview_value({name: row[name] for name in names if row.get(name, ABSENT) is not ABSENT}) for row in rows]
    return ", ".join(texts[:MAX_ROWS_SHOWN]) + (" ..." if len(texts) > MAX_ROWS_SHOWN else "")


def _offset_members(row: Any) -> Iterator[str]:
    """The members of a row that hold an offset in place of an instant."""
    if isinstance(row, Mapping):
        for name, value in row.items():
            if (name == "at" or name.endswith("_at")) and isinstance(value, str) and is_offset(value):
                yield name


class Expectation(NamedTuple):
    """How one member of `expect` is checked.

    `before` runs before the step. It gets the world and the `since_start` of the step.
    `mismatches` runs after the step. It gets the expected value, the result of `before`, and the world.
    """

    before: Callable[[WorldClient, bool], Any]
    mismatches: Callable[[Any, Any, WorldClient], Iterator[Mismatch]]


def list_expectation(name: str, compare: Callable[[Any, Entries], Iterator[Mismatch]]) -> Expectation:
    """The expectation of a list of the test-control API; `at` of an expected entry may be an offset.

    `compare` gets the expected entries, and those that the list has gained since the step began.
    """

    def before(world: WorldClient, since_start: bool) -> int:
        activity = world.lists[name]
        activity.read()
        return 0 if since_start else len(activity.items)

    def mismatches(expected: Any, first: int, world: WorldClient) -> Iterator[Mismatch]:
        activity = world.lists[name]
        activity.read()
        return compare(_with_instants(expected, world.start_ms), activity.items[first:])

    return Expectation(before, mismatches)


def _with_instants(expected: Any, start_ms: int) -> Any:
    if not isinstance(expected, list):
        return expected
    return [with_instants(item, ("at",), start_ms) for item in expected]


def _nothing_before(_world: WorldClient, _since_start: bool) -> None:
    """For expectations of the state after the step."""


def _fingerprint_mismatches(expected: str, _before: None, world: WorldClient) -> Iterator[Mismatch]:
    actual = world.fingerprint()
    if actual != expected:
        yield Mismatch("fingerprint", expected, actual)


EXPECTATIONS: Mapping[str, Expectation] = {
    "events": list_expectation("events", partial(order_mismatches, name="events")),
    "events_exactly": list_expectation("events", exact_event_mismatches),
    "deliveries": list_expectation("deliveries", delivery_mismatches),
    "mail": list_expectation("mail", partial(order_mismatches, name="mail")),
    "money": Expectation(_nothing_before, money_mismatches),
    "state": Expectation(_nothing_before, state_mismatches),
    "fingerprint": Expectation(_nothing_before, _fingerprint_mismatches),
}
