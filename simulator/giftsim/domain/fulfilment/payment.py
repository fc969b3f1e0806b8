"""Paying a team order: one charge for the live rows, and what is set going when it is paid (P-1.1, P-1.2, G28, G32)."""

from __future__ import annotations

from typing import Any

import msgspec

from giftsim.domain.access.api_key import Key
from giftsim.domain.fulfilment.fulfilment import CLAIM_LINKS, FULFILMENTS, Fulfilment, derive, rows
from giftsim.domain.fulfilment.mail import post_mail
from giftsim.domain.fulfilment.recipient import Recipient, claim_path
from giftsim.domain.fulfilment.shipment import CANCELED, start
from giftsim.domain.money.account import ACCOUNTS, NET_TERMS, NO_CARD, Account
from giftsim.domain.money.charge import (
    CHARGES,
    PAID,
    SENT,
    Charge,
    Crash,
    Outside,
    ask_processor,
    fail_charge,
    leave_unknown,
    open_charge,
    settle_charge,
)
from giftsim.domain.money.charge_refusal import REFUSALS, OutcomeUnknown, PaymentRefused
from giftsim.kernel.instants import DAY
from giftsim.kernel.problem import InvalidTransition
from giftsim.kernel.state import State

PURPOSE = "partner_order"


def attempt(state: State, order: Fulfilment, key: Key, outside: Outside) -> Charge | PaymentRefused:
    """Charge an unpaid order for its live rows: the paid charge, or the refusal to answer with (it is not raised).

    A refusal leaves the order unpaid and is to be committed (P-7.16). OutcomeUnknown while an earlier charge is
    unknown. Crash, with the intent kept by a checkpoint, if the outside crashes after the processor took the money. An
    order that is paid already gives the charge that paid it; one that is canceled must not get here (B6).
    """
    order = state[FULFILMENTS].get(order.n)
    check_known(state, order)
    if order.charge is not None:
        return state[CHARGES].get(order.charge)
    if order.status == CANCELED:
        raise InvalidTransition(f"team order {order.id} is canceled: there is nothing to charge")
    account = state[ACCOUNTS].get(order.payer)
    charge = open_charge(
        state, account, key, order.total_cents, purpose=PURPOSE, subject=order.n, toward=f"order {order.n}",
        declined=outside.declined,
    )  # fmt: skip
    if outside.crash and charge.status == SENT:
        _keep_unknown(state, order, charge)
        raise Crash(charge.transaction_id)
    charge = ask_processor(state, charge)
    return charge if charge.code is None else refused(charge, order, account)


def _keep_unknown(state: State, order: Fulfilment, charge: Charge) -> None:
    state[FULFILMENTS].put(msgspec.structs.replace(order, charge=charge.n))
    leave_unknown(state, charge)
    state.checkpoint()


def refused(charge: Charge, order: Fulfilment, account: Account) -> PaymentRefused:
    """The refusal that a failed charge stands for; it carries `team_order_id` (P-7.16)."""
    kind = REFUSALS[charge.code or ""]
    hint = "Raise the limit" if account.billing_mode == NET_TERMS else "Fund the account"
    if account.billing_mode != NET_TERMS and account.card == NO_CARD:
        hint += " or save a card"
    hint += " and retry with the same idempotency_key, or cancel it"
    return kind(f"team order {order.id} exists unpaid: {kind.said}. {hint}.", team_order_id=order.id)


def unknown(state: State, order: Fulfilment) -> bool:
    """Whether the order's charge was sent and nobody recorded what came of it (G28)."""
    return order.charge is not None and state[CHARGES].get(order.charge).status == SENT


def check_known(state: State, order: Fulfilment) -> None:
    """OutcomeUnknown while the order's charge is unknown (P-7.22)."""
    if unknown(state, order):
        raise OutcomeUnknown(f"nobody knows yet whether the charge of team order {order.id} went through")


def resolve(state: State, order: Fulfilment, outcome: str) -> Charge:
    """Settle an unknown charge as `paid` or `failed`; InvalidTransition where nothing is unknown (G28)."""
    order = state[FULFILMENTS].get(order.n)
    if order.charge is None or not unknown(state, order):
        raise InvalidTransition(f"no charge of team order {order.id} is unknown: it is {order.status}")
    charge = state[CHARGES].get(order.charge)
    return settle_charge(state, charge) if outcome == PAID else fail_charge(state, charge)


def follow_charge(state: State, charge: Charge) -> None:
    """An order's charge was decided (the hook `charge.partner_order`)."""
    order = state[FULFILMENTS].get(charge.subject)
    if charge.status == PAID:
        _paid(state, order, charge)
    elif order.charge == charge.n:
        state[FULFILMENTS].put(msgspec.structs.replace(order, charge=None))


def _paid(state: State, order: Fulfilment, charge: Charge) -> None:
    set_going(state, order, charge=charge.n, wallet_cents=charge.wallet_cents, card_cents=charge.card_cents)


def set_going(state: State, order: Fulfilment, **changes: Any) -> Fulfilment:
    """Everything that waited for the money runs from now on, and the expiry of links counts from now (G32).

    `changes` to other columns say how it was paid.
    """
    linked = order.address_mode == CLAIM_LINKS
    order = state[FULFILMENTS].put(
        msgspec.structs.replace(
            order,
            status=derive(order.tally, paid=True),
            paid_at_ms=state.now_ms,
            expires_at_ms=state.now_ms + order.expiry_days * DAY if linked else None,
            **changes,
        )
    )
    for recipient, shipment in rows(state, order):
        if shipment.status != CANCELED:
            start(state, shipment, expires_at_ms=order.expires_at_ms)
            if linked:
                open_link(state, order, recipient)
    return order


def open_link(state: State, order: Fulfilment, recipient: Recipient) -> None:
    """A row waits for its recipient from now on: a personal link is mailed, an open seat has the shared one.

    The hook `link_opened(state, order, recipient)`, if there is one, is told.
    """
    if recipient.token and recipient.email:
        sender = order.gift_sender or "Somebody"
        post_mail(state, recipient.email, "claim_link", f"{sender} has a gift for you", (claim_path(recipient.token),))
    opened = state.definitions.hooks.get("link_opened")
    if opened is not None:
        opened(state, order, recipient)
