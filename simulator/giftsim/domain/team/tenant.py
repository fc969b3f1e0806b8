"""Whose a record is: a team's, or that of one test key's sandbox inside it (A4.7, 0.7, T-1.2, T-1.16)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from giftsim.domain.access.api_key import LIVE, ApiKey
from giftsim.domain.team.problem import NotFound, invalid
from giftsim.domain.team.settings import NAMESPACE
from giftsim.kernel.seeded_uuid import uuid_of
from giftsim.kernel.state import State
from giftsim.kernel.table import KeyOf, Record, TableSpec

_WHOLE = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)

Id = int | str


class Tenant(msgspec.Struct, frozen=True, gc=False):
    """A place of records: `owner` is `team 3` for all that is live in team slot 3, `test 12` for the sandbox of the
    test key in slot 12. `team` is the slot either way.
    """

    owner: str
    team: int
    livemode: bool


class TenantRecord(Record, frozen=True, gc=False):
    """What every record of a tenant begins with: its owner, its public id and when it was made."""

    owner: str
    id: Id
    created_ms: int


R = TypeVar("R", bound=TenantRecord)


def live_tenant(team: int) -> Tenant:
    """The tenant of a team's live records."""
    return Tenant(f"team {team}", team, True)


def tenant_of_key(state: State, key: ApiKey) -> Tenant:
    """Where a team key works (A4.7)."""
    team = key.team or 0
    if key.mode == LIVE:
        return live_tenant(team)
    return Tenant(f"test {key.n}" if state.setting(NAMESPACE) == "key" else f"test of team {team}", team, False)


def tenant_table(
    name: str, record: type[R], *, unique: Mapping[str, KeyOf] | None = None,
    rekeyed: Mapping[str, KeyOf] | None = None, groups: Mapping[str, KeyOf] | None = None,
    moving: Mapping[str, KeyOf] | None = None,
) -> TableSpec[R]:  # fmt: skip
    """The table of a tenant's records: with the unique index `id` and the group `owner`, beside those given."""
    return TableSpec(
        name, record, unique={"id": _place, **(unique or {})}, rekeyed=rekeyed,
        groups={"owner": lambda row: row.owner, **(groups or {})}, moving=moving,
    )  # fmt: skip


def public_id(state: State, tenant: Tenant, name: str, n: int, base: int) -> Id:
    """The id of a new record in slot `n`: `base + n` in a live tenant, a UUID of the world's in a sandbox (0.7).

    Each noun has a base of its own, so that the ranges of nouns that could be mixed up are disjoint (A7.2).
    """
    return base + n if tenant.livemode else uuid_of(state.seed, f"id {name}", n)


def find_record(state: State, spec: TableSpec[R], tenant: Tenant, raw: object) -> R:
    """The record that an id of a path or a body names in this tenant; NotFound, also for an id of the other mode."""
    value = _id(tenant, raw)
    found = None if value is None else state[spec].find("id", f"{tenant.owner} {value}")
    if found is None:
        raise NotFound("nothing of this kind has this id in the key's team and mode")
    return found


def parse_id(tenant: Tenant, value: object, field: str) -> Id:
    """An id as a body gives it, in the type of the mode; ValidationFailed names the field otherwise (0.7)."""
    fits = isinstance(value, int if tenant.livemode else str) and not isinstance(value, bool)
    read = _id(tenant, value) if fits else None
    if read is None:
        raise invalid(field, f"must be {'an integer' if tenant.livemode else 'a UUID'}, an id of the key's mode")
    return read


def _place(row: TenantRecord) -> str:
    return f"{row.owner} {row.id}"


def _id(tenant: Tenant, raw: object) -> Id | None:
    text = str(raw)
    if tenant.livemode:
        return int(text) if _WHOLE.fullmatch(text) else None
    return text.lower() if _UUID.fullmatch(text) else None
