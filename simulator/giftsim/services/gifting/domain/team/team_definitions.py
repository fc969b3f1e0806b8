"""The definitions of all packages of teams, and the seeding of their sections of a fixture.

The tables of teams, members and sessions are in the domain's definitions, since keys are bound to them. Add a new
package to DEFINITIONS, and to SEEDS if it reads a section of the fixture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from giftsim.engine.kernel.definitions import PackageDefinitions, merge_definitions
from giftsim.engine.kernel.signals import connect, connect_key
from giftsim.engine.kernel.state import TIMER_SUBJECT, State
from giftsim.services.gifting.domain.fulfilment.shipment import SHIPMENT_CHANGED
from giftsim.services.gifting.domain.money.account import TEAM_CASH_CHANGED
from giftsim.services.gifting.domain.money.charge import CHARGE_CLOSED
from giftsim.services.gifting.domain.team import external_file, items, team, webhook_subscription
from giftsim.services.gifting.domain.team import seed_teams as billing_seed
from giftsim.services.gifting.domain.team import seed_teams as catalogue_seed
from giftsim.services.gifting.domain.team import seed_teams as rules_seed
from giftsim.services.gifting.domain.team.billing import billing_profile, payment
from giftsim.services.gifting.domain.team.billing.billable import BILLABLE
from giftsim.services.gifting.domain.team.billing.billing_profile import BILLING_PROFILES, COST_CENTERS
from giftsim.services.gifting.domain.team.billing.funding import FUNDINGS
from giftsim.services.gifting.domain.team.billing.invoice import BANK_RETURNS, INVOICE, INVOICES, RECEIPTS
from giftsim.services.gifting.domain.team.billing.payment import PAYMENTS
from giftsim.services.gifting.domain.team.billing.spending_limits import MONTHLY_SPENDING
from giftsim.services.gifting.domain.team.billing.tax_certificate import (
    MAX_FILE_BYTES,
    TAX_CERTIFICATE,
    TAX_CERTIFICATES,
)
from giftsim.services.gifting.domain.team.billing.wallet import BALANCE_THRESHOLDS, WALLETS, on_cash_changed
from giftsim.services.gifting.domain.team.billing.wallet_payment import PURPOSE
from giftsim.services.gifting.domain.team.campaigns import campaign, campaign_control, campaign_payment
from giftsim.services.gifting.domain.team.design.artwork import ARTWORK
from giftsim.services.gifting.domain.team.design.branding import BRANDINGS, branding_sender_name
from giftsim.services.gifting.domain.team.design.preview import PREVIEW, PREVIEWS, RENDER
from giftsim.services.gifting.domain.team.design.proof import PROOF, PROOFS, unsigned_item
from giftsim.services.gifting.domain.team.design.template import TEMPLATES
from giftsim.services.gifting.domain.team.external_file import EXTERNAL_FILES
from giftsim.services.gifting.domain.team.items import COLLECTIONS
from giftsim.services.gifting.domain.team.orders import (
    approval,
    gift,
    gift_approval,
    order_approval,
    team_fulfilment,
    team_order,
)
from giftsim.services.gifting.domain.team.orders import seed_sends as orders_seed
from giftsim.services.gifting.domain.team.orders.approval import APPROVAL_DECIDED
from giftsim.services.gifting.domain.team.orders.gift import TIMELINE_ENTRIES
from giftsim.services.gifting.domain.team.orders.setup import PROOFS_CLOSED, UNSIGNED
from giftsim.services.gifting.domain.team.orders.team_fulfilment import (
    FULFILLED_OWNER,
    FULFILLED_RECORD,
    FULFILMENT_CHANGED,
    SENDER,
)
from giftsim.services.gifting.domain.team.people import crm_contact, person, upcoming_dates
from giftsim.services.gifting.domain.team.people import seed_people as people_seed
from giftsim.services.gifting.domain.team.rules import rule, rule_run
from giftsim.services.gifting.domain.team.rules.rule import DEAL_EVENTS, RULES
from giftsim.services.gifting.domain.team.tenant import Id

BILLING = PackageDefinitions(
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
        BANK_RETURNS,
    ),
    machines=(payment.PAYMENT, INVOICE, TAX_CERTIFICATE),
    timers=payment.TIMERS,
    settings=(*billing_profile.ALL, MAX_FILE_BYTES),
    connections=(
        connect(TEAM_CASH_CHANGED, on_cash_changed),
        connect_key(CHARGE_CLOSED, PURPOSE, payment.on_charge_closed),
    ),
)


def _campaign(state: State, slot: int) -> tuple[str, Id]:
    """The kind and id of the campaign of a batch."""
    return "campaign", state[campaign.CAMPAIGNS].get(state[campaign.BATCHES].get(slot).campaign).id


def _campaign_owner(state: State, slot: int) -> str:
    """The owner of the campaign of a batch."""
    return state[campaign.CAMPAIGNS].get(state[campaign.BATCHES].get(slot).campaign).owner


CAMPAIGNS = PackageDefinitions(
    tables=(campaign.CAMPAIGNS, campaign.BATCHES),
    machines=(campaign.CAMPAIGN, campaign.BATCH),
    settings=(campaign.BATCH_SIZE,),
    connections=(
        connect_key(FULFILMENT_CHANGED, campaign.BATCH_RESOURCE, campaign_control.on_fulfilment_changed),
        connect_key(FULFILLED_RECORD, campaign.BATCH_RESOURCE, _campaign),
        connect_key(FULFILLED_OWNER, campaign.BATCH_RESOURCE, _campaign_owner),
        connect_key(APPROVAL_DECIDED, campaign.RESOURCE, campaign_control.on_approval_decided),
        connect_key(PROOFS_CLOSED, campaign.RESOURCE, campaign.proofs_closed),
        connect_key(BILLABLE, campaign.BATCH_RESOURCE, campaign_payment.BillableBatch()),
    ),
)


CATALOGUE = PackageDefinitions(
    tables=(COLLECTIONS,),
    settings=items.SETTINGS,
)


DESIGN = PackageDefinitions(
    tables=(EXTERNAL_FILES, external_file.FILE_CHANGES, ARTWORK, PREVIEWS, PROOFS, TEMPLATES, BRANDINGS),
    machines=(PREVIEW, PROOF),
    timers=PREVIEW.timer_handlers(),
    settings=(RENDER, *external_file.SETTINGS),
    connections=(
        connect(SENDER, branding_sender_name),
        connect(UNSIGNED, unsigned_item),
    ),
)


ORDERS = PackageDefinitions(
    tables=(
        approval.APPROVALS,
        team_order.TEAM_ORDERS,
        team_order.ORDER_ITEMS,
        gift.GIFTS,
        TIMELINE_ENTRIES,
    ),
    machines=(approval.APPROVAL,),
    timers=approval.APPROVAL.timer_handlers(),
    settings=(*approval.SETTINGS, *team_fulfilment.SETTINGS),
    connections=(
        connect_key(SHIPMENT_CHANGED, team_fulfilment.TEAM, team_fulfilment.on_shipment_changed),
        connect_key(SHIPMENT_CHANGED, team_fulfilment.SANDBOX, team_fulfilment.on_shipment_changed),
        connect_key(FULFILMENT_CHANGED, team_order.RESOURCE, team_order.on_fulfilment_changed),
        connect_key(FULFILMENT_CHANGED, gift.RESOURCE, gift.on_fulfilment_changed),
        connect_key(APPROVAL_DECIDED, team_order.RESOURCE, order_approval.on_approval_decided),
        connect_key(APPROVAL_DECIDED, gift.RESOURCE, gift_approval.on_approval_decided),
        connect_key(
            FULFILLED_RECORD,
            team_order.RESOURCE,
            lambda state, slot: (
                "team_order",
                state[team_order.TEAM_ORDERS].get(slot).id,
            ),
        ),
        connect_key(FULFILLED_RECORD, gift.RESOURCE, lambda state, slot: ("gift", state[gift.GIFTS].get(slot).id)),
        connect_key(FULFILLED_OWNER, team_order.RESOURCE, lambda state, n: state[team_order.TEAM_ORDERS].get(n).owner),
        connect_key(FULFILLED_OWNER, gift.RESOURCE, lambda state, n: state[gift.GIFTS].get(n).owner),
        connect_key(PROOFS_CLOSED, team_order.RESOURCE, order_approval.proofs_closed),
        connect_key(BILLABLE, team_order.RESOURCE, order_approval.BillableTeamOrder()),
        connect_key(BILLABLE, gift.RESOURCE, gift_approval.BillableGift()),
    ),
)


PEOPLE = PackageDefinitions(
    tables=(person.PEOPLE, *crm_contact.TABLES),
    settings=(*person.SETTINGS, upcoming_dates.WINDOW_DAYS, crm_contact.FORMER_IDS),
)


RULE_DEFINITIONS = PackageDefinitions(
    tables=(RULES, DEAL_EVENTS, rule_run.RULE_GIFTS),
    timers={rule.RUN: rule_run.run_daily},
    perpetual=(rule.RUN,),
    settings=(rule.AUTO, rule_run.DRY_RUN, rule_run.ONCE_PER_EMAIL, rule_run.ONCE_PER_CONTACT),
    connections=(connect_key(TIMER_SUBJECT, rule.OWNER, rule.timer_subject),),
)


WEBHOOKS = PackageDefinitions(
    tables=(webhook_subscription.SUBSCRIPTIONS,),
    settings=(webhook_subscription.MAX_SUBSCRIPTIONS,),
    connections=(connect(BALANCE_THRESHOLDS, webhook_subscription.balance_thresholds),),
)


DEFINITIONS = merge_definitions(
    PackageDefinitions(settings=team.ALL),
    BILLING,
    CATALOGUE,
    WEBHOOKS,
    ORDERS,
    PEOPLE,
    CAMPAIGNS,
    RULE_DEFINITIONS,
    DESIGN,
)

SEEDS: tuple[Callable[[State, Mapping[str, Any]], None], ...] = (
    billing_seed.seed_billing,
    catalogue_seed.seed_collections,
    people_seed.seed_people,
    orders_seed.seed_sends,
    rules_seed.seed_deals,
)


def seed_team_sections(state: State, data: Mapping[str, Any]) -> None:
    """Seed the packages' sections of a fixture, in the order of SEEDS, in a state that has teams, keys and catalogue.

    Each seed opens its own transactions.
    """
    for seed in SEEDS:
        seed(state, data)
