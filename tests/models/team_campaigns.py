"""Large campaigns as the documents describe them: prepared, priced, approved and paid batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.models.team_money import BALANCE, TERMS, Key, Payment, Refused, wrong_state
from tests.models.team_sends import Held, Parcel, Send

if TYPE_CHECKING:
    from tests.models.team import Team


class Batch(Send):
    """A part of a campaign, priced and paid as a whole (T-5.17). It is `prepared` with the prices of that day."""

    kind = "large_campaign"

    def __init__(self, campaign: Campaign, names: Sequence[str]) -> None:
        super().__init__(campaign.team, campaign.key, campaign.items, names, "US")
        self.campaign, self.status = campaign, "pending"
        self.is_priced = self.needs_price = False

    @property
    def is_open(self) -> bool:
        return self.status in ("prepared", "failed") and self.campaign.status == "approved"

    @property
    def is_outdated(self) -> bool:
        return self.needs_price or self.price != self.price_now

    @property
    def is_unpaid(self) -> bool:
        """Whether it has a price and nobody has paid it, or may have (T-3.6)."""
        return self.status in ("prepared", "failed") and self.payment is None

    def on_paid(self, _payment: Payment) -> None:
        """Its gifts go out; the last batch completes the campaign (A8.8)."""
        self.status = "paid"
        self.team.emit("gift.sent", self.campaign, "sent")
        self.start()
        campaign = self.campaign
        if all(each.status == "paid" for each in campaign.batches) and campaign.status in ("approved", "paused"):
            campaign.end_approval("canceled")
            campaign.status = "completed"

    def on_failed(self) -> None:
        """It can be paid again, unless the campaign was stopped meanwhile (A1.7, A1.8)."""
        if self.campaign.status == "stopped":
            self.drop()
        else:
            self.status = "failed"

    def drop(self) -> None:
        """It is never sent (A1.8)."""
        self.status = "dropped"
        self.cancel_parcels()

    def on_parcel(self, parcel: Parcel, before: str) -> None:
        """The events of a paid batch are those of gifts (G66)."""
        if self.status == "paid":
            self.team.emit_gift_step(self, parcel, before)
        self.give_up(parcel)

    def on_late_handover(self, parcel: Parcel, _before: str) -> None:
        """The recipient's step is told late."""
        self.team.emit("gift.shipped", self.campaign, "shipped", parcel)


class Campaign(Held):
    """A large campaign: prepared, approved and paid batch by batch (T-3.1 to T-3.9, A1.7, A8.8)."""

    kind = "large_campaign"

    def __init__(self, team: Team, key: Key, names: Sequence[str], method: str | None, size: int) -> None:
        super().__init__(team)
        self.key, self.method, self.status, self.paused_from = key, method, "preparing", ""
        self.items = team.kit()
        self.batches = [Batch(self, names[i : i + size]) for i in range(0, len(names), size)]

    @property
    def unpaid(self) -> list[Batch]:
        return [each for each in self.batches if each.is_unpaid]

    @property
    def total(self) -> int:
        """What an approval may cost: the batches that are not paid."""
        return sum(each.total for each in self.unpaid)

    def process(self, key: Key, *, crash: bool = False) -> Payment | None:
        """Prepare the next batch; once a human has approved all of them, pay the next one (T-4.170, A8.8)."""
        if self.status == "approved":
            if self.method == TERMS and not key.may_pay:
                raise Refused(403, "insufficient_scope")  # G56, before what does not fit the state (G13)
            if not self.unpaid:
                raise wrong_state()
            return self.team.money.pay(self.unpaid[0], self.method or BALANCE, key, crash=crash)
        pending = [each for each in self.batches if each.status == "pending"]
        if self.status != "preparing" or not pending or not self.team.off.isdisjoint(self.items):  # G447
            raise wrong_state()
        pending[0].status, pending[0].price, pending[0].is_priced = "prepared", pending[0].price_now, True
        self.ask_when_ready()
        return None

    def reprice(self) -> None:
        """Reprice one unpaid batch; earlier authority ends, and paid batches keep their totals (T-3.1 to T-3.6)."""
        if self.status not in ("preparing", "awaiting_approval", "approved") or not self.unpaid:
            raise wrong_state()
        if self.status != "preparing" or not any(each.needs_price for each in self.unpaid):
            self.end_approval("superseded", ("pending", "approved"))
            self.status = "preparing"
            for batch in self.unpaid:
                batch.needs_price = True
        batch = next(each for each in self.unpaid if each.needs_price)
        batch.price, batch.needs_price, batch.status = batch.price_now, False, "prepared"
        self.ask_when_ready()

    def ask_when_ready(self) -> None:
        """When every batch has its price, a human is asked (T-3.3)."""
        waiting = [each for each in self.batches if each.status == "pending" or (each.is_unpaid and each.needs_price)]
        if not waiting:
            self.status = "awaiting_approval"
            self.team.request(self, self.total)

    def pause(self) -> None:
        """Pausing halts preparation and payment (T-3.8)."""
        if self.status not in ("preparing", "awaiting_approval", "approved"):
            raise wrong_state()
        self.paused_from, self.status = self.status, "paused"

    def resume(self) -> None:
        """It goes on from where it was paused (T-3.9)."""
        if self.status != "paused":
            raise wrong_state()
        self.status = self.paused_from

    def stop(self) -> None:
        """Paid batches continue, the others are dropped (T-3.7, A1.8); one that may be paid waits for its outcome."""
        if self.status in ("completed", "stopped"):
            raise wrong_state()
        self.status = "stopped"
        self.end_approval("canceled")
        for batch in self.batches:
            self.team.money.release(batch)
            if batch.payment is None and batch.status != "dropped":
                batch.drop()
