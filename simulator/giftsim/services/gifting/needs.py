"""What fails and waits in gifting: orders, gifts and campaigns, approvals and proofs, with what mends the newest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

from giftsim.engine.gateway.need import Act, Health, Need
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    TROUBLE,
    UNCLAIMED,
    UNPAID,
    Fulfilment,
    PartnerOrder,
    partner_order,
    recipient_rows,
)
from giftsim.services.gifting.domain.fulfilment.order_charge import PURPOSE
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
    AWAITING,
    DELAYED,
    EXPIRED,
    REJECTED,
    SHIPPED,
    STATUSES,
    Shipment,
)
from giftsim.services.gifting.domain.fulfilment.transit import FOUND
from giftsim.services.gifting.domain.money.account import ACCOUNTS, NET_TERMS, Account
from giftsim.services.gifting.domain.money.charge import CHARGES, Charge, failed_key
from giftsim.services.gifting.domain.money.money_errors import DailySpendLimitExceeded
from giftsim.services.gifting.domain.team.campaigns.campaign import AWAITING_APPROVAL as CAMPAIGN_WAITS
from giftsim.services.gifting.domain.team.campaigns.campaign import CAMPAIGNS, PAUSED, STOPPED
from giftsim.services.gifting.domain.team.design.proof import IN_REVIEW, PROOFS, READY_TO_SIGN, SIGN, Proof
from giftsim.services.gifting.domain.team.orders.approval import APPROVALS, APPROVE, PENDING, REJECT, Approval
from giftsim.services.gifting.domain.team.orders.gift import AWAITING_APPROVAL, GIFTS, SENT, Gift
from giftsim.services.gifting.domain.team.orders.team_order import APPROVED, ORDER_ITEMS, TEAM_ORDERS
from giftsim.services.gifting.domain.team.orders.team_order import AWAITING_APPROVAL as ORDER_WAITS
from giftsim.services.gifting.domain.team.people.crm_contact import CRM_HALVES, CRM_OUTAGES
from giftsim.services.gifting.records.gifting_kinds import GIFT, ORDER, PROOF
from giftsim.services.gifting.records.off_sale import empty_choice, mark_name, marks_of_choice, put_back_body
from giftsim.services.gifting.records.parent_refs import ref_of_fulfilment, ref_of_resource
from giftsim.services.gifting.records.titles import gift_title, order_title, resource_title

if TYPE_CHECKING:
    from giftsim.engine.worlds.world import World

R = TypeVar("R", bound=Record)
FAILURES, WAITS = 3, 1  # of one kind that are told one by one
DECISIONS = 2  # that are told one by one
LOOKED_AT = 50  # recipients of an order
TROUBLES: Final = {REJECTED: "Parcel rejected", EXPIRED: "Link expired", DELAYED: "Parcel delayed"}  # the worst first
LATE_IN_TRANSIT, LOST_IN_TRANSIT = "delayed in transit", "rejected in transit"
# What helps such a parcel: the label of the act, its verb, and what its body says beside whose parcel it is.
HELPS: Final[Mapping[str, tuple[str, str, Mapping[str, str]]]] = {
    DELAYED: ("Ship the delayed parcel", "shipment", {"to": SHIPPED}),
    LATE_IN_TRANSIT: ("Deliver the delayed parcel", "parcel", {"event": FOUND}),
    LOST_IN_TRANSIT: ("Find the lost parcel", "parcel", {"event": FOUND}),
    EXPIRED: ("Send a new link", "claim_link", {}),
}
CRM: Final = "simulate/crm"
Made = Callable[["World", State, Any], Need]


def _count(spec: TableSpec[Any], group: str, *keys: str) -> Callable[[State], int]:
    """How many records of a table are in some groups of an index."""
    return lambda state: sum(len(state[spec].slots_in(group, key)) for key in keys)


def _told(
    world: World, state: State, found: tuple[TableSpec[R], str, str], make: Made, most: int, rest: str, one: str = ""
) -> Iterator[Need]:
    """The newest records of a group of an index, and how many more there are: `rest` says what, `one` if it is one."""
    spec, group, key = found
    slots = state[spec].slots_in(group, key)
    newest = [make(world, state, state[spec].get(n)) for n in islice(reversed(slots), most)]
    yield from newest
    if more := len(slots) - len(newest):
        first = newest[0]
        yield Need(first.kind, first.failed, f"{more:,} more {one or rest if more == 1 else rest}", count=more)


# ---- Orders and gifts


def _orders(world: World, state: State) -> Iterator[Need]:
    unpaid, troubled = (FULFILMENTS, "need", UNPAID), (FULFILMENTS, "need", TROUBLE)
    yield from _told(world, state, unpaid, _unpaid, FAILURES, "unpaid")
    yield from _told(world, state, troubled, _troubled, FAILURES, "with a parcel that needs help")
    yield from _told(world, state, (FULFILMENTS, "need", UNCLAIMED), _unclaimed, WAITS, "unclaimed")


def _unpaid(world: World, state: State, order: Fulfilment) -> Need:
    title, about = order_title(state, order), ORDER.ref_of(state, order.n)
    slots = state[CHARGES].slots_in("unpaid", failed_key(PURPOSE, order.n))
    if not slots:
        return Need("unpaid", True, f"Unpaid: {title}", title, _money(order.total_cents), 1, about, order.made_at_ms)
    charge = state[CHARGES].get(slots[-1])
    why = (charge.code or "").removesuffix("_no_card").replace("_", " ")
    act = _mend(state, partner_order(state, order.n), charge, retry=order.made_at_ms >= world.config.now_ms)
    acts = (act,) if act else ()
    note = f"{_money(charge.amount_cents)}, {why if act and act.path else 'funded, not tried again'}"
    return Need("unpaid", True, f"Unpaid: {title}", title, note, 1, about, charge.opened_at_ms, None, acts)


def _mend(state: State, order: PartnerOrder, charge: Charge, *, retry: bool) -> Act | None:
    """What the account needs for the payment, and whether the app's call is then made again."""
    account = state[ACCOUNTS].get(order.account)
    label, changes = _changes(account, charge)
    if not changes:
        return Act("Retry", None, {}, retry=True) if retry else None
    body = {"account_id": account.id, **changes}
    return Act(f"{label} and retry" if retry else label, "simulate/account", body, retry=retry)


def _changes(account: Account, charge: Charge) -> tuple[str, dict[str, Any]]:
    """What lets a payment succeed: in words, and as changes of its account."""
    amount, free = charge.amount_cents, account.cash_cents - account.held_cents
    if charge.code == DailySpendLimitExceeded.code:
        return "Remove the daily limit", {"daily_limit_cents": None}
    if account.billing_mode == NET_TERMS:
        needed = account.owed_cents + amount
        lacks = needed > account.credit_limit_cents
        return (f"Raise the credit line to {_money(needed)}", {"credit_limit_cents": needed}) if lacks else ("", {})
    return (f"Fund {_money(amount - free)}", {"add_cents": amount - free}) if free < amount else ("", {})


def _troubled(_world: World, state: State, order: Fulfilment) -> Need:
    """An order with parcels that need help, told by the worst of them: the first that can go on is helped."""
    title, about = order_title(state, order), ref_of_fulfilment(state, order)
    worst = next((status for status in TROUBLES if order.tally[STATUSES.index(status)]), DELAYED)
    rows = ((recipient, _trouble(shipment)) for recipient, shipment in _rows(state, order))
    recipient, status = next((row for row in rows if row[1] in HELPS), (None, DELAYED))
    acts: tuple[Act, ...] = ()
    if recipient is not None:
        label, verb, changes = HELPS[status]
        named = {"team_order_id": about.id, "recipient": recipient.place}
        acts = (Act(label, f"simulate/{verb}", {**named, **changes}),)
    text = f"{TROUBLES[worst]}: {title}"
    return Need("trouble", True, text, title, _money(order.total_cents), about=about, acts=acts)


def _trouble(shipment: Shipment) -> str:
    """What is wrong with a parcel: its status, or what befell it after its handover."""
    if shipment.shipped_at_ms is None:
        return shipment.status
    return {DELAYED: LATE_IN_TRANSIT, REJECTED: LOST_IN_TRANSIT}.get(shipment.status, shipment.status)


def _unclaimed(_world: World, state: State, order: Fulfilment) -> Need:
    about = ref_of_fulfilment(state, order)
    return _claim_need(state, order, order_title(state, order), {"about": about}, {"team_order_id": about.id})


def _unclaimed_gift(_world: World, state: State, gift: Gift) -> Need:
    order = state[FULFILMENTS].get(gift.fulfilment)
    return _claim_need(state, order, gift_title(state, gift), {"about": GIFT.itself(gift)}, {"gift_id": gift.id})


def _claim_need(state: State, order: Fulfilment, title: str, more: dict[str, Any], named: dict[str, Any]) -> Need:
    """What waits for an address. The first recipient who can claim may do so, if there is something left to pick."""
    rows = ((recipient, shipment) for recipient, shipment in _rows(state, order) if shipment.status == AWAITING)
    recipient, shipment = next(rows, (None, None))
    links = f"{order.tally[0]:,} of {order.recipient_count:,} links" if order.recipient_count > 1 else ""
    acts: tuple[Act, ...] = ()
    if recipient is not None and (recipient.name or recipient.email):
        label = f"Claim as {(recipient.name or recipient.email or '')[:40]}"
        acts = (Act(label, "simulate/claim", {**named, "recipient": recipient.place}),)
    if (choice := empty_choice(state, order)) is not None:
        mark = marks_of_choice(state, order, choice)[0]
        acts = (Act(f"Put {mark_name(state, mark)} back on sale", "simulate/stock", put_back_body(state, mark)),)
    return Need(
        "unclaimed",
        False,
        f"Unclaimed: {title}",
        title,
        ", ".join(filter(None, (_money(order.total_cents), links))),
        at_ms=order.paid_at_ms,
        until_ms=shipment.expires_at_ms if shipment else None,
        acts=acts,
        **more,
    )


def _rows(state: State, order: Fulfilment) -> Iterable[tuple[Recipient, Shipment]]:
    return islice(recipient_rows(state, order), LOOKED_AT)


def _gifts(world: World, state: State) -> Iterator[Need]:
    yield from _told(world, state, (GIFTS, "status", SENT), _unclaimed_gift, WAITS, "unclaimed gifts", "unclaimed gift")
    yield from _providers(state)


def _providers(state: State) -> Iterator[Need]:
    """The CRM providers that are down or answer in part, until somebody ends that; gifts to contacts need them."""
    for outage in state[CRM_OUTAGES]:
        act = Act("End outage", CRM, {"provider": outage.provider, "outage": False})
        yield Need("provider", True, f"CRM is down: {outage.provider}", outage.provider, outage.message, acts=(act,))
    for half in state[CRM_HALVES]:
        act = Act("Answer in full", CRM, {"provider": half.provider, "half": False})
        yield Need("provider", False, f"CRM answers in part: {half.provider}", half.provider, acts=(act,))


# ---- Decisions


def _decisions(world: World, state: State) -> Iterator[Need]:
    yield from _told(world, state, (APPROVALS, "status", PENDING), _approval, DECISIONS, "approvals", "approval")
    yield from _told(world, state, (PROOFS, "status", IN_REVIEW), _proof, WAITS, "proofs to review", "proof to review")
    yield from _told(world, state, (PROOFS, "status", READY_TO_SIGN), _proof, WAITS, "proofs to sign", "proof to sign")


def _approval(_world: World, state: State, approval: Approval) -> Need:
    about = ref_of_resource(approval.resource_type, approval.resource_id)
    title = resource_title(state, approval.resource_type, approval.resource)

    def act(label: str, decision: str) -> Act:
        return Act(label, "simulate/approval", {"approval_id": approval.id, "decision": decision})

    return Need(
        "approval",
        False,
        f"Approval: {title}",
        title,
        ", ".join(filter(None, (_money(approval.amount_cents), approval.note))),
        about=about,
        at_ms=approval.created_ms,
        until_ms=approval.expires_ms,
        acts=(act("Approve", APPROVE), act("Reject", REJECT)),
    )


def _proof(_world: World, state: State, proof: Proof) -> Need:
    item = state[ORDER_ITEMS].get(proof.item)
    label, decision = ("Sign", SIGN) if proof.status == READY_TO_SIGN else ("Approve", APPROVE)
    text = f"Proof to {'sign' if decision == SIGN else 'review'}: {item.name}"
    act = Act(label, "simulate/proof", {"proof_id": item.id, "decision": decision})
    at_ms = proof.versions[-1].created_ms if proof.versions else item.created_ms
    return Need("proof", False, text, item.name, about=PROOF.ref(state, item), at_ms=at_ms, acts=(act,))


def _money(cents: int) -> str:
    return f"${cents / 100:,.2f}".removesuffix(".00")


def _waiting_orders(state: State) -> int:
    started, others = _count(FULFILMENTS, "need", UNCLAIMED), _count(TEAM_ORDERS, "status", ORDER_WAITS, APPROVED)
    return started(state) + others(state)


def _failed_orders(state: State) -> int:
    started, others = _count(FULFILMENTS, "need", UNPAID, TROUBLE), _count(TEAM_ORDERS, "status", REJECTED)
    return started(state) + others(state)


def _waiting_decisions(state: State) -> int:
    proofs = _count(PROOFS, "status", IN_REVIEW, READY_TO_SIGN)
    return _count(APPROVALS, "status", PENDING)(state) + proofs(state)


HEALTH: Final = (
    Health("orders", _failed_orders, _waiting_orders, _orders),
    Health(
        "gifts",
        _count(GIFTS, "status", REJECTED, EXPIRED),
        _count(GIFTS, "status", AWAITING_APPROVAL, SENT),
        _gifts,
    ),
    Health("campaigns", _count(CAMPAIGNS, "status", STOPPED), _count(CAMPAIGNS, "status", CAMPAIGN_WAITS, PAUSED)),
    Health("inbox", waiting=_waiting_decisions, needs=_decisions),
)
