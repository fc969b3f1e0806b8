"""What the domain has in every world: its tables, machines, timers, settings and hooks, for the composition root."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from giftsim.domain.access.api_key import KEYS
from giftsim.domain.fulfilment import (
    fulfilment,
    lead_times,
    payment,
    placement,
    pricing,
    shipment,
    single_order,
    validation,
)
from giftsim.domain.fulfilment.catalogue import PRODUCTS, REVIEWS, SKUS
from giftsim.domain.fulfilment.mail import MAILS
from giftsim.domain.fulfilment.recipient import RECIPIENTS, RETIRED_LINKS
from giftsim.domain.money import charge, credit_settlement
from giftsim.domain.money.account import ACCOUNTS
from giftsim.domain.money.ledger import ENTRIES
from giftsim.domain.team.member import MEMBERS
from giftsim.domain.team.session import SESSIONS
from giftsim.domain.team.team import TEAMS
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec

SPECS: tuple[TableSpec[Any], ...] = (
    KEYS, TEAMS, MEMBERS, SESSIONS, ACCOUNTS, ENTRIES, charge.CHARGES, PRODUCTS, SKUS, REVIEWS, fulfilment.FULFILMENTS,
    RECIPIENTS, RETIRED_LINKS, shipment.SHIPMENTS, single_order.SINGLES, MAILS,
)  # fmt: skip

MACHINES: tuple[Machine[Any], ...] = (charge.CHARGE, shipment.SHIPMENT)

TIMERS: dict[str, Verb] = {**charge.TIMERS, **shipment.TIMERS}

SETTINGS: tuple[Setting[Any], ...] = (
    *fulfilment.SETTINGS, *placement.SETTINGS, *validation.SETTINGS, *pricing.SETTINGS, *lead_times.SETTINGS,
    *charge.SETTINGS, *credit_settlement.SETTINGS,
)  # fmt: skip

HOOKS: dict[str, Callable[..., Any]] = {
    f"parcel.{fulfilment.CHANNEL}": fulfilment.follow,
    f"parcel.{single_order.CHANNEL}": single_order.follow,
    f"charge.{payment.PURPOSE}": payment.follow_charge,
    "charge.settlement": credit_settlement.follow,
}
