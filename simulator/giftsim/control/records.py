"""Orders, gifts and campaigns as one kind of thing: what is sent to whom, in one or several fulfilments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from giftsim.control import order_lookup
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment, PartnerOrder, recipient_rows
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.fulfilment.shipment import Shipment
from giftsim.domain.team.campaigns.campaign import BATCH_RESOURCE, Campaign, batches
from giftsim.domain.team.campaigns.campaign import RESOURCE as CAMPAIGN_RESOURCE
from giftsim.domain.team.campaigns.campaign_control import fulfilments
from giftsim.domain.team.orders.gift import RESOURCE as GIFT_RESOURCE
from giftsim.domain.team.orders.gift import Gift
from giftsim.domain.team.orders.team_order import RESOURCE as ORDER_RESOURCE
from giftsim.domain.team.orders.team_order import TeamOrder
from giftsim.domain.team.tenant import Id
from giftsim.kernel.state import State

ORDER, GIFT, CAMPAIGN = "order", "gift", "campaign"


class Sending(NamedTuple):
    """An order, a gift or a campaign. `record` is that of a team, None for a partner's order.

    `resource` names the record to approvals, `paid` are the (type, slot) pairs that payments name.
    """

    kind: str
    id: Id
    created_ms: int
    fulfilments: tuple[Fulfilment, ...]
    record: TeamOrder | Gift | Campaign | None = None
    resource: str | None = None
    paid: tuple[tuple[str, int], ...] = ()

    @property
    def recipient_count(self) -> int:
        return sum(each.recipient_count for each in self.fulfilments)

    def rows(self, state: State, limit: int) -> list[tuple[Recipient, Shipment]]:
        """The first recipients with their parcels."""
        return list(islice(self._all_rows(state), limit))

    def _all_rows(self, state: State) -> Iterator[tuple[Recipient, Shipment]]:
        for fulfilment in self.fulfilments:
            yield from recipient_rows(state, fulfilment)


def find_order(state: State, raw: str) -> Sending:
    """A partner's or a team's order. TeamOrderNotFound."""
    order = order_lookup.find_order(state, read_id(raw))
    if isinstance(order, PartnerOrder):
        return Sending(ORDER, order.id, order.made_at_ms, (order,))
    fulfilment = state[FULFILMENTS].get(order.fulfilment)
    paid = ((ORDER_RESOURCE, order.n),)
    return Sending(ORDER, order.id, order.created_ms, (fulfilment,), order, ORDER_RESOURCE, paid)


def gift_sending(state: State, gift: Gift) -> Sending:
    """A gift with its fulfilment."""
    fulfilment = state[FULFILMENTS].get(gift.fulfilment)
    paid = ((GIFT_RESOURCE, gift.n),)
    return Sending(GIFT, gift.id, gift.created_ms, (fulfilment,), gift, GIFT_RESOURCE, paid)


def campaign_sending(state: State, campaign: Campaign) -> Sending:
    """A large campaign with the fulfilments of its prepared batches."""
    paid = tuple([(BATCH_RESOURCE, batch.n) for batch in batches(state, campaign)])
    prepared = tuple(fulfilments(state, campaign))
    return Sending(CAMPAIGN, campaign.id, campaign.created_ms, prepared, campaign, CAMPAIGN_RESOURCE, paid)


def read_id(raw: str) -> Id:
    """A public id: a number, or a UUID in a sandbox."""
    return int(raw) if raw.isascii() and raw.isdigit() else raw
