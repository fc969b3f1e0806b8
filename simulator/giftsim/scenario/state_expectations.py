"""Expectations over money and the final state: what the control plane's views show, and where it differs, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from giftsim.scenario.expectation import Entries
from giftsim.scenario.matching import ABSENT, Mismatch, is_operator, mismatches, shown
from giftsim.scenario.scenario_error import meant
from giftsim.scenario.time_values import anchored, is_offset, moment
from giftsim.scenario.variables import holes
from giftsim.scenario.world_client import Refused, Sandbox
from giftsim.scenario.yaml_source import Source, Trail

# Whose money the keys and teams of the standard fixtures are; other fixtures and made keys have other names.
OWNERS: Final = (
    "partner.prepaid", "partner.no_funds", "partner.net_terms", "partner.no_capability", "team", "team.northwind",
    "team.other",
)  # fmt: skip
STANDARD: Final = ("empty", "bare", "default")
TEAM: Final = "team"
MOST_SHOWN: Final = 5


def money(expected: Mapping[str, Any], _mark: None, sandbox: Sandbox) -> Iterator[Mismatch]:
    """Where the money of an account (by a key's name) or of a team (`team`, `team.LABEL`) is not as expected."""
    purses: dict[str, Mapping[str, Any]] = {}
    if any(not _is_team(owner) for owner in expected):
        purses |= _accounts(sandbox)
    if any(_is_team(owner) for owner in expected):
        purses |= _teams(sandbox)
    for owner, wanted in expected.items():
        if owner in purses:
            yield from mismatches(wanted, purses[owner], f"money.{owner}")
        else:
            yield Mismatch(f"money.{owner}", "somebody's money", f"nobody of that name{meant(owner, sorted(purses))}")


def state(expected: Mapping[str, Any], _mark: None, sandbox: Sandbox) -> Iterator[Mismatch]:
    """Where the lists of the world are not as expected."""
    for name, wanted in expected.items():
        yield from _rows(wanted, listed(sandbox, name), f"state.{name}", sandbox.start_ms)


def listed(sandbox: Sandbox, name: str) -> Entries:
    """A whole list of the control plane, page by page."""
    rows: list[Mapping[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = sandbox.control("GET", f"/{name}?limit=1000&after={after}")
        rows += page[name]
        after = page["next"]
    return rows


def check_owners(source: Source, trail: Trail, expected: Mapping[str, Any]) -> None:
    """InvalidScenario for a name that no account or team of a standard fixture has, where there can be no other."""
    if source.data.get("fixture", "empty") not in STANDARD or "scenario" not in source.data or _makes_keys(source.data):
        return
    for owner in expected:
        if owner not in OWNERS:
            raise source.refuse(
                (*trail, owner), f'nobody\'s money is called "{owner}"{meant(owner, OWNERS)}', name=True
            )


def check_times(source: Source, trail: Trail, expected: Mapping[str, Any], start_ms: int) -> None:
    """InvalidScenario for an offset that cannot be taken, where a row is to show an instant."""
    for name, wanted in expected.items():
        for index, item in enumerate(wanted if isinstance(wanted, list) else ()):
            for member in _times(item):
                if any(holes(item[member])):
                    continue  # judged once it is filled
                try:
                    moment(item[member], start_ms)
                except ValueError as error:
                    raise source.refuse((*trail, name, index, member), str(error)) from None


def _is_team(owner: str) -> bool:
    return owner == TEAM or owner.startswith(f"{TEAM}.")


def _makes_keys(value: Any) -> bool:
    """Whether a file makes keys of its own, whose names nobody knows before it runs."""
    if isinstance(value, str):
        return "/keys" in value
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_makes_keys(member) for member in members)


def _accounts(sandbox: Sandbox) -> dict[str, Mapping[str, Any]]:
    """What each key can spend; what it has spent today is its own."""
    return {
        key: {**row, "spent_today_cents": row["spent_today_cents"][key]}
        for row in listed(sandbox, "accounts")
        for key in row["keys"]
    }


def _teams(sandbox: Sandbox) -> dict[str, Mapping[str, Any]]:
    rows = listed(sandbox, "teams")
    return {**({TEAM: rows[0]} if rows else {}), **{f"{TEAM}.{row['label']}": row for row in rows}}


def _rows(expected: Any, actual: Entries, path: str, start_ms: int) -> Iterator[Mismatch]:
    """Rows contained in their order, or what operators ask of the whole list."""
    if is_operator(expected):
        yield from mismatches(expected, list(actual), path)
        return
    rest = list(actual)
    for index, item in enumerate(expected):
        try:
            wanted = anchored(item, tuple(_times(item)), start_ms)
        except ValueError as error:
            raise Refused(str(error)) from None
        found = [list(mismatches(wanted, row, f"{path}[{index}]")) for row in rest]
        place = next((place for place, faults in enumerate(found) if not faults), None)
        if place is None:
            yield from _nearest(wanted, rest, found, f"{path}[{index}]")
            return
        del rest[: place + 1]


def _nearest(wanted: Any, rows: Entries, found: Sequence[Sequence[Mismatch]], path: str) -> Iterator[Mismatch]:
    """No row is as expected: the first of those that differ least, and where it differs."""
    if not rows:
        yield Mismatch(path, shown(wanted), "no further row")
        return
    nearest = min(range(len(rows)), key=lambda place: len(found[place]))
    if len(rows) > 1:
        yield Mismatch(path, shown(wanted), f"none of {len(rows)} rows: {_brief(wanted, rows)}")
    yield from found[nearest]


def _brief(wanted: Any, rows: Entries) -> str:
    """The members that were asked for, of the first rows."""
    names = list(wanted) if isinstance(wanted, Mapping) else []
    said = [shown({name: row[name] for name in names if row.get(name, ABSENT) is not ABSENT}) for row in rows]
    return ", ".join(said[:MOST_SHOWN]) + (" ..." if len(said) > MOST_SHOWN else "")


def _times(item: Any) -> Iterator[str]:
    """The members of a row that hold an offset in place of an instant."""
    if isinstance(item, Mapping):
        for name, value in item.items():
            if (name == "at" or name.endswith("_at")) and isinstance(value, str) and is_offset(value):
                yield name
