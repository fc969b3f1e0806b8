"""What moves the parcels of a team: recipients, the workshop and the carrier (A1.1, A1.6, B25)."""

from __future__ import annotations

from tests.models.calendar import Calendar
from tests.models.compare import Learned
from tests.models.team_money import Money, Refused, wrong_state
from tests.models.team_sends import DAY, HOUR, LINK_DAYS, MADE, NEXT_STEP, Parcel, Send, before_delivery, gift_status

# In which statuses the carrier's news can reach a parcel that was shipped (G430 to G432).
FAILED, SHIPS_ODDLY = ("shipped", "delayed"), ("tracking_missing", "scans_out_of_order")
HAPPENS_TO = {
    "exception": ("shipped",), "lost": FAILED, "returned": FAILED, "refused": FAILED, "found": ("delayed", "rejected"),
    "delivered_elsewhere": (*FAILED, "rejected"), "tracking_replaced": FAILED,
    "tracking_late": (*FAILED, "rejected", "delivered"),
}  # fmt: skip


class Parcels:
    """The parcels of all orders, gifts and campaigns of a team."""

    now: int
    money: Money
    mails: list[tuple[int, str, str]]
    exception: int | None = 48 * HOUR  # how much later a parcel arrives after an exception in transit (G430)
    lost_is_delayed, calendar = False, Calendar()  # by settings

    def open_link(self, parcel: Parcel) -> None:
        """A claim link opens and is mailed (A8.9); it expires at exactly that second (B19, B47)."""
        if parcel.email is not None:
            self.mails.append((self.now, parcel.email, "claim_link"))
            parcel.has_bounced = False
        parcel.due, parcel.serial = self.now + LINK_DAYS * DAY, self.money.next_serial()

    def step(self, send: Send, parcel: Parcel, status: str, at: int | None = None) -> None:
        """A parcel takes a step, and the next one follows by itself (B25)."""
        before, parcel.status, parcel.due = gift_status(parcel), status, None
        parcel.since = parcel.at[status] = self.now if at is None else at
        if status in MADE:
            parcel.stages = MADE.index(status)
        if status == "labeled" and parcel.tracking is None:
            parcel.carrier, parcel.tracking = Learned(str), Learned(str)  # P-2.28
        if status in NEXT_STEP:
            parcel.due, parcel.serial = self._next_step_at(send, status), self.money.next_serial()
        send.on_parcel(parcel, before)

    def _next_step_at(self, send: Send, status: str) -> int:
        """When the step after a status is due, in the time of open days if there is a calendar (B25, G460)."""
        start = self.calendar.received(self.now, rush=False) if status == "submitted" else self.now
        return self.calendar.after(start, NEXT_STEP[status][1], send.country if status == "shipped" else None)

    def _arrival(self, send: Send, parcel: Parcel) -> int | None:
        """When a parcel arrives that is late from now on (G430)."""
        usual = self.calendar.after(parcel.at["shipped"], NEXT_STEP["shipped"][1], send.country)
        if self.exception is None:
            return None
        return self.calendar.after(max(usual, self.now), self.exception, send.country)

    def step_by_itself(self, send: Send, parcel: Parcel) -> None:
        """The next step is due; an unused link expires (B19)."""
        usual = "delivered" if parcel.status == "delayed" else "expired"
        self.step(send, parcel, NEXT_STEP.get(parcel.status, (usual, 0))[0])

    def claim(self, send: Send, parcel: Parcel, at: int | None = None) -> None:
        """A recipient enters an address; for an expired link, the account does (G33)."""
        self._check_claimable(parcel)
        parcel.name = Learned(str) if parcel.name is None else parcel.name
        self.step(send, parcel, "submitted", at)

    def _check_claimable(self, parcel: Parcel) -> None:
        """A canceled or used link is gone for ever (B52)."""
        if parcel.status not in ("awaiting", "expired"):
            raise Refused(410, "claim_canceled" if parcel.status == "canceled" else "claim_used")

    def resend(self, send: Send, parcel: Parcel) -> None:
        """A new link (G33)."""
        self._check_claimable(parcel)
        before, parcel.status, parcel.since = gift_status(parcel), "awaiting", self.now
        self.open_link(parcel)
        send.on_parcel(parcel, before)

    def move(self, send: Send, parcel: Parcel, to: str) -> None:
        """A parcel moves to a later status, with every step between; one without an address claims first."""
        self._check_move(send, parcel, to)
        if to not in MADE or (parcel.was_shipped and parcel.status in ("delayed", "rejected")):
            self._ensure_claimed(send, parcel, self.now)
            self.step(send, parcel, to)
        else:
            self._pass_stages(send, parcel, to, before_delivery(send, parcel) if to == "delivered" else self.now)

    def _check_move(self, send: Send, parcel: Parcel, to: str) -> None:
        """No parcel goes back; what was shipped arrives or is on its way (G430)."""
        late = parcel.was_shipped or parcel.status == to
        behind = to in MADE and (parcel.stages > MADE.index(to) or parcel.status == to)
        found = parcel.status == "rejected" and parcel.was_shipped and to == "delivered"
        ended = parcel.status in ("canceled", "rejected", "delivered") and not found
        if ended or behind or (to not in MADE and late) or (to == "shipped" and late) or not send.is_started:
            raise wrong_state()

    def _ensure_claimed(self, send: Send, parcel: Parcel, at: int) -> None:
        if parcel.status in ("awaiting", "expired"):
            self.claim(send, parcel, at)

    def _pass_stages(self, send: Send, parcel: Parcel, to: str, at: int) -> None:
        """Take every step up to a stage: delivery now, the others at an instant."""
        self._ensure_claimed(send, parcel, at)
        if parcel.status == "delayed" and parcel.stages == MADE.index(to):
            self.step(send, parcel, to)
        while parcel.status != to:
            status = MADE[parcel.stages + 1]
            self.step(send, parcel, status, self.now if status == "delivered" else at)

    def happen(self, send: Send, parcel: Parcel, event: str) -> None:
        """Something happens to a parcel that the carrier has, or to its tracking (G430 to G433)."""
        if event in SHIPS_ODDLY:
            self._ship_oddly(send, parcel, event)
            return
        unfit = {"tracking_replaced": parcel.tracking is None, "tracking_late": parcel.tracking is not None}
        if not parcel.was_shipped or parcel.status not in HAPPENS_TO[event] or unfit.get(event):
            raise wrong_state()
        if event in ("tracking_replaced", "tracking_late"):
            parcel.tracking = Learned(str)
        elif event in ("found", "delivered_elsewhere"):
            self.step(send, parcel, "delivered")
        elif event == "exception" or self.lost_is_delayed:
            if parcel.status == "shipped":
                self.step(send, parcel, "delayed")
            parcel.due = self._arrival(send, parcel) if event == "exception" else None
            parcel.serial = self.money.next_serial()
        else:
            self.step(send, parcel, "rejected")

    def correct(self, parcel: Parcel, country: str, of: str) -> None:
        """An address is corrected until production starts; its country stays, whose price was paid (G457)."""
        if parcel.status not in ("submitted", "delayed") or parcel.stages > 0:
            raise wrong_state()
        if country != of:
            raise Refused(422, "invalid_claim")
        if parcel.status == "submitted":
            parcel.serial = self.money.next_serial()

    def bounce(self, send: Send, parcel: Parcel) -> None:
        """The mail with a recipient's link bounces, once; nothing else changes (G458)."""
        mailed = parcel if parcel.email is not None else send
        if not send.is_started:
            raise Refused(404, "mail_not_found")
        if mailed.has_bounced:
            raise wrong_state()
        mailed.has_bounced = True

    def _ship_oddly(self, send: Send, parcel: Parcel, event: str) -> None:
        """A parcel is shipped without a number, or its delivery is reported before its handover (G432, G433)."""
        missing = event == "tracking_missing"
        if parcel.was_shipped:
            raise wrong_state()
        self._check_move(send, parcel, "shipped" if missing else "delivered")
        at = self.now if missing else before_delivery(send, parcel)
        self._pass_stages(send, parcel, "labeled", at)
        if missing:
            parcel.tracking = None
            self.step(send, parcel, "shipped")
        else:
            before = send.progress
            parcel.at["shipped"] = at
            self.step(send, parcel, "delivered")
            send.on_late_handover(parcel, before)
