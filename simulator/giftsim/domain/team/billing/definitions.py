"""Tables, machines, timers, settings and signal connections of team billing."""

from __future__ import annotations

from giftsim.domain.money.account import TEAM_CASH_CHANGED
from giftsim.domain.money.charge import CHARGE_CLOSED
from giftsim.domain.team.billing import settings, settlement
from giftsim.domain.team.billing.billing_profile import BILLING_PROFILES
from giftsim.domain.team.billing.cost_center import COST_CENTERS
from giftsim.domain.team.billing.funding import FUNDINGS
from giftsim.domain.team.billing.invoice import INVOICE, INVOICES
from giftsim.domain.team.billing.payment import PURPOSE
from giftsim.domain.team.billing.payment_record import PAYMENTS
from giftsim.domain.team.billing.receipt import RECEIPTS
from giftsim.domain.team.billing.spending_limits import MONTHLY_SPENDING
from giftsim.domain.team.billing.tax_certificate import TAX_CERTIFICATE, TAX_CERTIFICATES
from giftsim.domain.team.billing.wallet import WALLETS, on_cash_changed
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect, connect_key
from giftsim.kernel.state import TIMER_SUBJECT

DEFINITIONS = PackageDefinitions(
    tables=(
        WALLETS,
        MONTHLY_SPENDING,
        PAYMENTS,
        INVOICES,
        RECEIPTS,
        FUNDINGS,
        COST_CENTERS,
        BILLING_PROFILES,
        TAX_CERTIFICATES,
    ),
    machines=(settlement.PAYMENT, INVOICE, TAX_CERTIFICATE),
    timers=settlement.TIMERS,
    settings=settings.ALL,
    connections=(
        connect(TEAM_CASH_CHANGED, on_cash_changed),
        connect_key(CHARGE_CLOSED, PURPOSE, settlement.on_charge_closed),
        connect_key(TIMER_SUBJECT, settlement.PAYMENT.name, settlement.timer_subject),
    ),
)
