"""Recipients of a fulfilment: name, address and share of the amounts (P-2.27, B15). Their status is the shipment's."""

from __future__ import annotations

from giftsim.engine.kernel.placeholders import WORLD
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.fulfilment.address import Address
from giftsim.services.secrets import CLAIM

FIRST_ID = 200_001


class Recipient(Record, frozen=True, gc=False):
    """One recipient of `order` (a slot), at `place`, counted from 0. An open seat has no name until claimed (G29).

    `token` is the token of the personal claim link. `selection` are the (variation id, option id) pairs picked on the
    claim page. The first three amounts are this recipient's share of the order. The refunds are the part of it that
    was paid back when the recipient was canceled for `cancel_reason`.
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
    """The token of a claim link that was replaced by a newer one. The old link answers that it has expired (G33)."""

    token: str


# A personal link may be replaced, so this index is updated with the record.
RECIPIENTS: TableSpec[Recipient] = TableSpec("recipients", Recipient, rekeyed={"token": "token"})
RETIRED_LINKS: TableSpec[RetiredLink] = TableSpec("retired links", RetiredLink, unique={"token": "token"})


_CLAIM_PATH = CLAIM.before(WORLD)


def claim_path(token: str) -> str:
    """The path of a claim link; it contains the placeholder of the world's id (G1)."""
    return _CLAIM_PATH + token
