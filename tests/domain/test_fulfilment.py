"""The status of an order, its summary, its lists, and whether it makes its date."""

from __future__ import annotations

import pytest

from giftsim.domain.fulfilment.cancellation import cancel_recipients
from giftsim.domain.fulfilment.event_date import on_time, order_on_time
from giftsim.domain.fulfilment.fulfilment import (
    ORDER_STATUSES,
    derive_status,
    find_order,
    find_recipient_row,
    list_orders,
    recipient_counts,
)
from giftsim.domain.fulfilment.problem import RecipientNotFound, TeamOrderNotFound
from giftsim.domain.fulfilment.shipment import STATUSES
from giftsim.domain.fulfilment.shipment_progress import progress_to
from giftsim.domain.money.account import FIRST_ID, AccountNotFound, find_account, open_account
from tests.support.domain.partner_orders import RENO, PartnerDomain, address_order_body, email_order_body


def tally(**counts: int) -> tuple[int, ...]:
    return tuple(counts.get(status, 0) for status in STATUSES)


@pytest.mark.parametrize(
    ("counts", "paid", "status"),
    [
        ({"canceled": 2}, True, "canceled"),
        ({"canceled": 2}, False, "canceled"),
        ({"awaiting": 2}, False, "unpaid"),
        ({"submitted": 1, "canceled": 1}, False, "unpaid"),
        ({"awaiting": 1, "delivered": 1}, True, "collecting_addresses"),
        ({"expired": 1, "canceled": 1}, True, "collecting_addresses"),
        ({"expired": 1, "rejected": 1}, True, "collecting_addresses"),
        ({"rejected": 1}, True, "in_progress"),
        ({"expired": 1, "delivered": 1}, True, "delivered"),
        ({"expired": 1, "in_production": 1}, True, "in_progress"),
        ({"delivered": 2, "canceled": 1, "rejected": 1}, True, "delivered"),
        ({"delivered": 1, "shipped": 1}, True, "shipped"),
        ({"shipped": 2, "expired": 3}, True, "shipped"),
        ({"shipped": 1, "delayed": 1}, True, "in_progress"),
        ({"submitted": 1}, True, "in_progress"),
        ({"labeled": 1, "awaiting": 1}, True, "collecting_addresses"),
    ],
)
def test_the_status_is_derived_from_the_rows_and_the_payment(counts: dict[str, int], paid: bool, status: str) -> None:
    assert derive_status(tally(**counts), paid) == status
    assert status in ORDER_STATUSES


def test_recipient_counts_add_up_to_the_total() -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body(*["Bo"] * 8, claim_expiry_days=1))
    targets = ("in_production", "labeled", "shipped", "delivered", "delayed", "rejected")
    for place, to in enumerate(targets):
        with stage.state.transaction():
            progress_to(stage.state, stage.rows(order)[place][1], to)
    with stage.state.transaction():
        cancel_recipients(stage.state, order, [stage.rows(order)[6][0].id])
    assert recipient_counts(stage.order(order)) == {
        "total": 8, "awaiting_address": 1, "claimed": 4, "shipped": 1, "delivered": 1, "expired": 0, "canceled": 1,
    }  # fmt: skip
    stage.advance("1d")
    found = recipient_counts(stage.order(order))
    assert (found["awaiting_address"], found["expired"]) == (0, 1)
    assert sum(found.values()) == 2 * found["total"]


def test_orders_are_listed_newest_first_for_one_account() -> None:
    stage = PartnerDomain()
    with stage.state.transaction():
        other = open_account(stage.state, {})
    orders = [stage.buy(email_order_body()) for _ in range(5)]
    page, total = list_orders(stage.state, stage.account, limit=2, offset=2)
    assert ([order.id for order in page], total) == ([orders[2].id, orders[1].id], 5)
    assert list_orders(stage.state, stage.account, limit=20, offset=9) == ([], 5)
    assert list_orders(stage.state, other, limit=20, offset=0) == ([], 0)
    with pytest.raises(TeamOrderNotFound):
        find_order(stage.state, other, orders[0].id)
    for unknown in (1000, 1006, -5, 10**12):
        with pytest.raises(TeamOrderNotFound):
            find_order(stage.state, stage.account, unknown)


def test_a_list_by_status_is_kept_up_to_date() -> None:
    stage = PartnerDomain()
    first, second = stage.buy(address_order_body()), stage.buy(email_order_body())
    unpaid = stage.place(email_order_body())

    def listed(status: str) -> list[int]:
        return [order.n for order in list_orders(stage.state, stage.account, limit=20, offset=0, status=status)[0]]

    assert [listed(status) for status in ORDER_STATUSES] == [[unpaid.n], [second.n], [first.n], [], [], []]
    stage.advance("3d")
    assert listed("shipped") == [first.n]
    stage.advance("2d")
    with stage.state.transaction():
        cancel_recipients(stage.state, unpaid)
    assert [listed(status) for status in ORDER_STATUSES] == [[], [second.n], [], [], [first.n], [unpaid.n]]


def test_a_recipient_is_only_found_in_its_own_order() -> None:
    stage = PartnerDomain()
    first, second = stage.buy(email_order_body("Bo", "Cy")), stage.buy(email_order_body("Di"))
    assert find_recipient_row(stage.state, first, stage.rows(first)[1][0].id)[0].name == "Cy"
    for foreign in (stage.rows(second)[0][0].id, 1, -1):
        with pytest.raises(RecipientNotFound):
            find_recipient_row(stage.state, first, foreign)


def test_on_time_compares_the_utc_date_of_delivery_and_is_false_after_the_event() -> None:
    stage = PartnerDomain()
    order = stage.buy(address_order_body(RENO, RENO, RENO, event={"date": "2027-01-09"}))

    def judged() -> list[bool | None]:
        now_ms = stage.state.now_ms
        return [on_time(stage.order(order), shipment, now_ms) for _, shipment in stage.rows(order)]

    with stage.state.transaction():
        progress_to(stage.state, stage.rows(order)[0][1], "delivered")
        progress_to(stage.state, stage.rows(order)[1][1], "delayed")
        cancel_recipients(stage.state, order, [stage.rows(order)[2][0].id])
    assert (judged(), order_on_time(stage.state, stage.order(order))) == ([True, None, None], None)
    stage.advance("5d")
    stage.advance("14h")
    assert judged() == [True, None, None]
    stage.advance("1h")
    assert (judged(), order_on_time(stage.state, stage.order(order))) == ([True, False, None], False)
    with stage.state.transaction():
        progress_to(stage.state, stage.rows(order)[1][1], "delivered")
    assert judged() == [True, False, None]


def test_an_order_is_on_time_if_all_rows_are_and_undecided_without_event() -> None:
    stage = PartnerDomain()
    order, plain = stage.buy(address_order_body(event={"date": "2027-01-09"})), stage.buy(address_order_body())
    stage.advance("5d")
    assert order_on_time(stage.state, stage.order(order)) is True
    assert order_on_time(stage.state, stage.order(plain)) is None


def test_an_unknown_account_is_not_found() -> None:
    stage = PartnerDomain()
    assert find_account(stage.state, FIRST_ID) == stage.account
    with pytest.raises(AccountNotFound):
        find_account(stage.state, FIRST_ID + 1)
