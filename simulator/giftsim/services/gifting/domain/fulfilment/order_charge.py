"""Pay a partner's team order with one charge, and start the fulfilment once it is paid (P-1.1, P-1.2, G28, G32)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from giftsim.engine.kernel.signals import Signal, ignore
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.api_key import ApiKey
from giftsim.services.gifting.domain.fulfilment.due_times import claim_expiry_ms
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    CLAIM_LINKS,
    FULFILMENTS,
    Fulfilment,
    PartnerOrder,
    derive_status,
    partner_order,
    recipient_rows,
)
from giftsim.services.gifting.domain.fulfilment.mail import CLAIM_LINK, record_mail
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient, claim_path
from giftsim.services.gifting.domain.fulfilment.shipment import CANCELED, start_clock
from giftsim.services.gifting.domain.money.account import ACCOUNTS, NET_TERMS, NO_CARD, Account
from giftsim.services.gifting.domain.money.charge import (
    CHARGES,
    PAID,
    SENT,
    Charge,
    ChargeFault,
    CrashAfterCharge,
    mark_unknown,
    open_charge,
    process_charge,
)
from giftsim.services.gifting.domain.money.money_errors import REFUSALS, OutcomeUnknown, PaymentRefused

PURPOSE = "partner_order"

# A claim link works from now on.
LINK_OPENED: Signal[Callable[[State, Fulfilment, Recipient], None]] = Signal("link_opened", ignore)


def charge_order(state: State, order: PartnerOrder, key: ApiKey, fault: ChargeFault) -> Charge | PaymentRefused:
    """Charge an unpaid order for its rows that are not canceled. Returns the paid charge, or the refusal (not raised).

    A refusal leaves the order unpaid; commit the transaction all the same (P-7.16). For an order that is paid already,
    returns the charge that paid it. OutcomeUnknown while the outcome of an earlier charge is unknown. CrashAfterCharge,
    with the charge committed as sent, if `fault` says so. Do not call it for a canceled order (B6).
    """
    order = partner_order(state, order.n)
    if order.charge is not None:
        check_charge_known(state, order)
        return state[CHARGES].get(order.charge)
    if order.status == CANCELED:
        raise InvalidState(f"team order {order.id} is canceled: there is nothing to charge")
    account = state[ACCOUNTS].get(order.account)
    charge = open_charge(
        state,
        account,
        key,
        order.total_cents,
        purpose=PURPOSE,
        subject=order.n,
        toward=f"order {order.n}",
        declined=fault.declined,
    )
    if fault.crash and charge.status == SENT:
        _keep_unknown(state, order, charge)
        raise CrashAfterCharge(charge.transaction_id)
    charge = process_charge(state, charge)
    return charge if charge.code is None else payment_refusal(charge, order, account)


def _keep_unknown(state: State, order: Fulfilment, charge: Charge) -> None:
    state[FULFILMENTS].put(msgspec.structs.replace(order, charge=charge.n))
    mark_unknown(state, charge)
    state.commit_so_far()


def payment_refusal(charge: Charge, order: Fulfilment, account: Account) -> PaymentRefused:
    """The refusal that a failed charge is answered with; its details have the `team_order_id` (P-7.16)."""
    kind = REFUSALS[charge.code or ""]
    hint = "Raise the limit" if account.billing_mode == NET_TERMS else "Fund the account"
    if account.billing_mode != NET_TERMS and account.card == NO_CARD:
        hint += " or save a card"
    hint += " and retry with the same idempotency_key, or cancel it"
    return kind(f"team order {order.id} exists unpaid: {kind.explanation}. {hint}.", team_order_id=order.id)


def has_unknown_charge(state: State, order: Fulfilment) -> bool:
    """Whether the order's charge was sent and its outcome was not recorded (G28)."""
    return order.charge is not None and state[CHARGES].get(order.charge).status == SENT


def check_charge_known(state: State, order: Fulfilment) -> None:
    """OutcomeUnknown while the outcome of the order's charge is unknown (P-7.22)."""
    if has_unknown_charge(state, order):
        raise OutcomeUnknown(f"the outcome of the charge of team order {order.id} is not known yet")


def on_charge_closed(state: State, charge: Charge) -> None:
    """Start the order if its charge was paid, or clear the failed charge (handles CHARGE_CLOSED)."""
    order = state[FULFILMENTS].get(charge.subject)
    if charge.status == PAID:
        start_fulfilment(state, order, charge=charge.n, wallet_cents=charge.wallet_cents, card_cents=charge.card_cents)
    elif order.charge == charge.n:
        state[FULFILMENTS].put(msgspec.structs.replace(order, charge=None))


def start_fulfilment(state: State, order: Fulfilment, **changes: Any) -> Fulfilment:
    """Mark it paid and start it: claim links work and expire counting from now, and lead times run (G32).

    `changes` are further columns, such as how it was paid.
    """
    linked = order.address_mode == CLAIM_LINKS
    order = state[FULFILMENTS].put(
        msgspec.structs.replace(
            order,
            status=derive_status(order.tally, paid=True),
            paid_at_ms=state.now_ms,
            expires_at_ms=claim_expiry_ms(state, order.expiry_days) if linked else None,
            **changes,
        )
    )
    for recipient, shipment in recipient_rows(state, order):
        if shipment.status != CANCELED:
            start_clock(state, shipment, expires_at_ms=order.expires_at_ms)
            if linked:
                open_claim_link(state, order, recipient)
    return order


def open_claim_link(state: State, order: Fulfilment, recipient: Recipient) -> None:
    """Open the claim link of a row: mail the personal link, if it has one, and call LINK_OPENED."""
    if recipient.token and recipient.email:
        sender = order.gift_sender or "Somebody"
        record_mail(state, recipient.email, CLAIM_LINK, f"{sender} has a gift for you", (claim_path(recipient.token),))
    state.handler(LINK_OPENED)(state, order, recipient)
