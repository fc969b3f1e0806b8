"""What goes wrong with the orders of partners, beside all that `partner_machine` lets happen to them."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.models.partner_checks import PartnerChecks
from tests.models.partner_choices import places, statuses
from tests.models.partner_parcels import HAPPENS_TO, SHIPS_ODDLY

carried = st.sampled_from(("shipped", "shipped", "delayed", "rejected", "delivered")) | statuses
news = st.sampled_from((*HAPPENS_TO, *SHIPS_ODDLY))


class TroubleRules(PartnerChecks):
    """The carrier's news."""

    @rule(status=carried, place=places, event=news, whole=st.sampled_from((False, False, True)))
    def parcel(self, status: str, place: int, event: str, *, whole: bool) -> None:
        """Something happens to a parcel that the carrier has, or to all parcels of an order to which it can."""
        parcel = self.pick(self.parcels(status), place)
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
