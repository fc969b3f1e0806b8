"""Cancel recipients of a partner's team order and refund their share (P-2.33 to P-2.37, P-3.11 to P-3.16, B15, B39)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    Fulfilment,
    PartnerOrder,
    find_recipient_row,
    partner_order,
    recipient_rows,
)
from giftsim.services.gifting.domain.fulfilment.order_charge import check_charge_known
from giftsim.services.gifting.domain.fulfilment.order_errors import NothingToCancel
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
    CANCELED,
    DELAYED,
    SHIPPED,
    Shipment,
    is_cancelable,
    take_step,
)
from giftsim.services.gifting.domain.money.account import ACCOUNTS, move_money
from giftsim.services.gifting.domain.money.refund import goes_to_wallet, postpone_refund, refund_parts

Row = tuple[Recipient, Shipment]


class CanceledRecipient(msgspec.Struct, frozen=True):
    """A recipient who was canceled by this call, and the refund."""

    recipient: Recipient
    shipment: Shipment
    was_paid: bool
    wallet_cents: int
    card_cents: int


class SkippedRecipient(msgspec.Struct, frozen=True):
    """A recipient who can no longer be canceled, and the reason."""

    recipient: Recipient
    shipment: Shipment
    reason: str

    def named(self) -> dict[str, Any]:
        """The names of the recipient and the reason, as JSON."""
        return {**names_of(self.recipient, self.shipment), "reason": self.reason}


def names_of(recipient: Recipient, shipment: Shipment) -> dict[str, Any]:
    """The public ids of a recipient and its shipment, as JSON (G116)."""
    return {"recipient_id": recipient.id, "order_id": shipment.order_id, "external_id": shipment.external_id}


class Cancellation(msgspec.Struct, frozen=True):
    """The result of a cancellation. Every requested recipient is in exactly one of the three lists."""

    order: Fulfilment
    canceled: tuple[CanceledRecipient, ...]
    skipped: tuple[SkippedRecipient, ...]
    already_canceled: tuple[Row, ...]

    @property
    def refunded_cents(self) -> int:
        return sum([row.wallet_cents + row.card_cents for row in self.canceled])


def cancel_recipients(
    state: State, order: PartnerOrder, recipient_ids: Sequence[int] | None = None, reason: str | None = None
) -> Cancellation:
    """Cancel the recipients with these public ids, each once, or all recipients; in the order of the rows.

    RecipientNotFound for an unknown id. OutcomeUnknown while the outcome of the order's charge is unknown.
    NothingToCancel, whose details say why, if none of them can be canceled. After an error nothing has changed.
    """
    order = partner_order(state, order.n)
    requested = _requested_rows(state, order, recipient_ids)
    check_charge_known(state, order)
    already = tuple([row for row in requested if row[1].status == CANCELED])
    skipped = tuple(
        [
            SkippedRecipient(recipient, shipment, _skip_reason(shipment))
            for recipient, shipment in requested
            if shipment.status != CANCELED and not is_cancelable(state, shipment)
        ]
    )
    canceled = tuple([_cancel_row(state, order, *row, reason) for row in requested if is_cancelable(state, row[1])])
    if not canceled:
        raise NothingToCancel(
            f"none of the requested recipients of team order {order.id} can still be canceled",
            skipped=[row.named() for row in skipped],
            already_canceled=[names_of(*row) for row in already],
        )
    _refund_or_reduce(state, order, canceled)
    return Cancellation(state[FULFILMENTS].get(order.n), canceled, skipped, already)


def _requested_rows(state: State, order: Fulfilment, recipient_ids: Sequence[int] | None) -> list[Row]:
    if recipient_ids is None:
        return list(recipient_rows(state, order))
    rows = [find_recipient_row(state, order, recipient_id) for recipient_id in dict.fromkeys(recipient_ids)]
    return sorted(rows, key=lambda row: row[0].place)


def _skip_reason(shipment: Shipment) -> str:
    """Why a recipient cannot be canceled: the furthest status of the parcel (P-3.12)."""
    if shipment.status == DELAYED:
        return "delayed_in_production" if shipment.shipped_at_ms is None else f"already_{SHIPPED}"
    return f"already_{shipment.status}"


def _cancel_row(
    state: State, order: PartnerOrder, recipient: Recipient, shipment: Shipment, reason: str | None
) -> CanceledRecipient:
    """Cancel one recipient. The refund uses what is left of the wallet's part of the whole order first (P-3.13)."""
    wallet_cents = card_cents = 0
    if order.paid_at_ms is not None:
        current = state[FULFILMENTS].get(order.n)
        wallet_left_cents = max(0, current.wallet_cents - current.refunded_wallet_cents)
        wallet_cents, card_cents = refund_parts(recipient.total_cents, wallet_left_cents)
        if card_cents and goes_to_wallet(state, state[ACCOUNTS].get(order.account)):
            wallet_cents, card_cents = wallet_cents + card_cents, 0
        state[FULFILMENTS].put(
            msgspec.structs.replace(
                current,
                refunded_wallet_cents=current.refunded_wallet_cents + wallet_cents,
                refunded_card_cents=current.refunded_card_cents + card_cents,
            )
        )
    refunds = {"refunded_wallet_cents": wallet_cents, "refunded_card_cents": card_cents}
    recipient = state[RECIPIENTS].put(msgspec.structs.replace(recipient, cancel_reason=reason, **refunds))
    shipment = take_step(state, shipment, "cancel")
    return CanceledRecipient(recipient, shipment, order.paid_at_ms is not None, wallet_cents, card_cents)


def _refund_or_reduce(state: State, order: PartnerOrder, canceled: Sequence[CanceledRecipient]) -> None:
    """Refund the canceled recipients of a paid order, or reduce the amounts of an unpaid one (G32)."""
    wallet_cents = sum([row.wallet_cents for row in canceled])
    card_cents = sum([row.card_cents for row in canceled])
    if wallet_cents or card_cents:
        account, source = state[ACCOUNTS].get(order.account), f"order {order.n}"
        if postpone_refund(state, account, order.ref, source, wallet_cents, card_cents):
            return
        postings = (
            (account.wallet, wallet_cents),
            (account.external_source, card_cents),
            (source, -wallet_cents - card_cents),
        )
        move_money(state, account, "refund", order.ref, postings)
    elif order.paid_at_ms is None:
        _reduce_amounts(state, order, canceled)


def _reduce_amounts(state: State, order: Fulfilment, canceled: Sequence[CanceledRecipient]) -> None:
    order = state[FULFILMENTS].get(order.n)
    recipients = [row.recipient for row in canceled]
    state[FULFILMENTS].put(
        msgspec.structs.replace(
            order,
            subtotal_cents=order.subtotal_cents - sum([recipient.subtotal_cents for recipient in recipients]),
            shipping_cents=order.shipping_cents - sum([recipient.shipping_cents for recipient in recipients]),
            event_fees_cents=order.event_fees_cents - sum([recipient.event_fees_cents for recipient in recipients]),
        )
    )
