"""People: a team's roster, matched by work email; fields that a provider manages are kept (A7.7 to A7.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.email_address import email_key, trim_email
from giftsim.engine.kernel.index import Derived
from giftsim.engine.kernel.setting import Setting, choice, flag, number
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import TableSpec
from giftsim.services.gifting.domain.team.team_errors import FieldError, NotFound, ValidationFailed, validation_error
from giftsim.services.gifting.domain.team.tenant import (
    Tenant,
    TenantRecord,
    find_record,
    parse_id,
    public_id,
    tenant_table,
)


def contains(q: str, *texts: str | None) -> bool:
    """Whether any of the texts contains `q`; an empty `q` matches everything."""
    sought = q.casefold()
    return not sought or any(text is not None and sought in text.casefold() for text in texts)


FIRST_ID = 60_001
MAX_ROWS = 500
EMAIL = "work_email"
MANAGED_MESSAGE = "is managed by a connected provider"
FIELDS = (
    "first_name",
    "last_name",
    "start_date",
    "birthday",
    "department",
    "location",
    "country",
    "zip",
    "status",
)

ROWS = number("people.max_rows", MAX_ROWS, "how many people one upsert may name", least=1, most=MAX_ROWS)
MANAGED_FIELDS = choice(
    "people.managed_fields",
    ("keep", "refuse"),
    "whether a write to a field that a provider manages keeps the provider's value or is refused",
)
NULL_CLEARS = flag(
    "people.null_clears", False, "whether null in POST /people clears the field of a person on the roster (G360)"
)
SAME_EMAIL = choice(
    "people.same_email_twice",
    ("last_wins", "refuse"),
    "whether the later of two rows of an upsert with the same email wins, or the upsert is refused",
)
AFTER_LEAVING = flag(
    "people.occasions_after_leaving", False, "whether people whose status says that they have left have occasions"
)
SETTINGS: tuple[Setting[Any], ...] = (ROWS, MANAGED_FIELDS, SAME_EMAIL, AFTER_LEAVING, NULL_CLEARS)

# What a `status` says of a person who has left, in any case (G372).
LEFT = frozenset(
    ("left", "former", "inactive", "deactivated", "terminated", "dismissed", "resigned", "departed", "offboarded")
)


class Person(TenantRecord, frozen=True, gc=False):
    """A roster entry, identified by its email; only `provider` changes the fields in `managed`.

    `start_date` is `YYYY-MM-DD`, `birthday` is `MM-DD`, `country` is two capital letters.
    """

    updated_ms: int
    work_email: str
    first_name: str | None = None
    last_name: str | None = None
    start_date: str | None = None
    birthday: str | None = None
    department: str | None = None
    location: str | None = None
    country: str | None = None
    zip: str | None = None
    status: str | None = None
    provider: str | None = None
    managed: tuple[str, ...] = ()

    @property
    def display_name(self) -> str:
        """First and last name; without both, a text that does not reveal the email (T-2.8)."""
        names = [part.strip() for part in (self.first_name, self.last_name) if part and part.strip()]
        return " ".join(names) or f"Person {self.id}"


class UpsertResult(msgspec.Struct, frozen=True, gc=False):
    """The result of one row: the person as it is now, whether it is new, and the managed fields that were ignored."""

    person: Person
    created: bool
    ignored: tuple[str, ...]


def _start_day(person: Person) -> str | None:
    return None if person.start_date is None else f"{person.owner} {person.start_date[5:]}"


PEOPLE: TableSpec[Person] = tenant_table(
    "team.person",
    Person,
    rekeyed={"email": Derived(("owner", "work_email"), lambda row: _email_key(row.owner, row.work_email))},
    moving={"birthday": ("owner", "birthday"), "start_day": Derived(("owner", "start_date"), _start_day)},
)


def find_person(state: State, tenant: Tenant, raw: object) -> Person:
    """The person with a public id from a path. NotFound if there is none."""
    return find_record(state, PEOPLE, tenant, raw)


def require_person(state: State, tenant: Tenant, value: object, field: str) -> Person:
    """The person with an id from a body. ValidationFailed names the field if nobody on the roster has it."""
    try:
        return find_person(state, tenant, parse_id(tenant, value, field))
    except NotFound:
        raise validation_error(field, "must be the id of a person on the roster") from None


def roster_slots(state: State, tenant: Tenant) -> Sequence[int]:
    """The slots of a tenant's people, in order of creation."""
    return state[PEOPLE].slots_in("owner", tenant.owner)


def born_on(state: State, tenant: Tenant, days: Sequence[str]) -> list[Person]:
    """The people whose birthday is one of some `MM-DD`, in order of creation. Takes no time for all others."""
    return _on_days(state, tenant, "birthday", days)


def started_on(state: State, tenant: Tenant, days: Sequence[str]) -> list[Person]:
    """The people who started on one of some `MM-DD` in any year, in order of creation."""
    return _on_days(state, tenant, "start_day", days)


def _on_days(state: State, tenant: Tenant, group: str, days: Sequence[str]) -> list[Person]:
    people = state[PEOPLE]
    return [people.get(n) for n in sorted([n for day in days for n in people.slots_in(group, f"{tenant.owner} {day}")])]


def has_occasions(state: State, person: Person) -> bool:
    """Whether a person's dates count: not if the status says that the person has left (G372)."""
    return (person.status or "").strip().casefold() not in LEFT or state.setting(AFTER_LEAVING)


def matches(person: Person, q: str) -> bool:
    """Whether a search for `q` finds a person: by names and department, never by email (A7.9)."""
    return contains(q, person.display_name, person.first_name, person.last_name, person.department)


def rows_to_upsert(state: State, rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The rows of an upsert as they count: null is absent, unless the setting lets it clear a field (G188, G360)."""
    if state.setting(NULL_CLEARS):
        return rows
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


def upsert_people(state: State, tenant: Tenant, rows: Sequence[Mapping[str, Any]]) -> list[UpsertResult]:
    """Upsert rows of `work_email` and other fields, in order: a known email updates its person, another adds a person.

    Emails are compared without case and surrounding blanks. Fields that are left out stay, null clears a field. Of two
    rows with the same email the later wins; both results show the person after the call. ValidationFailed, with no row
    written, for an error in any row (A7.8).
    """
    if len(rows) > state.setting(ROWS):
        raise validation_error("people", f"must be an array of 1 to {state.setting(ROWS)} people")
    _check_emails(state, rows)
    _check_managed_fields(state, tenant, rows)
    results = [_upsert_row(state, tenant, row) for row in rows]
    return [msgspec.structs.replace(result, person=state[PEOPLE].get(result.person.n)) for result in results]


def update_person(state: State, tenant: Tenant, person: Person, members: Mapping[str, Any]) -> UpsertResult:
    """Change some fields of a person. ValidationFailed for the email of another person on the roster."""
    ignored = _managed_names(person, members)
    if ignored and state.setting(MANAGED_FIELDS) == "refuse":
        raise ValidationFailed([FieldError(name, MANAGED_MESSAGE) for name in ignored])
    kept = {name: value for name, value in members.items() if name not in ignored}
    if EMAIL in kept:
        other = state[PEOPLE].find("email", _email_key(tenant.owner, kept[EMAIL]))
        if other is not None and other.n != person.n:
            raise validation_error(EMAIL, "is the email of another person on the roster")
    return UpsertResult(_update(state, person, kept), False, ignored)


def remove_person(state: State, person: Person) -> None:
    """Remove a person from the roster; what was sent to them stays."""
    state[PEOPLE].drop(person.n)


def find_by_email(state: State, tenant: Tenant, email: str) -> Person | None:
    """The person on the roster with an email, in any spelling."""
    return state[PEOPLE].find("email", _email_key(tenant.owner, email))


def upsert_managed_person(
    state: State, tenant: Tenant, provider: str, members: Mapping[str, Any], managed: Sequence[str] = FIELDS
) -> Person:
    """Upsert a person on behalf of a connected provider, which manages the fields in `managed` from now on."""
    person = find_by_email(state, tenant, members[EMAIL]) or _add(state, tenant, members)
    person = state[PEOPLE].put(msgspec.structs.replace(person, provider=provider, managed=tuple(managed)))
    return _update(state, person, members)


def change_email(state: State, person: Person, email: str) -> Person:
    """Give a person another email, whoever manages it. The email must be that of nobody else on the roster."""
    return _update(state, person, {EMAIL: email})


def _check_emails(state: State, rows: Sequence[Mapping[str, Any]]) -> None:
    """ValidationFailed for rows with the email of an earlier row, if the setting `people.same_email_twice` says so."""
    if state.setting(SAME_EMAIL) == "last_wins":
        return
    first: dict[str, int] = {}
    errors = [
        FieldError(EMAIL, f"is the email of row {first[key]} too", index)
        for index, row in enumerate(rows)
        if first.setdefault(key := email_key(row[EMAIL]), index) != index
    ]
    if errors:
        raise ValidationFailed(errors)


def _check_managed_fields(state: State, tenant: Tenant, rows: Sequence[Mapping[str, Any]]) -> None:
    """ValidationFailed for rows with managed fields, if the setting `people.managed_fields` refuses them."""
    if state.setting(MANAGED_FIELDS) == "keep":
        return
    errors = [each for index, row in enumerate(rows) for each in _managed_field_errors(state, tenant, row, index)]
    if errors:
        raise ValidationFailed(errors)


def _managed_field_errors(state: State, tenant: Tenant, row: Mapping[str, Any], index: int) -> Iterator[FieldError]:
    person = state[PEOPLE].find("email", _email_key(tenant.owner, row[EMAIL]))
    if person is not None:
        yield from (FieldError(name, MANAGED_MESSAGE, index) for name in _managed_names(person, row) if name != EMAIL)


def _upsert_row(state: State, tenant: Tenant, row: Mapping[str, Any]) -> UpsertResult:
    person = state[PEOPLE].find("email", _email_key(tenant.owner, row[EMAIL]))
    if person is None:
        return UpsertResult(_add(state, tenant, row), True, ())
    managed = _managed_names(person, row)
    ignored = tuple(name for name in managed if name != EMAIL)
    kept = {name: value for name, value in row.items() if name not in managed}
    return UpsertResult(_update(state, person, kept), False, ignored)


def _add(state: State, tenant: Tenant, members: Mapping[str, Any]) -> Person:
    n, now_ms = state[PEOPLE].next_n, state.now_ms
    person_id = public_id(state, tenant, "person", n, FIRST_ID)
    return state[PEOPLE].add(Person(n, tenant.owner, person_id, now_ms, now_ms, **_columns(members)))


def _update(state: State, person: Person, members: Mapping[str, Any]) -> Person:
    """Update a person by the members of a body; without any difference, `updated_ms` stays too."""
    changed = msgspec.structs.replace(person, **_columns(members))
    if changed == person:
        return person
    return state[PEOPLE].put(msgspec.structs.replace(changed, updated_ms=state.now_ms))


def _columns(members: Mapping[str, Any]) -> dict[str, Any]:
    columns = {name: members[name] for name in FIELDS if name in members}
    if EMAIL in members:
        columns[EMAIL] = trim_email(members[EMAIL])
    return columns


def _managed_names(person: Person, members: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(name for name in (EMAIL, *FIELDS) if name in members and name in person.managed)


def _email_key(owner: str, email: str) -> str:
    return f"{owner} {email_key(email)}"
