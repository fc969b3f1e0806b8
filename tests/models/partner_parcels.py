"""What moves a partner's parcels: the workshop, the carrier, and the postcodes that decide (001, 3 and 6)."""

from __future__ import annotations

from itertools import count

from tests.models.compare import Learned
from tests.models.partner_orders import EVENTS, LEAD, STAGES, Parcel
from tests.models.partner_replies import Reply
from tests.models.partner_webhooks import DAY, Json, Webhooks

# What happens to a parcel with one of these postcodes (magic values), and when: at once is as soon as time moves.
MAGIC = {"00011": (0, "shipped"), "00012": (0, "delivered"), "00013": (DAY, "delayed"), "00014": (DAY, "rejected")}


class Parcels:
    """The parcels of all orders in one world."""

    def __init__(self, now: int) -> None:
        self.now, self.by_time = now, False
        self.turns = count()
        self.webhooks = Webhooks(lambda: next(self.turns))

    def move(self, parcel: Parcel, status: str) -> Reply:
        """The carrier or the workshop moves a parcel on, through every step between (B25, G41).

        A delayed parcel goes on where it was, or from the next step (G209).
        """
        moving = parcel.status in LEAD or parcel.status == "delayed"
        if status in STAGES:
            behind = parcel.stage > STAGES.index(status) or parcel.status == status
        else:
            behind = parcel.stage >= STAGES.index("shipped") or parcel.status == status
        if parcel.since is None or not moving or behind:
            return Reply(409)
        if status not in STAGES or status == STAGES[parcel.stage]:
            self._enter(parcel, status)
        else:
            earlier = parcel.before_delivery(self.now) if status == "delivered" else self.now
            for step in STAGES[parcel.stage + 1 : STAGES.index(status) + 1]:
                self._enter(parcel, step, self.now if step == "delivered" else earlier)
        return Reply(200)

    def _enter(self, parcel: Parcel, status: str, at: int | None = None) -> None:
        """A parcel enters a status, and those who subscribed are told (section 6)."""
        at = self.now if at is None else at
        parcel.status, parcel.since, parcel.turn, parcel.at[status] = status, at, next(self.turns), at
        if status in STAGES:
            parcel.stage = STAGES.index(status)
        if status == "labeled" and parcel.tracking is None:
            parcel.carrier, parcel.tracking, parcel.tracking_url = Learned(str), Learned(str), Learned(str)  # P-2.28
        if status == "shipped":
            parcel.shipped_at = at  # P-3.9
        if status == "delivered":
            parcel.delivered_at = self.now
        parcel.order.note_delivery()
        if status in EVENTS:
            self._tell(parcel, *EVENTS[status])

    def _tell(self, parcel: Parcel, kind: str, facts: Json) -> None:
        data = parcel.order.event_data(parcel, self.now if parcel.since is None else parcel.since, facts)
        self.webhooks.happened(parcel.order.account, kind, data, self.now, self.by_time)

    def _act_on_postcode(self, parcel: Parcel) -> None:
        """Magic postcodes decide what happens to a parcel after its start, at once or a day later."""
        delay, status = MAGIC.get(parcel.address["zip"] if parcel.address else "", (0, ""))
        if status:
            parcel.magic = (self.now + delay, next(self.turns), status)
