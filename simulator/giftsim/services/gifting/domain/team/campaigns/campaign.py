"""Large campaigns and their batches, with the state machines of both (A1.7, A7.18, T-3.1 to T-3.9)."""

from __future__ import annotations

from collections.abc import Callable

from giftsim.engine.kernel.setting import number
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import Machine, Row
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment, Item, Offer
from giftsim.services.gifting.domain.team.billing.payment import payment_of
from giftsim.services.gifting.domain.team.orders.setup import TemplateUse
from giftsim.services.gifting.domain.team.orders.team_fulfilment import NamedRecipient
from giftsim.services.gifting.domain.team.tenant import Tenant, TenantRecord, find_record, tenant_table

FIRST_ID = 80_000_001
MAX_RECIPIENTS = 5_000
RESOURCE, BATCH_RESOURCE = "large_campaign", "campaign_batch"

PREPARING, AWAITING_APPROVAL, APPROVED = "preparing", "awaiting_approval", "approved"
COMPLETED, PAUSED, STOPPED = "completed", "paused", "stopped"
PENDING, PREPARED, PAID, FAILED, DROPPED = "pending", "prepared", "paid", "failed", "dropped"
UNPAID = (PREPARED, FAILED)

BATCH_SIZE = number(
    "large_campaign.batch_size", 500, "how many recipients a batch of a large campaign has", 1, MAX_RECIPIENTS
)


class Campaign(TenantRecord, frozen=True, gc=False):
    """A gift for up to 5,000 recipients. `key` is the slot of the key that made it.

    `items` and `menu` are what each recipient gets, of a `collection` or of a setup, at the prices of its creation.
    `paused_from` is the state that `resume` returns to. `round` counts how often the campaign was priced: a batch of an
    earlier round has an outdated price and cannot be paid.
    """

    key: int | None
    collection: str | None
    items: tuple[Item, ...]
    menu: tuple[Offer, ...]
    recipient_count: int
    batch_count: int
    name: str | None = None
    gift_message: str | None = None
    payment_method: str | None = None
    status: str = PREPARING
    paused_from: str | None = None
    round: int = 0
    mode: str | None = None
    template: TemplateUse | None = None


class Batch(Record, frozen=True, gc=False):
    """A part of a campaign (a slot) that is prepared, priced and paid as a whole; `number` counts from 1.

    `guests` are its recipients until the batch is prepared: then its `fulfilment` (a slot) holds them. `countries` are
    those of its recipients who are on the roster.
    """

    campaign: int
    number: int
    recipient_count: int
    guests: tuple[NamedRecipient, ...]
    countries: tuple[str, ...]
    status: str = PENDING
    fulfilment: int | None = None
    round: int = 0
    prepared_ms: int | None = None
    repriced_ms: int | None = None
    paid_ms: int | None = None


CAMPAIGNS: TableSpec[Campaign] = tenant_table("team.campaign", Campaign, moving={"status": "status"})
BATCHES: TableSpec[Batch] = TableSpec("team.campaign_batch", Batch, groups={"campaign": "campaign"})


def _paused_from(status: str) -> Callable[[State, Campaign], bool]:
    return lambda _, campaign: campaign.paused_from == status


CAMPAIGN: Machine[Campaign] = Machine(
    "large_campaign",
    CAMPAIGNS,
    initial=(PREPARING,),
    final=(COMPLETED, STOPPED),
    rows=[
        Row(PREPARING, "ask", AWAITING_APPROVAL),
        Row(AWAITING_APPROVAL, "approve", APPROVED),
        Row(APPROVED, "complete", COMPLETED),
        *(Row(status, "reprice", PREPARING) for status in (PREPARING, AWAITING_APPROVAL, APPROVED)),
        *(Row(status, "pause", PAUSED) for status in (PREPARING, AWAITING_APPROVAL, APPROVED)),
        *(
            Row(PAUSED, "resume", status, guard=_paused_from(status))
            for status in (PREPARING, AWAITING_APPROVAL, APPROVED)
        ),
        Row(PAUSED, "complete", COMPLETED),
        *(Row(status, "stop", STOPPED) for status in (PREPARING, AWAITING_APPROVAL, APPROVED, PAUSED)),
    ],
)

BATCH: Machine[Batch] = Machine(
    "campaign_batch",
    BATCHES,
    initial=(PENDING,),
    final=(PAID, DROPPED),
    rows=[
        Row(PENDING, "prepare", PREPARED),
        *(Row(status, "reprice", PREPARED) for status in UNPAID),
        *(Row(status, "pay", PAID) for status in UNPAID),
        *(Row(status, "fail", FAILED) for status in UNPAID),
        *(Row(status, "drop", DROPPED) for status in (PENDING, *UNPAID)),
    ],
)


def find_campaign(state: State, tenant: Tenant, raw: object) -> Campaign:
    """The campaign with a public id. NotFound if there is none."""
    return find_record(state, CAMPAIGNS, tenant, raw)


def proofs_closed(state: State, slot: int) -> str | None:
    """The status in which a campaign (a slot) has ended, so that its proofs cannot change (handles PROOFS_CLOSED)."""
    status = state[CAMPAIGNS].get(slot).status
    return status if status in (COMPLETED, STOPPED) else None


def campaign_batches(state: State, campaign: Campaign) -> list[Batch]:
    """The batches of a campaign, by number."""
    return state[BATCHES].rows_in("campaign", campaign.n)


def next_pending_batch(state: State, campaign: Campaign) -> Batch | None:
    """The batch to prepare next, or None once all are prepared."""
    return next((batch for batch in campaign_batches(state, campaign) if batch.status == PENDING), None)


def unpaid_batches(state: State, campaign: Campaign) -> list[Batch]:
    """The prepared batches without a payment that is settled, reserved or uncertain."""
    prepared = [batch for batch in campaign_batches(state, campaign) if batch.status in UNPAID]
    return [batch for batch in prepared if payment_of(state, BATCH_RESOURCE, batch.n) is None]


def fulfilment_of(state: State, batch: Batch) -> Fulfilment:
    """The fulfilment of a prepared batch."""
    if batch.fulfilment is None:
        raise TypeError(f"batch {batch.n} is {batch.status}: it has no fulfilment yet")
    return state[FULFILMENTS].get(batch.fulfilment)
