"""The sections `people:` and `crm:` of a fixture: the rosters of teams, and the contacts of their CRMs."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from giftsim.engine.kernel.email_address import is_email
from giftsim.engine.kernel.instants import local_date, parse_date, parse_duration
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidFixture
from giftsim.services.gifting.domain.team.people.crm_contact import connect_provider, put_contact
from giftsim.services.gifting.domain.team.people.person import EMAIL, FIELDS, upsert_managed_person, upsert_people
from giftsim.services.gifting.domain.team.people.upcoming_dates import ZONE
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.tenant import live_tenant

R = TypeVar("R")
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Provider = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_]{1,64}$")]
MonthDay = Annotated[str, msgspec.Meta(pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
Field = Literal[
    "work_email",
    "first_name",
    "last_name",
    "start_date",
    "birthday",
    "department",
    "location",
    "country",
    "zip",
    "status",
]


class PersonEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A roster entry. `started`, such as `1204d`, gives the `start_date` as a duration before the start of the world.

    A `provider` manages the fields in `managed`, or else all fields of the row but the email.
    """

    work_email: str
    first_name: Text | None = None
    last_name: Text | None = None
    start_date: Text | None = None
    started: str | None = None
    birthday: MonthDay | None = None
    department: Text | None = None
    location: Text | None = None
    country: Annotated[str, msgspec.Meta(pattern="^[A-Z]{2}$")] | None = None
    zip: Text | None = None
    status: Text | None = None
    provider: Provider | None = None
    managed: tuple[Field, ...] | None = None

    def __post_init__(self) -> None:
        if not is_email(self.work_email):
            raise ValueError("`work_email` must be an email address")


class ContactEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A contact; neither `id` nor `object_type` contains a blank."""

    id: Annotated[str, msgspec.Meta(pattern=r"^\S{1,64}$")]
    name: Text
    email: str
    object_type: Annotated[str, msgspec.Meta(pattern="^[a-z_]{1,32}$")] = "contact"
    company: Text | None = None
    title: Text | None = None

    def __post_init__(self) -> None:
        if not is_email(self.email):
            raise ValueError("`email` must be an email address")


class RosterEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """People of a team, by its label: `rows`, and `csv` with the column names in the first line.

    An empty cell is left out; `managed` is a list separated by blanks.
    """

    team: str
    rows: tuple[PersonEntry, ...] = ()
    csv: str = ""


class CrmEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A provider that a team has connected, with its contacts as rows or CSV, as in a roster."""

    team: str
    provider: Provider
    rows: tuple[ContactEntry, ...] = ()
    csv: str = ""


def seed_people(state: State, data: Mapping[str, Any]) -> None:
    """Add a fixture's people and contacts to a state that has its teams. InvalidFixture says what is wrong."""
    with state.transaction():
        for crm in _read(data, "crm", CrmEntry):
            team = _team(state, "crm", crm.team)
            connect_provider(state, team, crm.provider)
            for contact in _rows("crm", crm.rows, crm.csv, ContactEntry):
                put_contact(state, team, crm.provider, msgspec.structs.asdict(contact))
        for roster in _read(data, "people", RosterEntry):
            team = _team(state, "people", roster.team)
            for person in _rows("people", roster.rows, roster.csv, PersonEntry):
                _enroll(state, team, person)


def _enroll(state: State, team: int, entry: PersonEntry) -> None:
    try:
        day = entry.start_date and parse_date(entry.start_date).isoformat()
        if entry.started is not None:
            day = local_date(state.now_ms - parse_duration(entry.started), ZONE)
    except ValueError as error:
        raise InvalidFixture(f"the fixture's people: {error}") from None
    members = {name: getattr(entry, name) for name in (EMAIL, *FIELDS)} | {"start_date": day}
    if entry.provider is None:
        upsert_people(state, live_tenant(team), [members])
        return
    connect_provider(state, team, entry.provider)
    managed = [name for name in FIELDS if members[name] is not None] if entry.managed is None else entry.managed
    upsert_managed_person(state, live_tenant(team), entry.provider, members, managed)


def _read(data: Mapping[str, Any], section: str, kind: type[R]) -> tuple[R, ...]:
    try:
        return msgspec.convert(data.get(section, ()), tuple[kind, ...])  # type: ignore[valid-type]
    except msgspec.ValidationError as error:
        raise InvalidFixture(f"the fixture's {section}: {error}") from None


def _rows(section: str, rows: tuple[R, ...], table: str, kind: type[R]) -> Iterator[R]:
    yield from rows
    for line, cells in enumerate(csv.DictReader(table.splitlines()), start=2):
        members: dict[str, Any] = {name: cell for name, cell in cells.items() if cell}
        if "managed" in members:
            members["managed"] = members["managed"].split()
        try:
            yield msgspec.convert(members, kind)
        except (msgspec.ValidationError, TypeError) as error:
            raise InvalidFixture(f"the fixture's {section}: line {line} of a csv: {error}") from None


def _team(state: State, section: str, label: str) -> int:
    team = state[TEAMS].find("label", label)
    if team is None:
        raise InvalidFixture(f"the fixture's {section}: there is no team {label}")
    return team.n
