"""The status of team orders and gifts by their shipments, and the machine of approvals."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from giftsim.domain.fulfilment.shipment import STATUSES
from giftsim.domain.team.orders import gift, team_order
from giftsim.domain.team.orders.approval import APPROVAL, PENDING

tallies = st.lists(st.integers(0, 3), min_size=len(STATUSES), max_size=len(STATUSES))
GOING = {"awaiting": "sent", "submitted": "claimed", "in_production": "claimed", "labeled": "claimed",
         "delayed": "claimed", "shipped": "shipped", "delivered": "delivered"}  # fmt: skip
OUT = ("rejected", "expired", "canceled")


def tally(**counts: int) -> list[int]:
    """A tally with these counts."""
    return [counts.get(status, 0) for status in STATUSES]


@given(counts=tallies)
def test_a_gift_has_the_status_of_its_least_advanced_recipient_under_way(counts: list[int]) -> None:
    rows = [status for status, count in zip(STATUSES, counts, strict=True) for _ in range(count)]
    going = [gift.PROGRESS.index(GOING[status]) for status in rows if status in GOING]
    status = gift.gift_status(counts)
    if going:
        assert status == gift.PROGRESS[min(going)]
    else:
        assert status in OUT
        assert status in rows or not rows


@given(counts=tallies, held=st.booleans())
def test_an_order_is_shipped_or_delivered_when_all_remaining_shipments_are(counts: list[int], held: bool) -> None:
    by = dict(zip(STATUSES, counts, strict=True))
    left = sum(counts) - by["rejected"] - by["expired"] - by["canceled"]
    status = team_order.order_status("approved" if held else "in_production", counts)
    if left and by["delivered"] == left:
        assert status == "delivered"
    elif left and by["delivered"] + by["shipped"] == left:
        assert status == "shipped"
    elif not held or any(by[each] for each in ("in_production", "labeled", "shipped", "delivered")):
        assert status == "in_production"
    else:
        assert status == "approved"


@given(counts=tallies, status=st.sampled_from(team_order.PROGRESS[2:]))
def test_an_order_never_goes_back_from_production(counts: list[int], status: str) -> None:
    assert team_order.order_status(status, counts) in team_order.PROGRESS[2:]


def test_examples_of_order_statuses() -> None:
    assert team_order.order_status("approved", tally(awaiting=2, submitted=1)) == "approved"
    assert team_order.order_status("approved", tally(awaiting=1, in_production=1)) == "in_production"
    assert team_order.order_status("approved", tally(submitted=1, delivered=1)) == "in_production"
    assert team_order.order_status("in_production", tally(shipped=1, delivered=1, expired=4)) == "shipped"
    assert team_order.order_status("in_production", tally(delivered=1, canceled=1)) == "delivered"
    assert team_order.order_status("approved", tally(expired=2)) == "approved"


def test_a_decided_approval_stays_except_that_another_price_supersedes_an_approved_one() -> None:
    ends = {(row.state, row.target) for row in APPROVAL.rows}
    assert {target for state, target in ends if state == PENDING} == {"approved", "rejected", "canceled", "superseded"}
    assert {(state, target) for state, target in ends if state != PENDING} == {("approved", "superseded")}
