"""The billing profile of a team: the name and address on its documents (A7.19)."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import Any

from giftsim.engine.kernel.instants import EARLIEST_MS, HOUR, LATEST_MS, local_date, local_hour
from giftsim.engine.kernel.setting import Setting, choice, duration, flag, number
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.team.billing.payment_errors import InvalidMonth
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.team_errors import NotFound, validation_error
from giftsim.services.gifting.domain.team.tenant import (
    Tenant,
    TenantRecord,
    find_record,
    parse_id,
    public_id,
    tenant_table,
)

REJECT, HOLD = "reject", "hold"
TO_BALANCE, SENT_BACK = "balance", "returned"

ON_CEILING = choice(
    "on_ceiling",
    (REJECT, HOLD),
    "whether an order on terms above a spending limit is refused or held (A5.3)",
)
SETTLE_AFTER = duration("payments.settle_after", "0s", "how long a team's payment is reserved before it settles")
REFUND_FREES_ROOM = flag(
    "payments.refund_frees_room",
    False,
    "whether a refunded amount no longer counts against the monthly spending limit (A5.5)",
)
SANDBOX_BALANCE = number("sandbox.balance_cents", 1_000_000, "the balance that test keys see, which never changes")
SANDBOX_CREDIT = number("sandbox.credit_limit_cents", 1_000_000, "the credit limit that test keys see")
PAST_DUE_STATUS = flag(
    "invoices.past_due_status", False, "whether an open invoice is past_due once its due date has passed (G363)"
)
DEPOSIT_DAYS = number("invoices.deposit_days", 14, "in how many days a deposit invoice is due", most=365)

RETURNS_TAKE_BALANCE = flag(
    "bank.returns_take_balance",
    False,
    "whether bank money that returns is taken from the team's balance, and what it paid for stays paid (G435)",
)
UNAPPLIED = choice(
    "bank.unapplied",
    (TO_BALANCE, SENT_BACK),
    "whether bank money that pays nothing goes to the team's balance or back to the bank (G438 to G440)",
)
MATCHES_AMOUNT = flag(
    "bank.matches_amount",
    False,
    "whether bank money without a reference pays the only open invoice of exactly that amount (G440)",
)

ALL: tuple[Setting[Any], ...] = (
    ON_CEILING,
    SETTLE_AFTER,
    REFUND_FREES_ROOM,
    SANDBOX_BALANCE,
    SANDBOX_CREDIT,
    DEPOSIT_DAYS,
    PAST_DUE_STATUS,
    RETURNS_TAKE_BALANCE,
    UNAPPLIED,
    MATCHES_AMOUNT,
)


ZONE = "America/Los_Angeles"
_MONTH = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])", re.ASCII)


@lru_cache(maxsize=64)
def _month(hour: int) -> str:
    return local_date(hour * HOUR, ZONE)[:7]


def month_of(at_ms: int) -> str:
    """The month of an instant, `YYYY-MM`. Months begin at full hours, so the result is cached by hour."""
    return _month(at_ms // HOUR)


def day_of(at_ms: int) -> str:
    """The day in Los Angeles of an instant, `YYYY-MM-DD`."""
    return local_date(at_ms, ZONE)


def month_bounds(month: str) -> tuple[int, int]:
    """The first millisecond of a month and of the next one. InvalidMonth unless it is written `YYYY-MM`."""
    match = _MONTH.fullmatch(month)
    if match is None or match[1] == "0000":
        raise InvalidMonth("month: must be written YYYY-MM, such as 2027-01")
    year, number = int(match[1]), int(match[2])
    return _start(year, number), _start(year + number // 12, number % 12 + 1)


def _start(year: int, number: int) -> int:
    if year > 9999:
        return LATEST_MS + 1
    if (year, number) == (1, 1):
        return EARLIEST_MS  # earlier than midnight in Los Angeles, which is the first instant's day too
    return local_hour(date(year, number, 1), 0, ZONE)


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


FIRST_ID = 41_001


class CostCenter(TenantRecord, frozen=True, gc=False):
    """A cost center. Its code is unique within the tenant, ignoring blanks at either end."""

    code: str
    name: str


COST_CENTERS: TableSpec[CostCenter] = tenant_table(
    "team.cost_center", CostCenter, unique={"code": lambda row: _code_key(row.owner, row.code)}
)


def create_cost_center(state: State, tenant: Tenant, code: str, name: str) -> CostCenter:
    """Create a cost center. ValidationFailed if the tenant has one with this code."""
    if state[COST_CENTERS].find("code", _code_key(tenant.owner, code)) is not None:
        raise validation_error(
            "code", "must not be the code of another cost center; use that one, or choose another code"
        )
    n = state[COST_CENTERS].next_n
    center_id = public_id(state, tenant, "cost center", n, FIRST_ID)
    return state[COST_CENTERS].add(CostCenter(n, tenant.owner, center_id, state.now_ms, code, name))


def require_cost_center(state: State, tenant: Tenant, value: object, field: str = "cost_center_id") -> CostCenter:
    """The cost center that a member of a body names. ValidationFailed if the tenant has none with this id."""
    center_id = parse_id(tenant, value, field)
    try:
        return find_record(state, COST_CENTERS, tenant, center_id)
    except NotFound:
        raise validation_error(field, "must be the id of a cost center of this team and mode") from None


def _code_key(owner: str, code: str) -> str:
    return f"{owner} {code.strip()}"
