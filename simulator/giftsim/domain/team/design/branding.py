"""Branding: what recipients see of a team (A7.19, T-4.192, T-4.194)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.domain.team.design.artwork import require_artwork
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

LOGO = "logo_artwork_id"


class Branding(Record, frozen=True, gc=False):
    """The branding of a tenant; `logo` is the slot of its artwork, `primary_color` written #RRGGBB."""

    owner: str
    logo: int | None = None
    primary_color: str | None = None
    sender_name: str | None = None


BRANDINGS: TableSpec[Branding] = TableSpec("team.branding", Branding, unique={"owner": lambda row: row.owner})


def branding_of(state: State, tenant: Tenant) -> Branding:
    """The branding of a tenant as it is now: nothing at all until it is set."""
    return state[BRANDINGS].find("owner", tenant.owner) or Branding(state[BRANDINGS].next_n, tenant.owner)


def update_branding(state: State, tenant: Tenant, body: Mapping[str, Any]) -> Branding:
    """The branding with what the body names; ValidationFailed for artwork that there is not."""
    columns = {name: body[name] for name in ("primary_color", "sender_name") if name in body}
    if LOGO in body:
        given = body[LOGO]
        columns["logo"] = None if given is None else require_artwork(state, tenant, given, LOGO).n
    table, new = state[BRANDINGS], msgspec.structs.replace(branding_of(state, tenant), **columns)
    return table.add(new) if table.at(new.n) is None else table.put(new)


def branding_sender_name(state: State, tenant: Tenant) -> str:
    """Who gifts come from: the name that recipients see, else the team's (handles SENDER)."""
    return branding_of(state, tenant).sender_name or state[TEAMS].get(tenant.team).name
