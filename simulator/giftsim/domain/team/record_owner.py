"""Read the tenant of a record from its column `owner`."""

from __future__ import annotations

from giftsim.domain.access.api_key import API_KEYS
from giftsim.domain.team.tenant import Tenant, TenantRecord, live_tenant
from giftsim.kernel.state import State


def tenant_of_owner(state: State, owner: str) -> Tenant:
    """The tenant of an `owner` such as `team 3`, `test 12` or `test of team 3`."""
    kind, _, slot = owner.rpartition(" ")
    if kind == "team":
        return live_tenant(int(slot))
    team = int(slot) if kind == "test of team" else state[API_KEYS].get(int(slot)).team or 0
    return Tenant(owner, team, False)


def is_live(record: TenantRecord) -> bool:
    """Whether a record is live, not of a sandbox."""
    return record.owner.startswith("team ")
