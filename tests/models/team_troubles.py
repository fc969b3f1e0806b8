"""What goes wrong with what a team sends, beside all that `team_machine` lets happen to it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.models.calendar import calendar_of
from tests.models.team_bank import INVOICED
from tests.models.team_campaigns import Batch, Campaign
from tests.models.team_comparison import MOST, NAMES, pick, places
from tests.models.team_money import BANK, Invoice, Payment
from tests.models.team_parcels import HAPPENS_TO, SHIPS_ODDLY
from tests.models.team_sandbox import SandboxRules
from tests.models.team_sends import Gift, Order, Parcel, Send
from tests.models.world import span_of

# Other readings of what the documents leave open: settings that are seldom changed.
readings: st.SearchStrategy[dict[str, Any]] = (
    st.just({})
    | st.fixed_dictionaries(
        {},
        optional={
            "refunds.settle_after": st.sampled_from(("36h", "1h")),
            "gifts.refund_undeliverable": st.just(True),
            "catalogue.short_collection": st.just("sold_without_it"),
            "parcels.exception": st.sampled_from(("1h", None)),
            "parcels.lost_is_delayed": st.just(True),
            "bank.unapplied": st.just("returned"),
            "bank.matches_amount": st.just(True),
            "bank.returns_take_balance": st.just(True),
        },
    )
    | st.fixed_dictionaries(
        {"calendar.working_days": st.booleans(), "calendar.holidays": st.booleans()},
        optional={"calendar.cut_off": st.sampled_from(("01:00", "09:30", "16:00"))},
    )
)
ADDRESSES = {
    "US": {"address1": "3 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"},
    "DE": {"address1": "Am Ring 1", "city": "Berlin", "zip": "10115", "country": "DE"},
}


def named(send: Send, parcel: Parcel) -> dict[str, Any]:
    """How a verb names a parcel: by its order, gift or campaign, and its recipient's place there."""
    record: Any = send.campaign if isinstance(send, Batch) else send
    place = send.parcels.index(parcel) + (2 * record.batches.index(send) if isinstance(send, Batch) else 0)
    return {NAMES[record.kind]: record.id.value, "recipient": place}


class TroubleRules(SandboxRules):
    """The news of carriers and banks, the stock, and what is wrong with addresses and mails."""

    changes = 0  # how often the world outside has changed what all depends on

    @precondition(lambda self: any(each.is_started for each in self.team.sends))
    @rule(place=places, who=places, event=st.sampled_from((*HAPPENS_TO, *SHIPS_ODDLY)), ships=st.booleans())
    def carrier_news(self, place: int, who: int, event: str, *, ships: bool) -> None:
        """Something happens to a parcel, perhaps after it is shipped."""
        send = pick([each for each in self.team.sends if each.is_started], place)
        parcel = pick(send.parcels, who, lambda row: row.was_shipped is not ships)
        fitting = [name for name, fits in HAPPENS_TO.items() if parcel.status in fits]
        event = pick(fitting, who) if fitting and place < MOST - 2 else event
        if ships and not parcel.was_shipped:
            answer = self.world.verb("shipment", **named(send, parcel), to="shipped")
            self._agree(answer, lambda: self.team.move(send, parcel, "shipped"))
        answer = self.world.verb("parcel", **named(send, parcel), event=event)
        self._agree(answer, lambda: self.team.happen(send, parcel, event))

    def choose(self, readings: dict[str, Any]) -> None:
        """Choose other readings."""
        if readings:
            self._control("PATCH", "/settings", readings)
        money = self.money
        self.team.exception = span_of(readings.get("parcels.exception", "48h"))
        self.team.calendar = calendar_of(readings)
        self.team.refunds_undeliverable = "gifts.refund_undeliverable" in readings
        self.team.lost_is_delayed = "parcels.lost_is_delayed" in readings
        money.refund_after = span_of(readings.get("refunds.settle_after", "0h")) or 0
        for team in (self.team, self.sandbox):
            team.short_collections = "catalogue.short_collection" in readings
        money.sends_back = "bank.unapplied" in readings
        money.matches_amount = "bank.matches_amount" in readings
        money.returns_take_balance = "bank.returns_take_balance" in readings

    @precondition(lambda self: self.money.invoices or self.money.payments)
    @rule(place=places, event=st.sampled_from((*INVOICED, "returned")), by=st.booleans(),
          more=st.sampled_from((None, -4_600, -1, 0, 1, 4_600)))  # fmt: skip
    def bank_errs(self, place: int, event: str, more: int | None, *, by: bool) -> None:
        """A bank's money returns, or comes as another amount, twice or late."""
        payments = [each for each in self.money.payments if each.id.value and each.method in BANK]
        every: list[Invoice | Payment] = [*self.money.invoices, *(payments if event in ("returned", "late") else ())]
        if not every:
            return
        about = pick(every, place, lambda row: _fits(event, row))
        cents = max(1, about.amount + (more or (-1 if event == "underpaid" else 1)))
        if event in ("returned", "paid_twice") or (event == "late" and more is None):
            cents = 0
        name = {"invoice_id" if isinstance(about, Invoice) else "payment_id": about.id.value}
        order = about.bill if by and isinstance(about.bill, Order) else None
        if order is not None:
            name = {"team_order_id": order.id.value}
        answer = self.world.verb("bank", event=event, **name, **({"amount_cents": cents} if cents else {}))

        def act() -> None:
            self.money.happen(event, about if order is None else self.money.newest(order, event), cents)

        self._agree(answer, act)

    @precondition(lambda self: self.changes < MOST)
    @rule(cents=st.sampled_from((700, 4_600, 5_000, 9_200)))
    def money_without_reference(self, cents: int) -> None:
        """Money comes that names nothing."""
        self.changes += 1
        answer = self.world.verb("bank", event="unreferenced", amount_cents=cents)
        self._agree(answer, lambda: self.money.pay_without_reference(cents))

    @precondition(lambda self: self.money.refunds)
    @rule(place=places, outcome=st.sampled_from(("done", "failed")))
    def end_refunds(self, place: int, outcome: str) -> None:
        """The refunds of an order arrive, or do not."""
        record = pick(self.team.held, place, lambda row: any(each.refunds for each in _payments(row)))
        answer = self.world.verb("refund", **{NAMES[record.kind]: record.id.value}, outcome=outcome)
        self._agree(answer, lambda: self.money.end_refunds(_payments(record), outcome))

    @precondition(lambda self: self.changes < MOST)
    @rule(item=st.sampled_from(("mug-01", "pen-01", "bmug-01")), on_sale=st.booleans())
    def stock(self, item: str, *, on_sale: bool) -> None:
        """An item goes off sale, or comes back."""
        self.changes += 1
        self._verb("stock", product=item, on_sale=on_sale)
        (self.team.off.discard if on_sale else self.team.off.add)(item)

    @precondition(lambda self: any(each.is_started for each in self.team.sends))
    @rule(place=places, who=places, country=st.sampled_from(("US", "US", "DE")))
    def correct_address(self, place: int, who: int, country: str) -> None:
        """A recipient's address is corrected."""
        send = pick([each for each in self.team.sends if each.is_started], place)
        parcel = pick(send.parcels, who, lambda row: row.status == "submitted")
        answer = self.world.verb("address", **named(send, parcel), address=ADDRESSES[country])
        self._agree(answer, lambda: self.team.correct(parcel, country, send.country))

    @precondition(lambda self: self.team.sends)
    @rule(place=places, who=places)
    def bounce(self, place: int, who: int) -> None:
        """The mail with a recipient's link bounces."""
        send = pick(self.team.sends, place)
        if isinstance(send, Batch) and not send.is_priced:
            return
        parcel = pick(send.parcels, who)
        answer = self.world.verb("mail", **named(send, parcel), event="bounced")
        self._agree(answer, lambda: self.team.bounce(send, parcel))


def _payments(record: Order | Gift | Campaign) -> list[Payment]:
    bills = record.batches if isinstance(record, Campaign) else [record]
    return [payment for bill in bills for payment in bill.payments]


def _fits(event: str, about: Invoice | Payment) -> bool:
    if isinstance(about, Invoice):
        return about.status in INVOICED[event]
    return about.status == ("settled" if event == "returned" else "failed")
