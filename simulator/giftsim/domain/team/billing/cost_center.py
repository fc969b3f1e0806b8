"""Cost centers: what a team books its orders on (T-2.25)."""

from __future__ import annotations

from giftsim.domain.team.problem import NotFound, invalid
from giftsim.domain.team.tenant import Tenant, TenantRecord, find_record, parse_id, public_id, tenant_table
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec

FIRST_ID = 41_001


class CostCenter(TenantRecord, frozen=True, gc=False):
    """A cost center; two may have one code."""

    code: str
    name: str


COST_CENTERS: TableSpec[CostCenter] = tenant_table("team.cost_center", CostCenter)


def create_cost_center(state: State, tenant: Tenant, code: str, name: str) -> CostCenter:
    """A new cost center of the tenant."""
    n = state[COST_CENTERS].next_n
    center_id = public_id(state, tenant, "cost center", n, FIRST_ID)
    return state[COST_CENTERS].add(CostCenter(n, tenant.owner, center_id, state.now_ms, code, name))


def require_cost_center(state: State, tenant: Tenant, value: object, field: str = "cost_center_id") -> CostCenter:
    """The cost center that a member of a body names; ValidationFailed where there is none in this tenant."""
    center_id = parse_id(tenant, value, field)
    try:
        return find_record(state, COST_CENTERS, tenant, center_id)
    except NotFound:
        raise invalid(field, "names no cost center of this team and mode") from None
