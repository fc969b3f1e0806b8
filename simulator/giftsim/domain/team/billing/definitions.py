"""What the money of teams brings into every world: tables, machines, timers, settings and hooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.team.billing import settings, settlement
from giftsim.domain.team.billing.billing_profile import PROFILES
from giftsim.domain.team.billing.cost_center import COST_CENTERS
from giftsim.domain.team.billing.funding import FUNDINGS
from giftsim.domain.team.billing.invoice import INVOICE, INVOICES
from giftsim.domain.team.billing.payment import PURPOSE
from giftsim.domain.team.billing.receipt import RECEIPTS
from giftsim.domain.team.billing.spending_limits import SPENDINGS
from giftsim.domain.team.billing.tax_certificate import CERTIFICATE, CERTIFICATES
from giftsim.domain.team.billing.wallet import PURSES, watch
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec

SPECS: tuple[TableSpec[Any], ...] = (
    PURSES, SPENDINGS, settlement.PAYMENTS, INVOICES, RECEIPTS, FUNDINGS, COST_CENTERS, PROFILES, CERTIFICATES,
)  # fmt: skip

MACHINES: tuple[Machine[Any], ...] = (settlement.PAYMENT, INVOICE, CERTIFICATE)

TIMERS: Mapping[str, Verb] = settlement.TIMERS

SETTINGS: tuple[Setting[Any], ...] = settings.ALL

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "moved": watch,
        f"charge.{PURPOSE}": settlement.follow_charge,
        f"name {settlement.PAYMENT.name}": settlement.payment_name,
    }
)
