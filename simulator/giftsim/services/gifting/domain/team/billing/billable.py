"""What can be paid for: the interface between payments and the orders, gifts and campaign batches they pay for.

A package whose records can be paid implements `Billable` and connects it to BILLABLE under its resource type, such as
`team_order`, `gift` or `campaign_batch`.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from giftsim.engine.kernel.signals import KeyedSignal
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.tenant import Id

TEAM_ORDER = "team_order"


class BillLine(msgspec.Struct, frozen=True, gc=False):
    """One line of an invoice; it names no recipients."""

    text: str
    quantity: int
    amount_cents: int


class Bill(msgspec.Struct, frozen=True, gc=False):
    """What is paid for, as documents and responses show it: `type` and `id` of a batch are those of its campaign.

    `is_open` is whether it can still be paid: it is neither paid, canceled nor rejected. `key` is the slot of the key
    that created it, None for a person.
    """

    type: str
    id: Id
    title: str
    total_cents: int
    is_open: bool
    key: int | None = None
    lines: tuple[BillLine, ...] = ()
    po_number: str | None = None
    cost_center: str | None = None


class Billable(Protocol):
    """One type of record that can be paid for; `slot` is the slot of such a record."""

    def bill(self, state: State, slot: int) -> Bill:
        """The bill of the record as it is now."""
        ...

    def check_payable(self, state: State, slot: int) -> None:
        """Raise ProofNotSigned or PriceChanged if the record cannot be paid as it is."""

    def on_paid(self, state: State, payment: int) -> None:
        """Handle that the payment in a slot is settled: the record that it is for is paid."""

    def on_payment_failed(self, state: State, slot: int) -> None:
        """Handle that a payment for the record has failed."""


BILLABLE: KeyedSignal[Billable] = KeyedSignal("billable")


def bill_of(state: State, resource_type: str, slot: int) -> Bill:
    """The bill of a record as it is now."""
    return state.handler_of(BILLABLE, resource_type).bill(state, slot)


def check_payable(state: State, resource_type: str, slot: int) -> None:
    """Check the prices and proofs of a record again before it is paid. PaymentRefused otherwise."""
    state.handler_of(BILLABLE, resource_type).check_payable(state, slot)
