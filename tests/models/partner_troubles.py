"""What goes wrong with the orders of partners, beside all that `partner_machine` lets happen to them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.models.calendar import calendar_of
from tests.models.partner_checks import PartnerChecks
from tests.models.partner_choices import MUG, PEN, TEE, addresses, places, statuses
from tests.models.partner_parcels import HAPPENS_TO, MAGIC, SHIPS_ODDLY
from tests.models.partner_webhooks import instant
from tests.models.world import span_of

carried = st.sampled_from(("shipped", "shipped", "delayed", "rejected", "delivered")) | statuses
news = st.sampled_from((*HAPPENS_TO, *SHIPS_ODDLY))

# What may go off sale: products, and options of one of them.
STOCK = ((MUG, None), (PEN, None), (TEE, None), (TEE, 10212), (TEE, 10222))

calendars = st.fixed_dictionaries(
    {"calendar.working_days": st.booleans(), "calendar.holidays": st.booleans()},
    optional={
        "calendar.cut_off": st.sampled_from(("01:00", "09:30", "16:00")),
        "calendar.rush_cut_off": st.sampled_from(("12:00", "23:00")),
        "calendar.promised_window": st.just("all_days"),
    },
)
# Other readings: settings that are seldom changed.
readings: st.SearchStrategy[dict[str, Any]] = (
    st.just({})
    | st.fixed_dictionaries(
        {},
        optional={
            "refunds.settle_after": st.sampled_from(("36h", "1h")),
            "refunds.closed_card": st.just("wallet"),
            "claims.options_reserved": st.just(True),
            "parcels.exception": st.sampled_from(("1h", None)),
            "parcels.lost_is_delayed": st.just(True),
        },
    )
    | calendars
)


class TroubleRules(PartnerChecks):
    """The news of carriers and banks, the stock, and what is wrong with addresses and mails."""

    @rule(status=carried, place=places, event=news, whole=st.sampled_from((False, False, True)), ships=st.booleans())
    def parcel(self, status: str, place: int, event: str, *, whole: bool, ships: bool) -> None:
        """Something happens to a parcel that the carrier has, or to all parcels of an order to which it can."""
        parcel = self.pick(self.parcels(status), place)
        ready = [each for each in self.parcels() if self.model.can_ship(each)]
        if ships and ready:
            parcel = self.pick(ready, place)
            answer = self.world.verb("shipment", order_id=parcel.order_id.value, to="shipped")
            assert answer.status == self.model.move(parcel, "shipped").status
        parcels = parcel.order.parcels if whole else [parcel]
        if event in SHIPS_ODDLY and any(each.status in ("awaiting", "expired") for each in parcels):
            return
        named = {"team_order_id": parcel.order.id.value} if whole else {"order_id": parcel.order_id.value}
        numbers = {each.order_id.value: each.tracking and each.tracking.value for each in parcels}
        answer = self.world.verb("parcel", **named, event=event)
        moved = [each for each in parcels if self.model.happen(each, event).status == 200]
        assert answer.status == (200 if moved else 409), (answer, event)
        for row in answer.json["parcels"] if moved and event == "tracking_replaced" else ():
            assert row["tracking_number"] != numbers[row["order_id"]], row

    def choose(self, readings: dict[str, Any]) -> None:
        """Choose other readings of what the documents leave open."""
        if readings:
            assert self.world.control("PATCH", "/settings", readings).status == 200
        self.model.refund_after = span_of(readings.get("refunds.settle_after", "0h")) or 0
        self.model.exception = span_of(readings.get("parcels.exception", "48h"))
        self.model.calendar = calendar_of(readings)
        self.model.reserves_options = "claims.options_reserved" in readings
        self.model.lost_is_delayed = "parcels.lost_is_delayed" in readings
        self.model.spares_closed_cards = "refunds.closed_card" in readings

    @precondition(lambda self: any(each.refunded for each in self.parcels()))
    @rule(place=places, outcome=st.sampled_from(("done", "failed")))
    def end_refunds(self, place: int, outcome: str) -> None:
        """The refunds of an order arrive or fail."""
        refunded = [order for order in self.model.orders if any(parcel.refunded for parcel in order.parcels)]
        by_card = [order for order in refunded if order.card_refunds_at_once]
        order = self.pick(by_card if outcome == "failed" and by_card else refunded, place)
        answer = self.world.verb("refund", team_order_id=order.id.value, outcome=outcome)
        reply = self.model.end_refunds(order, outcome)
        assert answer.status == reply.status, (answer, reply)

    @rule(what=st.sampled_from(STOCK), on_sale=st.booleans())
    def stock(self, what: tuple[str, int | None], *, on_sale: bool) -> None:
        """A product or an option of it goes off sale, or comes back."""
        product, option = what
        body = {"product": product} | ({"option": option} if option else {})
        assert self.world.verb("stock", **body, on_sale=on_sale).status == 200
        (self.model.off.discard if on_sale else self.model.off.add)(str(option or product))

    @rule(status=statuses, place=places, address=addresses)
    def correct_address(self, status: str, place: int, address: dict[str, Any]) -> None:
        """The account has an address corrected."""
        parcel = self.pick(self.parcels(status), place)
        if parcel.status == "delayed" and address["zip"] in MAGIC:
            return
        named = {"team_order_id": parcel.order.id.value, "recipient_id": parcel.id.value}
        answer = self.world.verb("address", **named, address=address)
        reply = self.model.correct(parcel, address)
        assert answer.status == reply.status, (answer, reply)

    @rule(status=statuses, place=places)
    def bounce(self, status: str, place: int) -> None:
        """The mail with a recipient's link bounces."""
        parcel = self.pick(self.parcels(status), place)
        named = {"team_order_id": parcel.order.id.value, "recipient_id": parcel.id.value}
        answer = self.world.verb("mail", **named, event="bounced")
        reply = self.model.bounce(parcel)
        assert answer.status == reply.status, (answer, reply)
        if parcel.mail and reply.status == 200:
            assert (answer.json["to"], answer.json["bounced_at"]) == (parcel.mail.to, instant(self.model.now))
