"""The billing profile of a team: the name and address on its documents (A7.19)."""

from __future__ import annotations

from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

ADDRESS_MEMBERS = ("address1", "address2", "city", "state", "zip", "country")


class BillingProfile(Record, frozen=True, gc=False):
    """The billing profile of a tenant; `address` has the ADDRESS_MEMBERS in order. No response shows `email`."""

    owner: str
    legal_name: str | None
    email: str | None
    address: tuple[str | None, ...] | None
    updated_ms: int


BILLING_PROFILES: TableSpec[BillingProfile] = TableSpec(
    "team.billing_profile", BillingProfile, unique={"owner": "owner"}
)


def replace_billing_profile(
    state: State, tenant: Tenant, legal_name: str | None, email: str | None, address: tuple[str | None, ...] | None
) -> BillingProfile:
    """Replace the whole profile; an equal one changes nothing (T-4.92)."""
    table = state[BILLING_PROFILES]
    current = table.find("owner", tenant.owner)
    if current and (current.legal_name, current.email, current.address) == (legal_name, email, address):
        return current
    n = current.n if current else table.next_n
    profile = BillingProfile(n, tenant.owner, legal_name, email, address, state.now_ms)
    return table.put(profile) if current else table.add(profile)


def billing_profile(state: State, owner: str) -> BillingProfile | None:
    """The profile of an owner, or None before one is stored."""
    return state[BILLING_PROFILES].find("owner", owner)


def bill_to(state: State, tenant: Tenant) -> tuple[str, ...]:
    """The lines of the address on a document: those of the profile, else the team's name alone."""
    profile = billing_profile(state, tenant.owner)
    name = profile.legal_name if profile else None
    lines = [name or state[TEAMS].get(tenant.team).name]
    if profile and profile.address:
        address1, address2, city, region, code, country = profile.address
        city_line = " ".join(part for part in (city and f"{city},", region, code) if part)
        lines += [line for line in (address1, address2, city_line, country) if line]
    return tuple(lines)
