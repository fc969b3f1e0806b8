"""Canceling recipients of a team order, with a refund of their share (P-2.33 to P-2.37, P-3.11 to P-3.16, B15, B39)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment, find_row, rows
from giftsim.domain.fulfilment.payment import check_known
from giftsim.domain.fulfilment.problem import NothingToCancel
from giftsim.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.domain.fulfilment.shipment import CANCELED, DELAYED, Shipment, cancelable, step
from giftsim.domain.money.account import ACCOUNTS, move
from giftsim.domain.money.allocation import refund_parts
from giftsim.kernel.state import State

Row = tuple[Recipient, Shipment]


class Canceled(msgspec.Struct, frozen=True):
    """One recipient canceled just now, and what went back."""

    recipient: Recipient
    shipment: Shipment
    was_paid: bool
    wallet_cents: int
    card_cents: int


class Skipped(msgspec.Struct, frozen=True):
    """One recipient left as it was, and why."""

    recipient: Recipient
    shipment: Shipment
    reason: str


class Cancellation(msgspec.Struct, frozen=True):
    """What a cancel did: every recipient named is in exactly one of the three lists."""

    order: Fulfilment
    canceled: tuple[Canceled, ...]
    skipped: tuple[Skipped, ...]
    already_canceled: tuple[Row, ...]

    @property
    def refunded_cents(self) -> int:
        return sum([row.wallet_cents + row.card_cents for row in self.canceled])


def cancel(
    state: State, order: Fulfilment, recipient_ids: Sequence[int] | None = None, reason: str | None = None
) -> Cancellation:
    """Cancel the recipients of those public ids, each once, or all; in the order of the rows.

    RecipientNotFound and nothing done for an unknown id; OutcomeUnknown while the order's charge is unknown;
    NothingToCancel where all named are canceled or beyond it.
    """
    order = state[FULFILMENTS].get(order.n)
    named = _named(state, order, recipient_ids)
    check_known(state, order)
    already = tuple([row for row in named if row[1].status == CANCELED])
    skipped = tuple([Skipped(*row, _reason(row[1])) for row in named if not _movable(state, row[1])])
    canceled = tuple([_cancel_row(state, order, *row, reason) for row in named if cancelable(state, row[1])])
    if not canceled:
        raise NothingToCancel(f"no recipient of team order {order.id} that was named can still be canceled")
    _settle(state, order, canceled)
    return Cancellation(state[FULFILMENTS].get(order.n), canceled, skipped, already)


def _named(state: State, order: Fulfilment, recipient_ids: Sequence[int] | None) -> list[Row]:
    if recipient_ids is None:
        return list(rows(state, order))
    found = [find_row(state, order, recipient_id) for recipient_id in dict.fromkeys(recipient_ids)]
    return sorted(found, key=lambda row: row[0].place)


def _movable(state: State, shipment: Shipment) -> bool:
    return shipment.status == CANCELED or cancelable(state, shipment)


def _reason(shipment: Shipment) -> str:
    """Why a row cannot be canceled: the furthest that its parcel has come (P-3.12)."""
    if shipment.status == DELAYED:
        return "delayed_in_production"
    return f"already_{shipment.status}"


def _cancel_row(
    state: State, order: Fulfilment, recipient: Recipient, shipment: Shipment, reason: str | None
) -> Canceled:
    """Cancel one row; its refund takes what is left of the wallet's part of the whole order first (P-3.13)."""
    wallet_cents = card_cents = 0
    if order.paid_at_ms is not None:
        now = state[FULFILMENTS].get(order.n)
        wallet_left_cents = now.wallet_cents - now.refunded_wallet_cents
        wallet_cents, card_cents = refund_parts(recipient.total_cents, wallet_left_cents)
        state[FULFILMENTS].put(
            msgspec.structs.replace(
                now,
                refunded_wallet_cents=now.refunded_wallet_cents + wallet_cents,
                refunded_card_cents=now.refunded_card_cents + card_cents,
            )
        )
    refunds = {"refunded_wallet_cents": wallet_cents, "refunded_card_cents": card_cents}
    recipient = state[RECIPIENTS].put(msgspec.structs.replace(recipient, cancel_reason=reason, **refunds))
    shipment = step(state, shipment, "cancel")
    return Canceled(recipient, shipment, order.paid_at_ms is not None, wallet_cents, card_cents)


def _settle(state: State, order: Fulfilment, canceled: Sequence[Canceled]) -> None:
    """Give the money back; an unpaid order instead costs so much less from now on (G32)."""
    wallet_cents = sum([row.wallet_cents for row in canceled])
    card_cents = sum([row.card_cents for row in canceled])
    if wallet_cents or card_cents:
        account = state[ACCOUNTS].get(order.payer)
        postings = (
            (account.wallet, wallet_cents),
            (account.saved_card, card_cents),
            (f"order {order.n}", -wallet_cents - card_cents),
        )
        move(state, account, "refund", order.ref, postings)
    elif order.paid_at_ms is None:
        _shrink(state, order, canceled)


def _shrink(state: State, order: Fulfilment, canceled: Sequence[Canceled]) -> None:
    order = state[FULFILMENTS].get(order.n)
    gone = [row.recipient for row in canceled]
    state[FULFILMENTS].put(
        msgspec.structs.replace(
            order,
            subtotal_cents=order.subtotal_cents - sum([row.subtotal_cents for row in gone]),
            shipping_cents=order.shipping_cents - sum([row.shipping_cents for row in gone]),
            event_fees_cents=order.event_fees_cents - sum([row.event_fees_cents for row in gone]),
        )
    )
