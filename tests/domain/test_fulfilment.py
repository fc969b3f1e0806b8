"""The status of an order, its recipient counts, lists of orders, and whether an order is on time."""

from __future__ import annotations

import pytest

from giftsim.domain.fulfilment.account_orders import find_order, list_orders
from giftsim.domain.fulfilment.cancellation import cancel_recipients
from giftsim.domain.fulfilment.fulfilment import (
    ORDER_STATUSES,
    derive_status,
    find_recipient_row,
    recipient_counts,
)
from giftsim.domain.fulfilment.manifest import on_time, order_on_time
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
    partner = PartnerDomain()
    order = partner.buy(email_order_body(*["Bo"] * 8, claim_expiry_days=1))
    targets = ("in_production", "labeled", "shipped", "delivered", "delayed", "rejected")
    for place, target in enumerate(targets):
        with partner.state.transaction():
            progress_to(partner.state, partner.rows(order)[place][1], target)
    with partner.state.transaction():
        cancel_recipients(partner.state, order, [partner.rows(order)[6][0].id])
    assert recipient_counts(partner.order(order)) == {
        "total": 8, "awaiting_address": 1, "claimed": 4, "shipped": 1, "delivered": 1, "expired": 0, "canceled": 1,
    }  # fmt: skip
    partner.advance("1d")
    counts = recipient_counts(partner.order(order))
    assert (counts["awaiting_address"], counts["expired"]) == (0, 1)
    assert sum(counts.values()) == 2 * counts["total"]


def test_orders_are_listed_newest_first_for_one_account() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        other = open_account(partner.state, {})
    orders = [partner.buy(email_order_body()) for _ in range(5)]
    page, total = list_orders(partner.state, partner.account, limit=2, offset=2)
    assert ([order.id for order in page], total) == ([orders[2].id, orders[1].id], 5)
    assert list_orders(partner.state, partner.account, limit=20, offset=9) == ([], 5)
    assert list_orders(partner.state, other, limit=20, offset=0) == ([], 0)
    with pytest.raises(TeamOrderNotFound):
        find_order(partner.state, other, orders[0].id)
    for unknown in (1000, 1006, -5, 10**12):
        with pytest.raises(TeamOrderNotFound):
            find_order(partner.state, partner.account, unknown)


def test_a_list_by_status_is_kept_up_to_date() -> None:
    partner = PartnerDomain()
    first, second = partner.buy(address_order_body()), partner.buy(email_order_body())
    unpaid = partner.place(email_order_body())

    def order_slots(status: str) -> list[int]:
        return [order.n for order in list_orders(partner.state, partner.account, limit=20, offset=0, status=status)[0]]

    assert [order_slots(status) for status in ORDER_STATUSES] == [[unpaid.n], [second.n], [first.n], [], [], []]
    partner.advance("3d")
    assert order_slots("shipped") == [first.n]
    partner.advance("2d")
    with partner.state.transaction():
        cancel_recipients(partner.state, unpaid)
    assert [order_slots(status) for status in ORDER_STATUSES] == [[], [second.n], [], [], [first.n], [unpaid.n]]


def test_a_recipient_is_only_found_in_its_own_order() -> None:
    partner = PartnerDomain()
    first, second = partner.buy(email_order_body("Bo", "Cy")), partner.buy(email_order_body("Di"))
    assert find_recipient_row(partner.state, first, partner.rows(first)[1][0].id)[0].name == "Cy"
    for foreign in (partner.rows(second)[0][0].id, 1, -1):
        with pytest.raises(RecipientNotFound):
            find_recipient_row(partner.state, first, foreign)


def test_on_time_compares_the_utc_date_of_delivery_and_is_false_after_the_event() -> None:
    partner = PartnerDomain()
    order = partner.buy(address_order_body(RENO, RENO, RENO, event={"date": "2027-01-09"}))

    def results() -> list[bool | None]:
        now_ms = partner.state.now_ms
        return [on_time(partner.order(order), shipment, now_ms) for _, shipment in partner.rows(order)]

    with partner.state.transaction():
        progress_to(partner.state, partner.rows(order)[0][1], "delivered")
        progress_to(partner.state, partner.rows(order)[1][1], "delayed")
        cancel_recipients(partner.state, order, [partner.rows(order)[2][0].id])
    assert (results(), order_on_time(partner.state, partner.order(order))) == ([True, None, None], None)
    partner.advance("5d")
    partner.advance("14h")
    assert results() == [True, None, None]
    partner.advance("1h")
    assert (results(), order_on_time(partner.state, partner.order(order))) == ([True, False, None], False)
    with partner.state.transaction():
        progress_to(partner.state, partner.rows(order)[1][1], "delivered")
    assert results() == [True, False, None]


def test_an_order_is_on_time_if_all_rows_are_and_undecided_without_event() -> None:
    partner = PartnerDomain()
    order, plain = partner.buy(address_order_body(event={"date": "2027-01-09"})), partner.buy(address_order_body())
    partner.advance("5d")
    assert order_on_time(partner.state, partner.order(order)) is True
    assert order_on_time(partner.state, partner.order(plain)) is None


def test_an_unknown_account_is_not_found() -> None:
    partner = PartnerDomain()
    assert find_account(partner.state, FIRST_ID) == partner.account
    with pytest.raises(AccountNotFound):
        find_account(partner.state, FIRST_ID + 1)
