"""How orders, gifts and campaigns are searched, and which of them failed or wait for somebody."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from giftsim.engine.gateway.record_search import Group, Outcome, Search, SearchField
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import API_KEYS
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    CLAIM_LINKS,
    FULFILMENTS,
    ORDER_STATUSES,
    TROUBLE,
    UNCLAIMED,
    UNPAID,
    Fulfilment,
    TeamFulfilment,
)
from giftsim.services.gifting.domain.fulfilment.order_charge import PURPOSE
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import DELAYED, EXPIRED, REJECTED, STATUSES
from giftsim.services.gifting.domain.money.account import ACCOUNTS
from giftsim.services.gifting.domain.money.charge import CHARGES, failed_key
from giftsim.services.gifting.domain.team.campaigns.campaign import Campaign
from giftsim.services.gifting.domain.team.orders import gift as gifts
from giftsim.services.gifting.domain.team.orders.gift import Gift
from giftsim.services.gifting.domain.team.orders.team_order import APPROVED, AWAITING_APPROVAL, TEAM_ORDERS
from giftsim.services.gifting.records.gifting_kinds import CAMPAIGN, GIFT, ORDER
from giftsim.services.gifting.records.key_credentials import credential_name
from giftsim.services.gifting.records.titles import campaign_title, gift_title, order_title

# Why an order needs attention, by the statuses of its parcels, the worst first. The words are those of its event.
_REASONS: Final = {REJECTED: "shipment_rejected", EXPIRED: "claim_link_expired", DELAYED: "shipment_delayed"}
_WORDS: Final = {
    "shipment_rejected": "parcel rejected",
    "claim_link_expired": "link expired",
    "shipment_delayed": "parcel delayed",
    "approval_rejected": "the approval was rejected",
}
_PLACES: Final = [(STATUSES.index(status), reason) for status, reason in _REASONS.items()]
_FIRST, _END = min(at for at, _ in _PLACES), max(at for at, _ in _PLACES) + 1
PAYMENT_UNKNOWN: Final = "payment_unknown"


def _recipients(state: State, order: Fulfilment) -> Sequence[Recipient]:
    return state[RECIPIENTS].span(order.first_recipient, order.recipient_count)


def _people(state: State, order: Fulfilment) -> Sequence[str | None]:
    if order.recipient_count == 1:
        row = state[RECIPIENTS].get(order.first_recipient)
        return row.name, row.email, row.company
    return [text for row in _recipients(state, order) for text in (row.name, row.email, row.company)]


def _order_text(state: State, order: Fulfilment) -> Sequence[object]:
    own: tuple[object, ...] = (order.id, order.name, order.reference, order.po_number)
    if isinstance(order, TeamFulfilment):
        of_team = state[TEAM_ORDERS].get(order.subject)
        own = of_team.id, of_team.po_number
    items = [item.name for item in order.items]
    return *own, order_title(state, order), *items, *_people(state, order)


def _order_parts(state: State, order: Fulfilment) -> Sequence[object]:
    if order.recipient_count == 1:
        return order, state[RECIPIENTS].rows[order.first_recipient]
    return order, *_recipients(state, order)


def _key_of(state: State, n: int | None) -> tuple[str, ...]:
    return () if n is None else (credential_name(state[API_KEYS].get(n)),)


def _key_of_order(state: State, order: Fulfilment) -> tuple[str, ...]:
    key = state[TEAM_ORDERS].get(order.subject).key if isinstance(order, TeamFulfilment) else order.key
    return _key_of(state, key)


def _reason(state: State, order: Fulfilment) -> str | None:
    """Why an order failed, in the words of the API: the code of its charge, or what is wrong with a parcel."""
    status = ORDER.status(state, order)
    if status == UNPAID:
        failed = state[CHARGES].slots_in("unpaid", failed_key(PURPOSE, order.n))
        return (failed and state[CHARGES].get(failed[-1]).code) or PAYMENT_UNKNOWN
    if any(order.tally[_FIRST:_END]):
        return next(reason for place, reason in _PLACES if order.tally[place])
    return "approval_rejected" if status == REJECTED else None


def _group_order(state: State) -> Callable[[Fulfilment], Group]:
    """What an order that failed or waits has in common with others: why it failed, or its status."""
    status_of, made = partial(ORDER.status, state), dict[tuple[str, str | None], Group]()

    def group(order: Fulfilment) -> Group:
        status = status_of(order)
        may_have_failed = status in (UNPAID, REJECTED) or any(order.tally[_FIRST:_END])
        key = status, _reason(state, order) if may_have_failed else None
        if key not in made:
            made[key] = _group_of(*key)
        return made[key]

    return group


def _group_of(status: str, reason: str | None) -> Group:
    if reason is None:
        return Group(status.replace("_", " "), (("status", status),))
    words = _WORDS.get(reason) or f"{status}: {reason.removesuffix('_no_card').replace('_', ' ')}"
    return Group(words, (("why", reason),))


def _failed_orders(state: State) -> set[int]:
    """The slots of the orders that are unpaid or rejected, or have a parcel that needs attention."""
    table, teams = state[FULFILMENTS], state[TEAM_ORDERS]
    rejected = (teams.get(n).fulfilment for n in teams.slots_in("status", REJECTED))
    return {*table.slots_in("need", UNPAID), *table.slots_in("need", TROUBLE), *rejected}


def _waiting_orders(state: State) -> set[int]:
    """The slots of the orders that wait for an approval, a payment or an address."""
    teams = state[TEAM_ORDERS]
    slots = (*teams.slots_in("status", AWAITING_APPROVAL), *teams.slots_in("status", APPROVED))
    return {*state[FULFILMENTS].slots_in("need", UNCLAIMED), *(teams.get(n).fulfilment for n in slots)}


def _count_orders(state: State) -> dict[str, int]:
    """How many orders have each status."""
    counts, table = dict.fromkeys(ORDER.statuses, 0), state[FULFILMENTS]
    for account in state[ACCOUNTS]:
        for status in ORDER_STATUSES:
            counts[status] += len(table.slots_in("status", f"{account.n} {status}"))
    for order in state[TEAM_ORDERS]:
        counts[order.status] += 1
    return counts


_KEY: Final = "the key whose call placed it", "key:partner.prepaid"
_WHO: Final = "a name, an email address or a company of its recipients", "who:bo@example.com"

ORDER_SEARCH: Final = Search(
    "orders",
    ORDER,
    "an order",
    "its title, id, name, reference, PO number and items, and its recipients' names, addresses and companies",
    text=_order_text,
    parts=_order_parts,
    at=lambda order: order.made_at_ms,
    fields=(
        SearchField("who", *_WHO, of=_people, in_part=True),
        SearchField(
            "kind",
            "how it gets its addresses (`claim_links` or another word), or `partner` or `team`",
            f"kind:{CLAIM_LINKS}",
            of=lambda _, order: (order.address_mode, order.channel),
        ),
        SearchField("key", *_KEY, of=_key_of_order),
        SearchField(
            "why",
            "why it failed: the code of its payment's failure, or the reason of `team_order.needs_attention`",
            "why:insufficient_funds",
            of=lambda state, order: (_reason(state, order),),
        ),
    ),
    failed=Outcome("unpaid, rejected, or with a parcel that needs attention", slots=_failed_orders),
    waiting=Outcome("it waits for an approval, a payment or an address", slots=_waiting_orders),
    group=_group_order,
    counts=_count_orders,
)


def _gift_fulfilment(state: State, gift: Gift) -> Fulfilment:
    return state[FULFILMENTS].get(gift.fulfilment)


def _gift_text(state: State, gift: Gift) -> Iterator[object]:
    order = _gift_fulfilment(state, gift)
    yield from (gift.id, gift.slug, gift.message, gift_title(state, gift))
    yield from (item.name for item in order.items)
    yield from _people(state, order)


def _gift_parts(state: State, gift: Gift) -> Sequence[Any]:
    return gift, *_order_parts(state, _gift_fulfilment(state, gift))


GIFT_SEARCH: Final = Search(
    "gifts",
    GIFT,
    "a gift",
    "its title, id, contents and message, and its recipients' names, addresses and companies",
    text=_gift_text,
    parts=_gift_parts,
    at=lambda gift: gift.created_ms,
    fields=(
        SearchField("who", *_WHO, of=lambda state, gift: _people(state, _gift_fulfilment(state, gift)), in_part=True),
        SearchField("key", *_KEY, of=lambda state, gift: _key_of(state, gift.key)),
    ),
    failed=Outcome("rejected or expired", (REJECTED, EXPIRED)),
    waiting=Outcome("it waits for an approval, or for its recipient to claim it", (AWAITING_APPROVAL, gifts.SENT)),
)


def _campaign_text(_: State, row: Campaign) -> Iterator[object]:
    yield from (row.id, row.name, row.collection, row.gift_message, campaign_title(row))
    yield from (item.name for item in row.items)


CAMPAIGN_SEARCH: Final = Search(
    "campaigns",
    CAMPAIGN,
    "a campaign",
    "its title, id, name, contents and message",
    text=_campaign_text,
    at=lambda row: row.created_ms,
    fields=(SearchField("key", *_KEY, of=lambda state, row: _key_of(state, row.key)),),
    failed=Outcome("stopped", ("stopped",)),
    waiting=Outcome("it waits for an approval, or is paused", (AWAITING_APPROVAL, "paused")),
)

SEARCHES: Final[Sequence[Search[Any]]] = (ORDER_SEARCH, GIFT_SEARCH, CAMPAIGN_SEARCH)
