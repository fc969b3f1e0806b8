"""What goes wrong with what a team sends, beside all that `team_machine` lets happen to it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.models.team_campaigns import Batch
from tests.models.team_comparison import NAMES, pick, places
from tests.models.team_parcels import HAPPENS_TO, SHIPS_ODDLY
from tests.models.team_sandbox import SandboxRules
from tests.models.team_sends import Parcel, Send


def named(send: Send, parcel: Parcel) -> dict[str, Any]:
    """How a verb names a parcel: by its order, gift or campaign, and its recipient's place there."""
    record: Any = send.campaign if isinstance(send, Batch) else send
    place = send.parcels.index(parcel) + (2 * record.batches.index(send) if isinstance(send, Batch) else 0)
    return {NAMES[record.kind]: record.id.value, "recipient": place}


class TroubleRules(SandboxRules):
    """The carrier's news."""

    @precondition(lambda self: any(each.is_started for each in self.team.sends))
    @rule(place=places, who=places, event=st.sampled_from((*HAPPENS_TO, *SHIPS_ODDLY)), ships=st.booleans())
    def carrier_news(self, place: int, who: int, event: str, *, ships: bool) -> None:
        """Something happens to a parcel, perhaps after it is shipped."""
        send = pick([each for each in self.team.sends if each.is_started], place)
        parcel = pick(send.parcels, who, lambda row: row.was_shipped)
        if ships and not parcel.was_shipped:
            answer = self.world.verb("shipment", **named(send, parcel), to="shipped")
            self._agree(answer, lambda: self.team.move(send, parcel, "shipped"))
        answer = self.world.verb("parcel", **named(send, parcel), event=event)
        self._agree(answer, lambda: self.team.happen(send, parcel, event))
