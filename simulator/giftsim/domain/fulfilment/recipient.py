"""Recipients: who a gift is for, and their share of the money; what becomes of it is the shipment's (P-2.27, B15)."""

from __future__ import annotations

from giftsim.domain.fulfilment.address import Address
from giftsim.kernel.placeholders import WORLD
from giftsim.kernel.table import Record, TableSpec

FIRST_ID = 200_001


class Recipient(Record, frozen=True, gc=False):
    """One row of an order (a slot), at `place` from 0; an open seat has no name or email until it is claimed (G29).

    `token` opens the personal claim link. `selection` is what was picked on the claim page, as (variation id, option
    id). The first three amounts are this row's share of the order; the refunds are what went back of it, when it was
    canceled for `cancel_reason`.
    """

    order: int
    place: int
    shipment: int
    name: str | None
    email: str | None
    company: str | None
    gift_message: str | None
    quantity: int
    address: Address | None
    token: str | None
    subtotal_cents: int
    shipping_cents: int
    event_fees_cents: int
    selection: tuple[tuple[int, int], ...] | None = None
    claimed_at_ms: int | None = None
    refunded_wallet_cents: int = 0
    refunded_card_cents: int = 0
    cancel_reason: str | None = None

    @property
    def id(self) -> int:
        return FIRST_ID + self.n

    @property
    def total_cents(self) -> int:
        return self.subtotal_cents + self.shipping_cents + self.event_fees_cents

    @property
    def refunded_cents(self) -> int:
        return self.refunded_wallet_cents + self.refunded_card_cents


class RetiredLink(Record, frozen=True, gc=False):
    """The token of a link that a newer one replaced: it still says that it has expired (G33)."""

    token: str


# A personal link may be replaced, so the index follows the row.
RECIPIENTS: TableSpec[Recipient] = TableSpec(
    "recipients", Recipient, rekeyed={"token": lambda recipient: recipient.token}
)
RETIRED_LINKS: TableSpec[RetiredLink] = TableSpec(
    "retired links", RetiredLink, unique={"token": lambda link: link.token}
)


def claim_path(token: str) -> str:
    """The path of a claim link, with the slot for the world's id (G1)."""
    return f"/claim/{WORLD}/{token}"
