"""What goes back when rows are canceled: shares in whole cents that add up, to the wallet first, in balanced books."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import RENO, address_recipients, email_recipients
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import account_of, ledger_balances
from tests.support.partner.orders import cancel_rows, move_parcels, recipient_ids, recipient_statuses, request_cancel
from tests.support.responses import created
from tests.support.worlds import World

in_fresh_worlds = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)

LONDON = {"address1": "10 Downing St", "city": "London", "zip": "SW1A 2AA", "country": "GB"}
FEES = {"rush": True, "kit_assembly": True}

rows: st.SearchStrategy[list[dict[str, Any]]] = st.lists(
    st.builds(dict, name=st.just("Bo"), quantity=st.integers(1, 3), address=st.sampled_from([RENO, LONDON])),
    min_size=1,
    max_size=7,
)
cancels = st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=4), max_size=6)
flags = st.fixed_dictionaries({}, optional={"rush": st.booleans(), "kit_assembly": st.booleans()})


def parts(refund: Any) -> tuple[int, int]:
    """What of a refund went to the wallet and to the card."""
    assert refund["total_cents"] == refund["wallet_cents"] + refund["card_cents"]
    return refund["wallet_cents"], refund["card_cents"]


@claims("P-2.35", "P-3.13")
def test_refunds_go_to_the_wallets_part_first_and_then_to_the_card(world: World, partner: PartnerClient) -> None:
    world.change_account(wallet_cents=2 * ROW_CENTS)
    order = created(partner.create_order(recipients=email_recipients(3)))
    assert order["billing"]["card_charged_cents"] == ROW_CENTS
    found = [cancel_rows(partner, order, [place]) for place in (2, 0, 1)]
    assert [parts(row["canceled"][0]["refund"]) for row in found] == [(ROW_CENTS, 0), (ROW_CENTS, 0), (0, ROW_CENTS)]
    assert [row["refunded_cents"] for row in found] == [ROW_CENTS] * 3
    held = ledger_balances(world)
    assert (held["wallet 501"], held["card 501"], held["order 1001"]) == (2 * ROW_CENTS, 0, 0)
    assert account_of(world)["wallet_cents"] == 2 * ROW_CENTS


@claims("P-2.35", "P-3.13")
def test_a_refund_may_lie_across_wallet_and_card(world: World, partner: PartnerClient) -> None:
    world.change_account(wallet_cents=4000)
    answer = cancel_rows(partner, created(partner.create_order(recipients=email_recipients(3))))
    assert [parts(row["refund"]) for row in answer["canceled"]] == [(2600, 0), (1400, 1200), (0, 2600)]
    assert answer["refunded_cents"] == 7800
    assert account_of(world)["wallet_cents"] == 4000


@claims("P-3.14", "P-3.13")
def test_on_net_terms_a_refund_lowers_what_is_owed_and_gives_room_back(world: World) -> None:
    partner = world.partner("partner.net_terms")
    world.change_account("partner.net_terms", credit_limit_cents=3 * ROW_CENTS)
    order = created(partner.create_order(recipients=email_recipients(3)))
    assert order["billing"]["new_cash_balance_cents"] == -3 * ROW_CENTS
    assert partner.create_order(idempotency_key="more").status == 402
    [row] = cancel_rows(partner, order, [1])["canceled"]
    assert parts(row["refund"]) == (ROW_CENTS, 0)
    shown = account_of(world, "partner.net_terms")
    assert (shown["wallet_cents"], shown["owed_cents"]) == (-2 * ROW_CENTS, 2 * ROW_CENTS)
    assert created(partner.create_order(idempotency_key="more"))["billing"]["new_cash_balance_cents"] == -3 * ROW_CENTS


@claims("P-2.36")
@pytest.mark.parametrize("known", [[0], None])
def test_an_unpaid_row_gets_nothing_back(world: World, known: list[int] | None) -> None:
    partner = world.partner("partner.no_funds")
    world.change_account("partner.no_funds", wallet_cents=ROW_CENTS)
    order = partner.read_order(partner.create_order(recipients=email_recipients(2)).json()["team_order_id"])
    before = world.rows("ledger")
    answer = cancel_rows(partner, order, known)
    assert {(row["was_paid"], *parts(row["refund"])) for row in answer["canceled"]} == {(False, 0, 0)}
    assert answer["refunded_cents"] == 0
    assert world.rows("ledger") == before
    assert {row["money"]["refunded_cents"] for row in partner.read_order(1001)["recipients"]} == {0}


@claims("P-2.37")
def test_nobody_is_refunded_twice(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2)))
    cancel_rows(partner, order, [0])
    assert request_cancel(partner, order, [0]).status == 409
    assert cancel_rows(partner, order, [0, 1])["refunded_cents"] == ROW_CENTS
    assert request_cancel(partner, order).status == 409
    assert account_of(world)["wallet_cents"] == 500_000


@claims("P-3.13")
def test_a_share_is_the_rows_own_goods_and_parcel_and_an_equal_part_of_the_fees(
    world: World, partner: PartnerClient
) -> None:
    asked = [*address_recipients(1, quantity=2), {"name": "Cy", "address": LONDON}, *address_recipients(1)]
    order = created(partner.create_order(recipients=asked, event={"date": date_from_now(world, 30), **FEES}))
    shares = [row["money"] for row in partner.read_order(1001)["recipients"]]
    own = [(row["subtotal_cents"], row["shipping_cents"]) for row in shares]
    assert own == [(3600, 800), (1800, 1800), (1800, 800)]
    fees = [row["event_fees_cents"] for row in shares]
    assert sum(fees) == order["totals"]["event_fees_cents"] == 3400
    assert sorted(fees) == [1133, 1133, 1134]
    refunds = [cancel_rows(partner, order, [place])["refunded_cents"] for place in range(3)]
    assert refunds == [row["total_cents"] for row in shares] == [sum(own[i]) + fees[i] for i in range(3)]
    assert sum(refunds) == order["totals"]["charged_cents"]


@claims("P-3.13")
def test_price_changes_after_the_purchase_do_not_move_a_refund(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2)))
    world.simulate("price", product="MUG-01", price_cents=9900)
    world.change_settings(partner__prices__shipping__US=1)
    assert cancel_rows(partner, order)["refunded_cents"] == 2 * ROW_CENTS
    assert account_of(world)["wallet_cents"] == 500_000


def test_an_order_that_costs_nothing_gives_nothing_back(world: World, partner: PartnerClient) -> None:
    world.simulate("price", product="MUG-01", price_cents=0)
    world.change_settings(partner__prices__shipping__US=0)
    order = created(partner.create_order(recipients=email_recipients(2)))
    assert order["totals"]["charged_cents"] == 0
    answer = cancel_rows(partner, order)
    assert [(row["was_paid"], *parts(row["refund"])) for row in answer["canceled"]] == [(True, 0, 0)] * 2
    assert partner.read_order(1001)["team_order"]["status"] == "canceled"
    assert ledger_balances(world)["order 1001"] == 0


@claims("P-2.35", "P-2.37", "P-3.13", "P-3.14")
@in_fresh_worlds
@given(asked=rows, fees=flags, sequence=cancels, wallet=st.integers(0, 30_000), terms=st.booleans())
def test_refunds_over_any_cancels_never_exceed_the_charge_and_in_the_end_are_the_charge(
    new_world: Callable[..., World], asked: list[Any], fees: dict[str, bool], sequence: Any, wallet: int, terms: bool
) -> None:
    world = new_world()
    key = "partner.net_terms" if terms else "partner.prepaid"
    partner = world.partner(key)
    wallet = -wallet if terms else wallet
    world.change_account(key, wallet_cents=wallet)
    order = created(partner.create_order(recipients=asked, event={"date": date_from_now(world, 30), **fees}))
    charged, paid = order["totals"]["charged_cents"], order["billing"]
    wallet_back = card_back = 0
    gone: set[int] = set()
    for named in [*([place % len(asked) for place in named] for named in sequence), list(range(len(asked)))]:
        answer = request_cancel(partner, order, named)
        assert answer.status == (409 if gone.issuperset(named) else 200)
        if answer.status == 200:
            back = [parts(row["refund"]) for row in answer.json()["canceled"]]
            assert answer.json()["refunded_cents"] == sum(map(sum, back))
            wallet_back += sum(part for part, _ in back)
            card_back += sum(part for _, part in back)
        gone |= set(named)
        assert wallet_back == min(wallet_back + card_back, paid["wallet_cash_cents"])
        assert wallet_back + card_back == sum(
            row["money"]["total_cents"] for row in partner.read_order(1001)["recipients"] if row["status"] == "canceled"
        )
        held = ledger_balances(world)
        name = account_of(world, key)["account_id"]
        assert held["order 1001"] == charged - wallet_back - card_back >= 0
        assert held[f"wallet {name}"] == wallet - paid["wallet_cash_cents"] + wallet_back
        assert held[f"card {name}"] == card_back - paid["card_charged_cents"]
    assert (wallet_back, card_back) == (paid["wallet_cash_cents"], paid["card_charged_cents"])
    assert wallet_back + card_back == charged
    assert account_of(world, key)["wallet_cents"] == wallet


@claims("P-2.36", "P-3.13")
@in_fresh_worlds
@given(asked=rows, fees=flags, before=st.sets(st.integers(0, 6)), after=st.sets(st.integers(0, 6)))
def test_what_is_canceled_before_the_payment_is_neither_charged_nor_refunded(
    new_world: Callable[..., World], asked: list[Any], fees: dict[str, bool], before: set[int], after: set[int]
) -> None:
    world = new_world()
    partner = world.partner("partner.no_funds")
    body = {"recipients": asked, "event": {"date": date_from_now(world, 30), **fees}}
    order = partner.read_order(partner.create_order(**body).json()["team_order_id"])
    shares = [row["money"]["total_cents"] for row in order["recipients"]]
    kept = [place for place in range(len(asked)) if place not in before]
    dropped = [place for place in range(len(asked)) if place in before]
    if dropped:
        assert cancel_rows(partner, order, dropped)["refunded_cents"] == 0
    world.change_account("partner.no_funds", card="good")
    answer = partner.create_order(**body)
    assert answer.status == (201 if kept else 200)
    assert answer.json()["totals"]["charged_cents"] == sum(shares[place] for place in kept)
    assert answer.json()["totals"]["total_cents"] == sum(shares[place] for place in kept)
    back = 0
    for named in ([place for place in kept if place in after], kept):
        again = request_cancel(partner, order, named) if named else None
        back += again.json()["refunded_cents"] if again and again.status == 200 else 0
    assert back == sum(shares[place] for place in kept)
    assert ledger_balances(world)["order 1001"] == 0
    assert partner.read_order(1001)["team_order"]["status"] == "canceled"


@claims("P-3.12", "P-3.13")
def test_only_what_could_be_canceled_goes_back(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(4)))
    move_parcels(world, order, "shipped", 0)
    move_parcels(world, order, "rejected", 1)
    answer = cancel_rows(partner, order)
    assert [row["recipient_id"] for row in answer["canceled"]] == recipient_ids(order)[1:]
    assert answer["refunded_cents"] == 3 * ROW_CENTS
    assert recipient_statuses(partner.read_order(1001)) == ["shipped", *["canceled"] * 3]
    assert ledger_balances(world)["order 1001"] == ROW_CENTS
