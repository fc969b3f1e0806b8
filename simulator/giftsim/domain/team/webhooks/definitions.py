"""The table, settings and signal connections of subscriptions."""

from __future__ import annotations

from giftsim.domain.team.billing.wallet import BALANCE_THRESHOLDS
from giftsim.domain.team.webhooks import subscription
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect

DEFINITIONS = PackageDefinitions(
    tables=(subscription.SUBSCRIPTIONS,),
    settings=(subscription.MAX_SUBSCRIPTIONS,),
    connections=(connect(BALANCE_THRESHOLDS, subscription.balance_thresholds),),
)
