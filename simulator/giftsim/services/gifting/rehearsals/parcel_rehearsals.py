"""What goes wrong with parcels."""

from __future__ import annotations

from typing import Final

from giftsim.engine.gateway.rehearsal import Rehearsal, verb

PARCEL: Final = ("order_id", "team_order_id", "gift_id", "campaign_id", "recipient_id", "recipient")

REHEARSALS: Final = (
    Rehearsal(
        "parcel-rejected",
        "parcel",
        "A parcel cannot be made.",
        "The parcel becomes `rejected`, and `team_order.needs_attention` gives the reason `shipment_rejected`.",
        "Your app tells somebody, and cancels the recipient or the gift to get the money back.",
        (verb("shipment", *PARCEL, to="rejected"),),
        "P-6.5",
    ),
    Rehearsal(
        "parcel-delayed",
        "parcel",
        "A parcel is late.",
        "The parcel becomes `delayed`, and `team_order.needs_attention` gives the reason `shipment_delayed`.",
        "Your app tells somebody, and does not order again: the parcel still goes on to `delivered`.",
        (verb("shipment", *PARCEL, to="delayed"),),
        "P-6.4",
    ),
)
