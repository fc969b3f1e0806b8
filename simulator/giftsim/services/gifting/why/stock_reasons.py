"""Why nobody can claim, or no batch can be prepared: what is needed is off sale (G446, G447)."""

from __future__ import annotations

from collections.abc import Sequence

from giftsim.engine.gateway.reason import Act, Proof, Reason
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.stock import OFF_SALE, OffSale, item_on_sale, missing_item
from giftsim.services.gifting.domain.team.campaigns.campaign import Campaign
from giftsim.services.gifting.records.off_sale import (
    empty_choice,
    mark_name,
    marks_of_choice,
    marks_of_items,
    put_back_body,
)
from giftsim.services.gifting.why.expected_stages import Row
from giftsim.services.gifting.why.wording import phrase_people, phrase_record


def nothing_left(state: State, ref: Ref, rows: Sequence[Row]) -> Reason | None:
    """Why recipients cannot claim: every option of a choice is off sale. None if there is something to pick."""
    order = state[FULFILMENTS].get(rows[0].recipient.order)
    choice = empty_choice(state, order)
    if choice is None:
        return None
    marks = marks_of_choice(state, order, choice)
    who = phrase_people(state, [row.recipient for row in rows])
    return Reason(
        kind="not_claimed",
        sentence=f"{who} cannot claim {phrase_record(ref)}: no {choice.name.lower()} is left to pick, because each is"
        " off sale",
        proofs=_proofs(state, marks),
        acts=_put_back(state, marks if order.menu else marks[:1]),
        codes=frozenset({"invalid_claim"}),
    )


def no_batch(state: State, ref: Ref, campaign: Campaign) -> Reason | None:
    """Why the next batch of a campaign cannot be prepared: an item of it is off sale. None if all can be ordered."""
    name = missing_item(state, campaign.items, campaign.menu) if state[OFF_SALE].rows else None
    if name is None:
        return None
    needed = [item for item in campaign.items if not item_on_sale(state, item)]
    marks = marks_of_items(state, needed or campaign.menu[0].items)
    return Reason(
        kind="not_approved",
        sentence=f"no approval of {phrase_record(ref)} is requested yet: {name} is off sale, so its next batch cannot"
        " be prepared",
        proofs=_proofs(state, marks),
        acts=_put_back(state, marks),
    )


def _proofs(state: State, marks: Sequence[OffSale]) -> tuple[Proof, ...]:
    return tuple(
        Proof(OFF_SALE.name, mark.n, None, None, f"{mark_name(state, mark)} is off sale since then") for mark in marks
    )


def _put_back(state: State, marks: Sequence[OffSale]) -> tuple[Act, ...]:
    """What puts it back on sale."""
    return tuple(Act("stock", put_back_body(state, mark)) for mark in marks)
