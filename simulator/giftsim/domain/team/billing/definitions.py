"""What the payments of teams add to every world."""

from __future__ import annotations

from giftsim.domain.money.account import TEAM_CASH_CHANGED
from giftsim.domain.money.charge import CHARGE_CLOSED
from giftsim.domain.team.billing import settings, settlement
from giftsim.domain.team.billing.billing_profile import PROFILES
from giftsim.domain.team.billing.cost_center import COST_CENTERS
from giftsim.domain.team.billing.funding import FUNDINGS
from giftsim.domain.team.billing.invoice import INVOICE, INVOICES
from giftsim.domain.team.billing.payment import PURPOSE
from giftsim.domain.team.billing.payment_record import PAYMENTS
from giftsim.domain.team.billing.receipt import RECEIPTS
from giftsim.domain.team.billing.spending_limits import SPENDINGS
from giftsim.domain.team.billing.tax_certificate import CERTIFICATE, CERTIFICATES
from giftsim.domain.team.billing.wallet import PURSES, watch
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect, connect_key
from giftsim.kernel.state import TIMER_SUBJECT

DEFINITIONS = PackageDefinitions(
    tables=(
        PURSES,
        SPENDINGS,
        PAYMENTS,
        INVOICES,
        RECEIPTS,
        FUNDINGS,
        COST_CENTERS,
        PROFILES,
        CERTIFICATES,
    ),
    machines=(settlement.PAYMENT, INVOICE, CERTIFICATE),
    timers=settlement.TIMERS,
    settings=settings.ALL,
    connections=(
        connect(TEAM_CASH_CHANGED, watch),
        connect_key(CHARGE_CLOSED, PURPOSE, settlement.follow_charge),
        connect_key(TIMER_SUBJECT, settlement.PAYMENT.name, settlement.payment_name),
    ),
)
