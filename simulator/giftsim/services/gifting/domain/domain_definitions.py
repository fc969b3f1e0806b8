"""What accounts, charges and fulfilments add to every world."""

from __future__ import annotations

from giftsim.engine.kernel.definitions import PackageDefinitions
from giftsim.engine.kernel.signals import connect_key
from giftsim.services.gifting.domain.api_key import API_KEYS
from giftsim.services.gifting.domain.fulfilment import (
    claim,
    due_times,
    fulfilment,
    manifest,
    offer,
    order_charge,
    order_placement,
    shipment,
    shipment_progress,
    validation,
)
from giftsim.services.gifting.domain.fulfilment.mail import BOUNCES, MAILS
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, REVIEWS, SKUS
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, RETIRED_LINKS
from giftsim.services.gifting.domain.fulfilment.shipment import SHIPMENT_CHANGED
from giftsim.services.gifting.domain.fulfilment.stock import OFF_SALE
from giftsim.services.gifting.domain.money import charge, net_terms_settlement, refund
from giftsim.services.gifting.domain.money.account import ACCOUNTS, ENTRIES
from giftsim.services.gifting.domain.money.charge import CHARGE_CLOSED
from giftsim.services.gifting.domain.team.member import MEMBERS, SESSIONS
from giftsim.services.gifting.domain.team.team import TEAMS

DEFINITIONS = PackageDefinitions(
    tables=(
        API_KEYS,
        TEAMS,
        MEMBERS,
        SESSIONS,
        ACCOUNTS,
        ENTRIES,
        charge.CHARGES,
        refund.REFUNDS,
        PRODUCTS,
        SKUS,
        REVIEWS,
        fulfilment.FULFILMENTS,
        RECIPIENTS,
        RETIRED_LINKS,
        shipment.SHIPMENTS,
        shipment_progress.SINGLE_ORDERS,
        MAILS,
        OFF_SALE,
        BOUNCES,
    ),
    machines=(charge.CHARGE, refund.REFUND, shipment.SHIPMENT),
    timers={**charge.TIMERS, **refund.TIMERS, **shipment.TIMERS},
    settings=(
        *fulfilment.SETTINGS,
        *claim.SETTINGS,
        *order_placement.SETTINGS,
        *validation.SETTINGS,
        *offer.SETTINGS,
        *manifest.SETTINGS,
        *due_times.SETTINGS,
        *charge.SETTINGS,
        *net_terms_settlement.SETTINGS,
        *refund.SETTINGS,
    ),
    connections=(
        connect_key(SHIPMENT_CHANGED, fulfilment.CHANNEL, fulfilment.on_shipment_step),
        connect_key(SHIPMENT_CHANGED, shipment_progress.CHANNEL, shipment_progress.on_shipment_step),
        connect_key(CHARGE_CLOSED, order_charge.PURPOSE, order_charge.on_charge_closed),
        connect_key(CHARGE_CLOSED, "settlement", net_terms_settlement.on_charge_closed),
    ),
)
