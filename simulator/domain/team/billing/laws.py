"""What the money of teams brings into every world: tables, machines, timers, settings and hooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.domain.team.billing import setting, settlement
from simulator.domain.team.billing.ceiling import SPENDINGS
from simulator.domain.team.billing.certificate import CERTIFICATE, CERTIFICATES
from simulator.domain.team.billing.cost_center import COST_CENTERS
from simulator.domain.team.billing.funding import FUNDINGS
from simulator.domain.team.billing.invoice import INVOICE, INVOICES
from simulator.domain.team.billing.payment import PURPOSE
from simulator.domain.team.billing.profile import PROFILES
from simulator.domain.team.billing.purse import PURSES, watch
from simulator.domain.team.billing.receipt import RECEIPTS
from simulator.kernel.machine import Machine
from simulator.kernel.setting import Setting
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec

SPECS: tuple[Spec[Any], ...] = (
    PURSES, SPENDINGS, settlement.PAYMENTS, INVOICES, RECEIPTS, FUNDINGS, COST_CENTERS, PROFILES, CERTIFICATES,
)  # fmt: skip

MACHINES: tuple[Machine[Any], ...] = (settlement.PAYMENT, INVOICE, CERTIFICATE)

TIMERS: Mapping[str, Verb] = settlement.TIMERS

SETTINGS: tuple[Setting[Any], ...] = setting.ALL

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "moved": watch,
        f"charge.{PURPOSE}": settlement.follow_charge,
        f"name {settlement.PAYMENT.name}": settlement.payment_name,
    }
)
