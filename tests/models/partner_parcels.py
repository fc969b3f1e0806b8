"""What moves a partner's parcels: the workshop, the carrier, and the postcodes that decide (001, 3 and 6)."""

from __future__ import annotations

from itertools import count

from tests.models.calendar import Calendar
from tests.models.compare import Learned
from tests.models.partner_orders import EVENTS, Parcel
from tests.models.partner_replies import Reply
from tests.models.partner_timetable import LEAD, STAGES
from tests.models.partner_webhooks import DAY, HOUR, Json, Webhooks

# What happens to a parcel with one of these postcodes (magic values), and when: at once is as soon as time moves.
MAGIC = {"00011": (0, "shipped"), "00012": (0, "delivered"), "00013": (DAY, "delayed"), "00014": (DAY, "rejected")}

# In which statuses the carrier's news can reach a parcel that was shipped (G430 to G432).
FAILED, SHIPS_ODDLY = ("shipped", "delayed"), ("tracking_missing", "scans_out_of_order")
HAPPENS_TO = {
    "exception": ("shipped",), "lost": FAILED, "returned": FAILED, "refused": FAILED, "found": ("delayed", "rejected"),
    "delivered_elsewhere": (*FAILED, "rejected"), "tracking_replaced": FAILED,
    "tracking_late": (*FAILED, "rejected", "delivered"),
}  # fmt: skip


class Parcels:
    """The parcels of all orders in one world."""

    def __init__(self, now: int) -> None:
        self.now, self.by_time = now, False
        self.turns = count()
        self.webhooks = Webhooks(lambda: next(self.turns))
        self.exception: int | None = 48 * HOUR  # how much later a parcel arrives after an exception in transit (G430)
        self.lost_is_delayed, self.calendar = False, Calendar()  # by settings

    def move(self, parcel: Parcel, status: str) -> Reply:
        """The carrier or the workshop moves a parcel on, through every step between (B25, G41).

        A delayed parcel goes on where it was, or from the next step (G209).
        """
        if not self._can_become(parcel, status):
            return Reply(409)
        if status not in STAGES or status == STAGES[parcel.stage]:
            self._enter(parcel, status)
        else:
            self._pass_stages(parcel, status, parcel.before_delivery(self.now) if status == "delivered" else self.now)
        return Reply(200)

    def can_ship(self, parcel: Parcel) -> bool:
        """Whether a parcel with an address can be handed to the carrier."""
        return parcel.status not in ("awaiting", "expired") and self._can_become(parcel, "shipped")

    def _can_become(self, parcel: Parcel, status: str) -> bool:
        """Whether a hand can move a parcel there: not back, and what was shipped arrives or is on its way (G430)."""
        moving = parcel.status in LEAD or parcel.status == "delayed"
        if parcel.shipped_at is not None:
            return status == "delivered" and (moving or parcel.status == "rejected")
        if status in STAGES:
            behind = parcel.stage > STAGES.index(status) or parcel.status == status
        else:
            behind = parcel.status == status
        return parcel.since is not None and moving and not behind

    def _pass_stages(self, parcel: Parcel, status: str, at: int) -> None:
        """Let a parcel enter every stage up to one: delivery now, the others at an instant."""
        for step in STAGES[parcel.stage + 1 : STAGES.index(status) + 1]:
            self._enter(parcel, step, self.now if step == "delivered" else at)

    def happen(self, parcel: Parcel, event: str) -> Reply:
        """Something happens to a parcel that the carrier has, or to its tracking (G430 to G433)."""
        if event in SHIPS_ODDLY:
            return self._ship_oddly(parcel, event)
        unfit = {"tracking_replaced": parcel.tracking is None, "tracking_late": parcel.tracking is not None}
        if parcel.shipped_at is None or parcel.status not in HAPPENS_TO[event] or unfit.get(event):
            return Reply(409)
        if event in ("tracking_replaced", "tracking_late"):
            parcel.tracking, parcel.tracking_url = Learned(str), Learned(str)
        elif event in ("found", "delivered_elsewhere"):
            self._enter(parcel, "delivered")
        elif event == "exception" or self.lost_is_delayed:
            if parcel.status == "shipped":
                self._enter(parcel, "delayed")
            parcel.arrives_at = self._arrival(parcel) if event == "exception" else None
        else:
            self._enter(parcel, "rejected")
        return Reply(200)

    def _arrival(self, parcel: Parcel) -> int | None:
        """When a parcel arrives that is late from now on (G430)."""
        assert parcel.shipped_at is not None
        assert parcel.address is not None
        country = parcel.address["country"]
        usual = self.calendar.after(parcel.shipped_at, parcel.transit, country)
        return None if self.exception is None else self.calendar.after(max(usual, self.now), self.exception, country)

    def correct(self, parcel: Parcel, address: Json) -> Reply:
        """An address is corrected until production starts; its country stays, whose price was paid (G457)."""
        if parcel.status not in ("submitted", "delayed") or parcel.stage > 0 or parcel.address is None:
            return Reply(409)
        if address["country"] != parcel.address["country"]:
            return Reply(422)
        parcel.address = {"state": None, **address}
        if parcel.status == "submitted" and parcel.since is not None:
            parcel.turn, parcel.magic = next(self.turns), None
            self._act_on_postcode(parcel)
        elif address["zip"] not in MAGIC:
            parcel.magic = None
        return Reply(200)

    def _ship_oddly(self, parcel: Parcel, event: str) -> Reply:
        """A parcel is shipped without a number, or its delivery is reported before its handover (G432, G433)."""
        missing = event == "tracking_missing"
        if parcel.shipped_at is not None or not self._can_become(parcel, "shipped" if missing else "delivered"):
            return Reply(409)
        at = self.now if missing else parcel.before_delivery(self.now)
        self._pass_stages(parcel, "labeled", at)
        if missing:
            parcel.tracking = parcel.tracking_url = None
            self._enter(parcel, "shipped")
            return Reply(200)
        parcel.shipped_at, parcel.at["shipped"] = at, at
        self._enter(parcel, "delivered")
        now, parcel.status, parcel.since, parcel.delivered_at = self.now, "shipped", at, None
        self._tell(parcel, *EVENTS["shipped"])  # as it was then
        parcel.status, parcel.since, parcel.delivered_at = "delivered", now, now
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
