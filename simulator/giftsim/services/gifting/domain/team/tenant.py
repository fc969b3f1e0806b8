"""Tenants, the owners of records: a team, or the sandbox of a test key in it (A4.7, 0.7, T-1.2, T-1.16)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from giftsim.engine.kernel.seeded_uuid import uuid_of
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Indexes, Record, TableSpec
from giftsim.services.gifting.domain.api_key import API_KEYS, LIVE, TEST, ApiKey
from giftsim.services.gifting.domain.team.team import NAMESPACE, TEAMS
from giftsim.services.gifting.domain.team.team_errors import NotFound, validation_error

_WHOLE = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)

Id = int | str


class Tenant(msgspec.Struct, frozen=True, gc=False):
    """An owner of records: `owner` is `team 3` for the live records of the team in slot 3, `test 12` for the sandbox of
    the test key in slot 12. `team` is a slot.
    """

    owner: str
    team: int
    livemode: bool


class TenantRecord(Record, frozen=True, gc=False):
    """The first columns of every record of a tenant: its owner, its public id and when it was created."""

    owner: str
    id: Id
    created_ms: int


R = TypeVar("R", bound=TenantRecord)


def live_tenant(team: int) -> Tenant:
    """The tenant of a team's live records."""
    return Tenant(f"team {team}", team, True)


def tenant_of_key(state: State, key: ApiKey) -> Tenant:
    """The tenant of a team key (A4.7)."""
    team = key.team or 0
    if key.mode == LIVE:
        return live_tenant(team)
    return Tenant(f"test {key.n}" if state.setting(NAMESPACE) == "key" else f"test of team {team}", team, False)


def tenant_of_owner(state: State, owner: str) -> Tenant:
    """The tenant of an `owner` such as `team 3`, `test 12` or `test of team 3`."""
    kind, _, slot = owner.rpartition(" ")
    if kind == "team":
        return live_tenant(int(slot))
    team = int(slot) if kind == "test of team" else state[API_KEYS].get(int(slot)).team or 0
    return Tenant(owner, team, False)


def all_owners(state: State) -> Iterator[str]:
    """The owners of the records of all teams and their sandboxes."""
    for team in state[TEAMS]:
        yield f"team {team.n}"
        yield f"test of team {team.n}"
    yield from (f"test {key.n}" for key in state[API_KEYS] if key.mode == TEST)


def is_live(record: TenantRecord) -> bool:
    """Whether a record is live, not of a sandbox."""
    return record.owner.startswith("team ")


def tenant_table(
    name: str,
    record: type[R],
    *,
    unique: Indexes | None = None,
    rekeyed: Indexes | None = None,
    groups: Indexes | None = None,
    moving: Indexes | None = None,
) -> TableSpec[R]:
    """A table of tenants' records, with the unique index `id` and the group `owner` in addition to those given."""
    return TableSpec(
        name,
        record,
        unique={"id": _owner_and_id, **(unique or {})},
        rekeyed=rekeyed,
        groups={"owner": "owner", **(groups or {})},
        moving=moving,
    )


def public_id(state: State, tenant: Tenant, name: str, n: int, base: int) -> Id:
    """The public id of a new record in slot `n`: `base + n` in a live tenant, a UUID of the world in a sandbox (0.7).

    Each type of record has its own base, so that ids of types that could be mixed up do not overlap (A7.2).
    """
    return base + n if tenant.livemode else uuid_of(state.seed, f"id {name}", n)


def find_record(state: State, spec: TableSpec[R], tenant: Tenant, raw: object) -> R:
    """The record of a tenant with a public id from a path or a body. NotFound also for an id of the other mode."""
    record_id = _id(tenant, raw)
    record = None if record_id is None else state[spec].find("id", f"{tenant.owner} {record_id}")
    if record is None:
        raise NotFound("the key's team and mode have no record of this type with this id")
    return record


def parse_id(tenant: Tenant, record_id: object, field: str) -> Id:
    """An id in a body, in the type of the tenant's mode. ValidationFailed names the field otherwise (0.7)."""
    valid = isinstance(record_id, int if tenant.livemode else str) and not isinstance(record_id, bool)
    record_id = _id(tenant, record_id) if valid else None
    if record_id is None:
        raise validation_error(
            field, f"must be {'an integer' if tenant.livemode else 'a UUID'}, an id of the key's mode"
        )
    return record_id


def _owner_and_id(row: TenantRecord) -> str:
    return f"{row.owner} {row.id}"


def _id(tenant: Tenant, raw: object) -> Id | None:
    text = str(raw)
    if tenant.livemode:
        return int(text) if _WHOLE.fullmatch(text) else None
    return text.lower() if _UUID.fullmatch(text) else None
