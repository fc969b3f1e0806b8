"""When a partner's parcel takes its next step by itself (B25, G38, G179, G209, G430, G460)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.models.partner_webhooks import DAY, HOUR, Json

if TYPE_CHECKING:
    from tests.models.partner_orders import Order

PROMISED_WINDOW = 5 * DAY  # B25
# The steps of a parcel after it is paid and has an address, and how long it waits for each (B25).
STAGES = ("submitted", "in_production", "labeled", "shipped", "delivered")
LEAD = {"submitted": 24 * HOUR, "in_production": 24 * HOUR, "labeled": 24 * HOUR, "shipped": 48 * HOUR}
TRANSIT = {"CA": 72 * HOUR}  # where the setting of a country says so


class Timetable:
    """The timetable of one parcel. `since` is when its status began, None while the order is unpaid."""

    order: Order
    status: str
    address: Json | None
    ship_on: int | None
    since: int | None
    turn: int
    expires_at: int | None
    stage: int
    magic: tuple[int, int, str] | None
    at: dict[str, int]
    arrives_at: int | None

    def plans(self) -> list[tuple[int, int, str]]:
        """What happens to it by itself: when, in which turn, and the status. Nothing before it is paid and has an
        address (P-1.2, P-1.3)."""
        if self.since is None:
            return []
        if self.status == "awaiting":
            return [(self.expires_at or 0, self.turn, "expired")]  # P-2.10; at exactly the printed second (B47)
        plans = [self.magic] if self.magic else []
        if self.status in LEAD and not self.never_produced:
            plans.append((self._next_step_at(self.since), self.turn, STAGES[self.stage + 1]))
        if self.status in LEAD and self.status != "shipped" and not self.never_produced:
            plans.append((self._end_of_promise(self.since), self.turn, "delayed"))  # P-6.4
        if self.status == "delayed" and self.arrives_at is not None:
            plans.append((self.arrives_at, self.turn, "delivered"))  # G430
        return plans

    @property
    def transit(self) -> int:
        """How long the carrier has it (B25)."""
        country = self.address["country"] if self.address else ""
        return TRANSIT.get(country, self.order.lead["shipped"]) // (2 if self.order.rush else 1)

    def _next_step_at(self, since: int) -> int:
        """When the next step is due: each counts from the step before; rush halves them (B25, G209).

        With ship_on, production starts as late as it can, and the parcel does not ship before that day (P-2.19, G179).
        """
        calendar, rush = self.order.calendar, self.order.rush
        lead = {status: time // (2 if rush else 1) for status, time in self.order.lead.items()}
        if self.status == "shipped":
            return calendar.after(since, self.transit, self.address["country"] if self.address else None)
        start = calendar.received(since, rush=rush) if self.status == "submitted" else since
        due = calendar.after(start, lead[self.status])
        if self.ship_on is None or self.status == "in_production":
            return due
        later = lead["in_production"] + lead["labeled"] if self.status == "submitted" else 0
        return max(due, calendar.before(self.ship_on, later))

    def _end_of_promise(self, since: int) -> int:
        """The window starts no sooner than on the day `ship_on` (G179), and has open days only (G463)."""
        calendar = self.order.calendar
        start = since if self.ship_on is None else max(since, calendar.before(self.ship_on, 0))
        return start + PROMISED_WINDOW if calendar.promises_all_days else calendar.after(start, PROMISED_WINDOW)

    def before_delivery(self, now: int) -> int:
        """When a parcel that is delivered by hand had its steps before: as long ago as transit takes, but not before
        the last thing that happened to it at an earlier instant, nor before its production and label (G357)."""
        happened = [self.order.made_at, self.order.paid_at, self.since, self.at.get("submitted")]
        made = [self.at[status] for status in ("in_production", "labeled") if status in self.at]
        return max([now - self.transit, *(at for at in happened if at is not None and at < now), *made])

    @property
    def never_produced(self) -> bool:
        """The magic postcode 00013: production does not start (G180)."""
        return self.status == "submitted" and self.address is not None and self.address["zip"] == "00013"
