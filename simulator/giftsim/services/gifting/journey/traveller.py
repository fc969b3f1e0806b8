"""What a journey is about: an order, a gift or a campaign, or one parcel of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from giftsim.engine.gateway.problem import InvalidParameter
from giftsim.engine.gateway.record_kind import Kind, Ref
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.texts import suggest_name
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, recipient_rows
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import Shipment, find_shipment
from giftsim.services.gifting.records.gifting_kinds import APPROVAL, CAMPAIGN, GIFT, PARCEL
from giftsim.services.gifting.records.named import read_id, require_record
from giftsim.services.gifting.records.parent_refs import ref_of_fulfilment
from giftsim.services.gifting.records.placed import Parts, Placed, parts_of, placed_campaign, placed_gift, placed_order
from giftsim.services.gifting.records.titles import campaign_title, gift_title, order_title

KINDS: Final = ("order", "gift", "campaign", "parcel")


class Row(NamedTuple):
    """A recipient with the parcel. `place` counts through the whole order, gift or campaign, from 0."""

    place: int
    recipient: Recipient | None
    parcel: Shipment

    @property
    def name(self) -> str:
        """What people call the recipient."""
        if self.recipient is None:
            return f"parcel {self.parcel.order_id}"
        return self.recipient.name or self.recipient.email or "an open seat"


class Traveller(NamedTuple):
    """An order, gift or campaign with its parts, or one `parcel` of it. A single order is a parcel of nothing."""

    ref: Ref
    title: str
    placed: Placed | None
    parts: Parts
    parcel: Shipment | None = None

    def is_about(self, kind: Kind[Any], slot: int) -> bool:
        """Whether an event about a record is about this."""
        if kind is PARCEL and self.parcel is not None:
            return slot == self.parcel.n
        if kind is APPROVAL:
            return any(each.n == slot for each in self.parts.approvals)
        return self.placed is not None and kind is self.placed.subjects[0] and slot in self.placed.subjects[1]

    @property
    def recipient_count(self) -> int:
        """The number of its recipients."""
        return self.placed.recipient_count if self.placed is not None and self.parcel is None else 1

    def rows(self, state: State) -> Iterator[Row]:
        """The recipients with their parcels as they are in a state, in their order."""
        if self.placed is None:
            assert self.parcel is not None
            yield Row(0, None, state[PARCEL.table].get(self.parcel.n))
            return
        place = 0
        for order in self.placed.fulfilments:
            for recipient, shipment in recipient_rows(state, order):
                if self.parcel is None or shipment.n == self.parcel.n:
                    yield Row(place, recipient, shipment)
                place += 1


NOTHING: Final = Parts([], [], [], [], [], [])


def read_traveller(state: State, about: str) -> Traveller:
    """What `KIND:ID` names. InvalidParameter, or the problem of a record that does not exist."""
    kind, _, text = about.partition(":")
    if kind not in KINDS or not text:
        hint = f"; {suggest_name(kind, [*KINDS])}" if text else ""
        raise InvalidParameter(f"about: Expected KIND:ID with a kind of {', '.join(KINDS)}, not {about[:60]!r}{hint}")
    if kind == "parcel":
        return _parcel(state, find_shipment(state, int(text) if text.isascii() and text.isdigit() else 0))
    placed = _placed(state, Ref(kind, read_id(text)))
    return Traveller(placed.ref, _title(state, placed), placed, parts_of(state, placed))


def _parcel(state: State, parcel: Shipment) -> Traveller:
    ref = PARCEL.itself(parcel)
    if parcel.recipient is None:
        return Traveller(ref, f"Parcel {parcel.order_id}", None, NOTHING, parcel)
    owner = state[FULFILMENTS].get(parcel.owner)
    placed = _placed(state, ref_of_fulfilment(state, owner))
    recipient = state[RECIPIENTS].get(parcel.recipient)
    parts = parts_of(state, placed)
    own = Parts([(recipient, parcel)], parts.charges, parts.payments, parts.approvals, parts.batches, parts.refunds)
    return Traveller(ref, _title(state, placed), placed, own, parcel)


def _placed(state: State, ref: Ref) -> Placed:
    if ref.kind == CAMPAIGN.name:
        return placed_campaign(state, require_record(state, CAMPAIGN, ref.id))
    if ref.kind == GIFT.name:
        return placed_gift(state, require_record(state, GIFT, ref.id))
    return placed_order(state, ref.id)


def _title(state: State, placed: Placed) -> str:
    if placed.ref.kind == CAMPAIGN.name:
        return campaign_title(placed.record)  # type: ignore[arg-type]
    if placed.ref.kind == GIFT.name:
        return gift_title(state, placed.record)  # type: ignore[arg-type]
    return order_title(state, placed.fulfilments[0])


def names_of(rows: Sequence[Row], most: int = 3) -> list[str]:
    """The first names of some recipients."""
    return [row.name for row in rows[:most]]
