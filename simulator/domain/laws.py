"""What the domain has in every world: its tables, machines, timers, settings and hooks, for the composition root."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.domain.access.key import KEYS
from simulator.domain.money import charge, credit
from simulator.domain.money.account import ACCOUNTS
from simulator.domain.money.ledger import ENTRIES
from simulator.domain.orders import examine, order, payment, place, pricing, shipment, single, timetable
from simulator.domain.orders.catalogue import PRODUCTS, REVIEWS, SKUS
from simulator.domain.orders.mail import MAILS
from simulator.domain.orders.recipient import RECIPIENTS, RETIRED_LINKS
from simulator.domain.team.member import MEMBERS
from simulator.domain.team.session import SESSIONS
from simulator.domain.team.team import TEAMS
from simulator.kernel.machine import Machine
from simulator.kernel.setting import Setting
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec

SPECS: tuple[Spec[Any], ...] = (
    KEYS, TEAMS, MEMBERS, SESSIONS, ACCOUNTS, ENTRIES, charge.CHARGES, PRODUCTS, SKUS, REVIEWS, order.ORDERS,
    RECIPIENTS, RETIRED_LINKS, shipment.SHIPMENTS, single.SINGLES, MAILS,
)  # fmt: skip

MACHINES: tuple[Machine[Any], ...] = (charge.CHARGE, shipment.SHIPMENT)

TIMERS: dict[str, Verb] = {**charge.TIMERS, **shipment.TIMERS}

SETTINGS: tuple[Setting[Any], ...] = (
    *order.SETTINGS, *place.SETTINGS, *examine.SETTINGS, *pricing.SETTINGS, *timetable.SETTINGS, *charge.SETTINGS,
    *credit.SETTINGS,
)  # fmt: skip

HOOKS: dict[str, Callable[..., Any]] = {
    f"parcel.{order.CHANNEL}": order.follow,
    f"parcel.{single.CHANNEL}": single.follow,
    f"charge.{payment.PURPOSE}": payment.follow_charge,
    "charge.settlement": credit.follow,
}
