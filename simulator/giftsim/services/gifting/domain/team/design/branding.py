"""Branding: the logo, color and sender name that recipients see (A7.19, T-4.192, T-4.194)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.team.design.artwork import require_artwork
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.tenant import Tenant

LOGO = "logo_artwork_id"


class Branding(Record, frozen=True, gc=False):
    """The branding of a tenant; `logo` is the slot of its artwork, `primary_color` is `#RRGGBB`."""

    owner: str
    logo: int | None = None
    primary_color: str | None = None
    sender_name: str | None = None


BRANDINGS: TableSpec[Branding] = TableSpec("team.branding", Branding, unique={"owner": "owner"})


def branding_of(state: State, tenant: Tenant) -> Branding:
    """The branding of a tenant, empty until it is set."""
    return state[BRANDINGS].find("owner", tenant.owner) or Branding(state[BRANDINGS].next_n, tenant.owner)


def update_branding(state: State, tenant: Tenant, body: Mapping[str, Any]) -> Branding:
    """Change the members that a body gives. ValidationFailed for unknown artwork."""
    columns = {name: body[name] for name in ("primary_color", "sender_name") if name in body}
    if LOGO in body:
        value = body[LOGO]
        columns["logo"] = None if value is None else require_artwork(state, tenant, value, LOGO).n
    table, branding = state[BRANDINGS], msgspec.structs.replace(branding_of(state, tenant), **columns)
    return table.add(branding) if table.at(branding.n) is None else table.put(branding)


def branding_sender_name(state: State, tenant: Tenant) -> str:
    """The sender name of the branding, else the team's name (handles SENDER)."""
    return branding_of(state, tenant).sender_name or state[TEAMS].get(tenant.team).name
