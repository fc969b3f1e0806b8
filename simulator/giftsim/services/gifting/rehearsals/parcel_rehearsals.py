"""What goes wrong with parcels."""

from __future__ import annotations

from typing import Final

from giftsim.engine.gateway.rehearsal import Rehearsal, Step, verb

PARCEL: Final = ("order_id", "team_order_id", "gift_id", "campaign_id", "recipient_id", "recipient")
NEEDS: Final = (PARCEL[:4],)
SHIPPED: Final = verb("shipment", *PARCEL, to="shipped", usual=True)

REHEARSALS: Final = (
    Rehearsal(
        "parcel-rejected",
        "parcel",
        "A parcel cannot be made.",
        "The parcel becomes `rejected`, and `needs_attention` gives the reason `shipment_rejected`.",
        "Your app tells somebody, and cancels the recipient to get the money back. The other parcels go on.",
        (verb("shipment", *PARCEL, to="rejected"),),
        "P-6.5",
        NEEDS,
    ),
    Rehearsal(
        "parcel-delayed",
        "parcel",
        "A parcel is held up on its way.",
        "The parcel is shipped, then `delayed`, with the reason `shipment_delayed`. It arrives by itself later.",
        "Your app tells somebody, does not order again, and takes the delivery that comes after the delay.",
        (SHIPPED, verb("parcel", *PARCEL, event="exception")),
        "P-6.4, G430",
        NEEDS,
    ),
    Rehearsal(
        "parcel-lost",
        "parcel",
        "The carrier loses a parcel.",
        "The parcel is shipped, then `rejected`, with the reason `shipment_rejected`. Its tracking stays.",
        "Your app takes a rejection after the handover, cancels to get the money back, and orders anew with a new key.",
        (SHIPPED, verb("parcel", *PARCEL, event="lost")),
        "P-6.5, G430",
        NEEDS,
    ),
    Rehearsal(
        "parcel-returned",
        "parcel",
        "A parcel comes back to the sender.",
        "The parcel is shipped, then `rejected`, as one that is lost: no document has a word for where it is.",
        "Your app asks for another address before it orders anew.",
        (SHIPPED, verb("parcel", *PARCEL, event="returned")),
        "P-6.5, G430",
        NEEDS,
    ),
    Rehearsal(
        "parcel-refused",
        "parcel",
        "The recipient refuses a parcel at the door.",
        "The parcel is shipped, then `rejected`: no document has a word for why. A gift is canceled.",
        "Your app tells the sender, and does not send another one by itself.",
        (SHIPPED, verb("parcel", *PARCEL, event="refused")),
        "P-6.5, G430",
        NEEDS,
    ),
    Rehearsal(
        "parcel-found",
        "parcel",
        "A parcel that was given up arrives after all.",
        "The parcel is lost unless it was before, and then `delivered`. One that was canceled does not come.",
        "Your app takes a delivery after a rejection, and nobody gets a second gift or a refund too much.",
        (SHIPPED, verb("parcel", *PARCEL, event="lost", usual=True), verb("parcel", *PARCEL, event="found")),
        "P-6.5, G431",
        NEEDS,
    ),
    Rehearsal(
        "delivered-elsewhere",
        "parcel",
        "The carrier says delivered, and the recipient has nothing.",
        "The parcel is `delivered`, as the carrier reports. Nothing in an answer tells it from any other.",
        "Your app lets somebody order again for a delivered gift, with another idempotency key.",
        (SHIPPED, verb("parcel", *PARCEL, event="delivered_elsewhere")),
        "G430",
        NEEDS,
    ),
    Rehearsal(
        "tracking-replaced",
        "parcel",
        "The tracking number changes on the way.",
        "The shipped parcel has another `tracking_number` and `tracking_url`. No webhook tells of it.",
        "Your app reads the order again before it shows a number, and keeps none as a key.",
        (SHIPPED, verb("parcel", *PARCEL, event="tracking_replaced")),
        "G432",
        NEEDS,
    ),
    Rehearsal(
        "tracking-late",
        "parcel",
        "A parcel is on its way, and nobody knows its number.",
        "The parcel is `shipped` with `tracking_number` null. `parcel` with `event: tracking_late` gives it one.",
        "Your app shows a shipped parcel without a number, and asks again later.",
        (verb("parcel", *PARCEL, event="tracking_missing"),),
        "G432",
        NEEDS,
    ),
    Rehearsal(
        "scans-out-of-order",
        "parcel",
        "The scans of a carrier come in the wrong order.",
        "The parcel arrives, and `team_order.delivered` is sent before `team_order.shipped`.",
        "Your app knows a delivered parcel as delivered, whatever it hears after that.",
        (verb("parcel", *PARCEL, event="scans_out_of_order"),),
        "G433",
        NEEDS,
    ),
    Rehearsal(
        "holiday",
        "world",
        "Nobody works over the holidays.",
        "From now on lead times run on working days, without public holidays here and where a parcel goes.",
        "Your app promises no date of its own, and does not worry about a parcel that waits for a working day.",
        (Step("PATCH /settings", {"calendar.working_days": True, "calendar.holidays": True}),),
        "G460",
    ),
)
