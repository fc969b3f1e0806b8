"""Cost centers, which a team assigns its orders to (T-2.25)."""

from __future__ import annotations

from giftsim.domain.team.problem import NotFound, invalid
from giftsim.domain.team.tenant import Tenant, TenantRecord, find_record, parse_id, public_id, tenant_table
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec

FIRST_ID = 41_001


class CostCenter(TenantRecord, frozen=True, gc=False):
    """A cost center. No other of its tenant has its code; blanks at either end make no other code."""

    code: str
    name: str


COST_CENTERS: TableSpec[CostCenter] = tenant_table(
    "team.cost_center", CostCenter, unique={"code": lambda row: _code_key(row.owner, row.code)}
)


def create_cost_center(state: State, tenant: Tenant, code: str, name: str) -> CostCenter:
    """Create a cost center. ValidationFailed if the tenant has one with this code."""
    if state[COST_CENTERS].find("code", _code_key(tenant.owner, code)) is not None:
        raise invalid("code", "must not be the code of another cost center; use that one, or choose another code")
    n = state[COST_CENTERS].next_n
    center_id = public_id(state, tenant, "cost center", n, FIRST_ID)
    return state[COST_CENTERS].add(CostCenter(n, tenant.owner, center_id, state.now_ms, code, name))


def require_cost_center(state: State, tenant: Tenant, value: object, field: str = "cost_center_id") -> CostCenter:
    """The cost center that a member of a body names. ValidationFailed if the tenant has none with this id."""
    center_id = parse_id(tenant, value, field)
    try:
        return find_record(state, COST_CENTERS, tenant, center_id)
    except NotFound:
        raise invalid(field, "must be the id of a cost center of this team and mode") from None


def _code_key(owner: str, code: str) -> str:
    return f"{owner} {code.strip()}"
