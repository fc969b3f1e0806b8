"""The status of an order, its recipient counts, lists of orders, and whether an order is on time."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.fulfilment.cancellation import cancel_recipients
from giftsim.services.gifting.domain.fulfilment.claim import claim_for_recipient, resend_link
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    ORDER_STATUSES,
    PartnerOrder,
    derive_status,
    find_account_order,
    find_recipient_row,
    list_account_orders,
    recipient_counts,
    recipient_rows,
)
from giftsim.services.gifting.domain.fulfilment.manifest import on_time, order_on_time
from giftsim.services.gifting.domain.fulfilment.order_charge import has_unknown_charge
from giftsim.services.gifting.domain.fulfilment.order_errors import RecipientNotFound, TeamOrderNotFound
from giftsim.services.gifting.domain.fulfilment.shipment import DELIVERED, STATUSES
from giftsim.services.gifting.domain.fulfilment.shipment_progress import TARGETS, progress_to
from giftsim.services.gifting.domain.money.account import ENTRIES, FIRST_ID, AccountNotFound, find_account, open_account
from giftsim.services.gifting.domain.money.charge import CHARGES, PAID, Charge, CrashAfterCharge, unknown_charges
from giftsim.services.gifting.domain.money.money_errors import REFUSALS
from tests.support.domain.partner_orders import LONDON, RENO, PartnerDomain, address_order_body, email_order_body


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
    page, total = list_account_orders(partner.state, partner.account, limit=2, offset=2)
    assert ([order.id for order in page], total) == ([orders[2].id, orders[1].id], 5)
    assert list_account_orders(partner.state, partner.account, limit=20, offset=9) == ([], 5)
    assert list_account_orders(partner.state, other, limit=20, offset=0) == ([], 0)
    with pytest.raises(TeamOrderNotFound):
        find_account_order(partner.state, other, orders[0].id)
    for unknown in (1000, 1006, -5, 10**12):
        with pytest.raises(TeamOrderNotFound):
            find_account_order(partner.state, partner.account, unknown)


def test_a_list_by_status_is_kept_up_to_date() -> None:
    partner = PartnerDomain()
    first, second = partner.buy(address_order_body()), partner.buy(email_order_body())
    unpaid = partner.place(email_order_body())

    def order_slots(status: str) -> list[int]:
        return [
            order.n
            for order in list_account_orders(partner.state, partner.account, limit=20, offset=0, status=status)[0]
        ]

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


pick = st.integers(0, 11)
outcome = st.sampled_from(["paid", "failed"])
crash = st.sampled_from([False, False, False, True])
declined = st.sampled_from([None, None, None, *REFUSALS])


class Books(RuleBasedStateMachine):
    """One account to which everything happens that may."""

    def __init__(self) -> None:
        super().__init__()
        self.partner = PartnerDomain(wallet_cents=3000)
        self.delivered: set[int] = set()  # orders that were delivered stay so (G359)

    def order(self, number: int) -> PartnerOrder | None:
        made = self.partner.state[FULFILMENTS].next_n
        order = self.partner.state[FULFILMENTS].get(number % made) if made else None
        return order if isinstance(order, PartnerOrder) else None

    def row(self, number: int, place: int) -> tuple[PartnerOrder, Any, Any] | None:
        order = self.order(number)
        return (order, *self.partner.rows(order)[place % order.recipient_count]) if order else None

    def attempt(self, act: Any) -> None:
        """Do it as a call would: a problem leaves nothing behind, a crash leaves the intent."""
        with suppress(Problem, CrashAfterCharge), self.partner.state.transaction():
            act()

    @rule(count=st.integers(1, 4), seats=st.integers(0, 2), rush=st.booleans(), quantity=st.integers(1, 3),
          mode=st.booleans(), declined=declined, crash=crash)  # fmt: skip
    def place(
        self, count: int, seats: int, rush: bool, quantity: int, mode: bool, declined: str | None, crash: bool
    ) -> None:
        extra: dict[str, Any] = {"event": {"date": "2099-01-01", "rush": rush, "kit_assembly": not rush}}
        body = (
            email_order_body(*["Bo"] * count, open_seats=seats, **extra)
            if mode
            else address_order_body(*[RENO, LONDON] * count, **extra)
        )
        body["recipients"][0]["quantity"] = quantity
        order = self.partner.place(body)
        self.charge(order.n, declined, crash)

    @rule(number=pick, declined=declined, crash=crash)
    def charge(self, number: int, declined: str | None, crash: bool) -> None:
        order = self.order(number)
        if order:
            with suppress(Problem, CrashAfterCharge):
                self.partner.charge(order, declined=declined, crash=crash)

    @rule(number=pick, places=st.none() | st.lists(pick, min_size=1, max_size=3))
    def cancel(self, number: int, places: list[int] | None) -> None:
        order = self.order(number)
        if order:
            found = self.partner.rows(order)
            ids = None if places is None else [found[place % len(found)][0].id for place in places]
            self.attempt(lambda: cancel_recipients(self.partner.state, order, ids))

    @rule(number=pick, place=pick)
    def claim(self, number: int, place: int) -> None:
        if row := self.row(number, place):
            guest = {"address": RENO, "name": "Guest", "email": "guest@example.com"}
            self.attempt(lambda: claim_for_recipient(self.partner.state, *row, guest))

    @rule(number=pick, place=pick, to=st.sampled_from(TARGETS))
    def push(self, number: int, place: int, to: str) -> None:
        if row := self.row(number, place):
            self.attempt(lambda: progress_to(self.partner.state, row[2], to))

    @rule(number=pick, place=pick)
    def resend(self, number: int, place: int) -> None:
        if row := self.row(number, place):
            self.attempt(lambda: resend_link(self.partner.state, *row))

    @rule(number=pick, outcome=outcome)
    def resolve(self, number: int, outcome: str) -> None:
        order = self.order(number)
        if order and has_unknown_charge(self.partner.state, order):
            self.partner.resolve_charge(order, outcome)

    @rule(crash=crash)
    def settle(self, crash: bool) -> None:
        with suppress(Problem, CrashAfterCharge):
            self.partner.settle(crash=crash)

    @rule(change=st.fixed_dictionaries({}, optional={
        "wallet_cents": st.integers(-5000, 20_000), "card": st.sampled_from(["none", "good", "declined"]),
        "card_fallback": st.booleans(), "billing_mode": st.sampled_from(["prepaid", "net_terms"]),
        "credit_limit_cents": st.integers(0, 20_000), "daily_limit_cents": st.none() | st.integers(0, 20_000),
    }))  # fmt: skip
    def change(self, change: dict[str, Any]) -> None:
        self.partner.change_account(**change)

    @rule(by=st.sampled_from(["1h", "1d", "3d", "31d"]))
    def pass_time(self, by: str) -> None:
        self.partner.advance(by)

    @invariant()
    def every_entry_sums_to_zero(self) -> None:
        assert all(sum(cents for _, cents in entry.postings) == 0 for entry in self.partner.state[ENTRIES])

    @invariant()
    def the_wallet_is_what_the_ledger_says_and_holds_what_is_unknown(self) -> None:
        account = self.partner.account
        assert account.cash_cents == self.partner.wallet_by_ledger()
        assert account.held_cents == sum(charge.wallet_cents for charge in unknown_charges(self.partner.state))

    @invariant()
    def nothing_is_refunded_that_was_not_charged(self) -> None:
        for order in self.partner.state[FULFILMENTS]:
            assert 0 <= order.refunded_wallet_cents <= order.wallet_cents
            assert 0 <= order.refunded_card_cents <= order.card_cents
            found = [recipient for recipient, _ in recipient_rows(self.partner.state, order)]
            assert sum(row.refunded_wallet_cents for row in found) == order.refunded_wallet_cents
            assert sum(row.refunded_card_cents for row in found) == order.refunded_card_cents

    @invariant()
    def an_order_is_charged_its_total_once(self) -> None:
        for order in self.partner.state[FULFILMENTS]:
            charges = [
                row for row in self.partner.state[CHARGES] if row.purpose == "partner_order" and row.subject == order.n
            ]
            paid = [charge for charge in charges if charge.status == PAID]
            assert [charge.amount_cents for charge in paid] == ([order.total_cents] if order.paid_at_ms else [])
            assert order.charged_cents == sum(charge.amount_cents for charge in paid)

    @invariant()
    def the_order_counts_its_rows_and_its_status_follows(self) -> None:
        for order in self.partner.state[FULFILMENTS]:
            found = [shipment.status for _, shipment in recipient_rows(self.partner.state, order)]
            assert order.tally == tuple(found.count(status) for status in STATUSES)
            derived = derive_status(order.tally, order.paid_at_ms is not None)
            if derived == DELIVERED:
                self.delivered.add(order.n)
            assert order.status == (DELIVERED if order.n in self.delivered else derived)
            live = [row for row, shipment in recipient_rows(self.partner.state, order) if shipment.status != "canceled"]
            if order.paid_at_ms is None:
                assert order.total_cents == sum(row.total_cents for row in live)


TestBooks = Books.TestCase
TestBooks.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


def test_refunds_of_all_recipients_add_up_to_the_charge() -> None:
    partner = PartnerDomain(wallet_cents=1234)
    order = partner.place(email_order_body("Bo", "Cy", "Di", open_seats=4, event={"date": "2027-03-01", "rush": True}))
    assert isinstance(partner.charge(order), Charge)
    with partner.state.transaction():
        done = cancel_recipients(partner.state, order)
    assert done.refunded_cents == partner.order(order).charged_cents == 7 * 1800 + 2500
    assert (partner.account.cash_cents, partner.card_by_ledger()) == (1234, 0)
