"""What is paid for, as its own room tells of it: the seam between money and orders, gifts and campaign batches.

A room whose records can be paid names a resource type for them (`team_order`, `gift`, `campaign_batch` ...) and brings
these hooks, where `slot` is the slot of its record:

billed.TYPE(state, slot) -> Billed      who and what it is, on documents and in answers
payable.TYPE(state, slot) -> None       raises ProofNotSigned or PriceChanged where it may not be paid as it stands
paid.TYPE(state, payment) -> None       it is paid from now on: a Payment that is settled
unpaid.TYPE(state, payment) -> None     optional: a payment that was reserved or uncertain has failed

Orders bring `order_slot`(state, space, id) -> slot or None beside them, for those who fund an order by its id.
"""

from __future__ import annotations

import msgspec

from giftsim.domain.team.tenant import Id
from giftsim.kernel.state import State

TEAM_ORDER = "team_order"


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line of an invoice; neither recipients nor anything of theirs stands in it."""

    text: str
    quantity: int
    amount_cents: int


class Billed(msgspec.Struct, frozen=True, gc=False):
    """A thing that is paid for: `type` and `id` are as answers show them, of a batch those of its campaign.

    `is_open` is whether it can still be paid: neither paid, canceled nor rejected. `key` is the slot of the key that
    made it, None for a person.
    """

    type: str
    id: Id
    title: str
    total_cents: int
    is_open: bool
    key: int | None = None
    lines: tuple[Line, ...] = ()
    po_number: str | None = None
    cost_center: str | None = None


def billed(state: State, resource_type: str, slot: int) -> Billed:
    """What its room says of it now."""
    told: Billed = state.definitions.hooks[f"billed.{resource_type}"](state, slot)
    return told


def check_payable(state: State, resource_type: str, slot: int) -> None:
    """Prices and proofs once more, before anything is paid; the refusal of its room otherwise."""
    state.definitions.hooks[f"payable.{resource_type}"](state, slot)
