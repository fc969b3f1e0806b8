"""What goes back when rows are canceled: shares in whole cents that add up, to the wallet first, in balanced books."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import RENO, address_recipients, email_recipients
from tests.support.partner.catalogue import ADDRESSES, MUG_CENTS, ROW_CENTS
from tests.support.partner.money import account_of, ledger_balances, wallet_by_label
from tests.support.partner.orders import (
    cancel_rows,
    move_parcels,
    order_id,
    recipient_ids,
    recipient_statuses,
    request_cancel,
)
from tests.support.responses import created
from tests.support.worlds import World, temporary_world

SHIPPING_CENTS = {
    "US": 800, "CA": 1500, "GB": 1800, "AU": 2200, "DE": 1600, "FR": 1600, "NL": 1600, "IT": 1600, "ES": 1600,
}  # fmt: skip
RUSH_CENTS, KIT_CENTS = 2500, 300
PRICES = {"MUG-01": 1800, "PEN-01": 600, "TEE-01-L-WHITE": 2500, "STCK-01": 400, "HEAD-01": 14_900}


def fees(order: Any) -> int:
    """The event fees, which stand in three places."""
    cents = order["totals"]["event_fees_cents"]
    event = order["team_order"]["event"]
    assert order["team_order"]["totals"]["event_fees_cents"] == cents
    assert event is None or event["fees_cents"] == cents
    return int(cents)


@pytest.mark.parametrize("country", SHIPPING_CENTS)
def test_shipping_is_by_country_and_parcel(partner: PartnerClient, country: str) -> None:
    row = {"name": "Bo", "address": ADDRESSES[country], "quantity": 5}
    assert created(partner.create_order(recipients=[row]))["totals"]["shipping_cents"] == SHIPPING_CENTS[country]
    linked = partner.create_order(
        idempotency_key="b", destination_countries=[country], recipients=email_recipients(2), open_seats=1
    )
    assert created(linked)["totals"]["shipping_cents"] == 3 * SHIPPING_CENTS[country]


@pytest.mark.parametrize(
    ("countries", "cents"),
    [(["US", "GB"], 1800), (["AU", "US"], 2200), (["CA", "DE"], 1600), (list(SHIPPING_CENTS), 2200)],
)
def test_by_link_shipping_is_that_of_the_dearest_destination(
    world: World, partner: PartnerClient, countries: list[str], cents: int
) -> None:
    order = created(
        partner.create_order(destination_countries=countries, recipients=email_recipients(3), return_claim_links=True)
    )
    assert order["totals"]["shipping_cents"] == 3 * cents
    world.simulate("claim", team_order_id=order_id(order), recipient=0, address=ADDRESSES[countries[0]])
    money = [row["money"] for row in partner.read_order(order_id(order))["recipients"]]
    assert [share["shipping_cents"] for share in money] == [cents] * 3


def test_addresses_in_several_countries_cost_each_its_own(partner: PartnerClient) -> None:
    rows = [{"name": code, "address": ADDRESSES[code]} for code in ("GB", "US", "AU")]
    order = created(partner.create_order(recipients=rows))
    assert order["totals"]["shipping_cents"] == 1800 + 800 + 2200


@shows("P-2.14")
@pytest.mark.parametrize("recipients", [email_recipients(3), address_recipients(3)])
@pytest.mark.parametrize(
    ("choices", "cents"),
    [
        ({}, 0), ({"rush": False, "kit_assembly": False}, 0), ({"rush": True}, RUSH_CENTS),
        ({"kit_assembly": True}, 3 * KIT_CENTS), ({"rush": True, "kit_assembly": True}, RUSH_CENTS + 3 * KIT_CENTS),
    ],
)  # fmt: skip
def test_rush_and_kit_assembly_each_add_to_the_fees(
    world: World, partner: PartnerClient, recipients: Any, choices: Any, cents: int
) -> None:
    order = created(partner.create_order(recipients=recipients, event={"date": date_from_now(world, 30), **choices}))
    assert fees(order) == cents
    assert order["totals"]["total_cents"] == 3 * (MUG_CENTS + 800) + cents
    assert order["totals"]["charged_cents"] == order["totals"]["total_cents"]


@shows("P-2.14")
def test_without_an_event_there_are_no_fees(partner: PartnerClient) -> None:
    assert fees(created(partner.create_order())) == 0


def test_kits_are_assembled_for_open_seats_too(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=2, event={"date": date_from_now(world, 30), "kit_assembly": True}))
    assert fees(order) == 3 * KIT_CENTS


def test_a_card_costs_nothing(partner: PartnerClient) -> None:
    plain, carded = (
        partner.create_order(),
        partner.create_order(idempotency_key="b", card={"message": "Hi", "sender": "Ada"}),
    )
    assert created(plain)["totals"] == created(carded)["totals"]


def test_prices_are_settings(world: World, partner: PartnerClient) -> None:
    world.change_settings(partner__prices__rush=1, partner__prices__kit_assembly=10, partner__prices__shipping__US=100)
    event = {"date": date_from_now(world, 30), "rush": True, "kit_assembly": True}
    totals = created(partner.create_order(recipients=email_recipients(2), event=event))["totals"]
    assert (totals["event_fees_cents"], totals["shipping_cents"]) == (21, 200)


def test_an_order_keeps_the_price_at_which_it_was_made(world: World, partner: PartnerClient) -> None:
    before = created(partner.create_order())
    world.simulate("price", product="MUG-01", price_cents=9900)
    world.change_settings(partner__prices__shipping__US=1)
    assert partner.read_order(order_id(before))["team_order"]["totals"] == before["team_order"]["totals"]
    assert created(partner.create_order(idempotency_key="second"))["totals"]["total_cents"] == 9901


item = st.fixed_dictionaries({"sku_code": st.sampled_from(list(PRICES))}, optional={"quantity": st.integers(1, 4)})
addressed_row = st.builds(
    lambda country, quantity: {"name": "Bo", "address": ADDRESSES[country], **quantity},
    st.sampled_from(list(ADDRESSES)),
    st.just({}) | st.builds(lambda number: {"quantity": number}, st.integers(1, 4)),
)
by_address = st.builds(lambda rows: {"recipients": rows}, st.lists(addressed_row, min_size=1, max_size=6))
by_link = st.builds(
    lambda count, seats, countries: {
        "recipients": email_recipients(count), "open_seats": seats, "destination_countries": countries,
    },
    st.integers(1, 6), st.integers(0, 3), st.lists(st.sampled_from(list(ADDRESSES)), min_size=1, unique=True),
)  # fmt: skip
choices = st.none() | st.fixed_dictionaries({}, optional={"rush": st.booleans(), "kit_assembly": st.booleans()})


def expected(members: Any, items: Any, event: Any) -> list[tuple[int, int]]:
    """Goods and shipping of each row, by the price list."""
    bundle = sum(PRICES[line["sku_code"]] * line.get("quantity", 1) for line in items)
    rows = members["recipients"]
    if "address" in rows[0]:
        return [(bundle * row.get("quantity", 1), SHIPPING_CENTS[row["address"]["country"]]) for row in rows]
    dearest = max(SHIPPING_CENTS[country] for country in members["destination_countries"])
    return [(bundle, dearest)] * (len(rows) + members["open_seats"])


@shows("P-2.25")
@given(
    items=st.lists(item, min_size=1, max_size=10),
    members=by_address | by_link,
    event=choices,
    cash=st.integers(0, 10**6),
)
def test_totals_shares_and_charges_always_add_up(
    simulator: Simulator, items: Any, members: Any, event: Any, cash: int
) -> None:
    with temporary_world(simulator) as world:
        world.change_account(wallet_cents=cash)
        dated = None if event is None else {"date": date_from_now(world, 30), **event}
        order = created(world.partner().create_order(items=items, event=dated, **members))
        rows, totals = expected(members, items, event), order["totals"]
        assert totals["subtotal_cents"] == sum(goods for goods, _ in rows)
        assert totals["shipping_cents"] == sum(shipping for _, shipping in rows)
        asked = event or {}
        assert fees(order) == RUSH_CENTS * asked.get("rush", 0) + KIT_CENTS * asked.get("kit_assembly", 0) * len(rows)
        parts = ("subtotal_cents", "shipping_cents", "event_fees_cents")
        assert totals["total_cents"] == totals["charged_cents"] == sum(totals[part] for part in parts)
        shares = [row["money"] for row in world.partner().read_order(order_id(order))["recipients"]]
        assert [(share["subtotal_cents"], share["shipping_cents"]) for share in shares] == rows
        for member in (*parts, "total_cents"):
            assert sum(share[member] for share in shares) == totals[member]
        billing = order["billing"]
        assert billing["wallet_cash_cents"] == min(cash, totals["total_cents"]) == cash - wallet_by_label(world)
        assert billing["wallet_cash_cents"] + billing["card_charged_cents"] == totals["charged_cents"]


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


@shows("P-2.35", "P-3.13")
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


@shows("P-2.35", "P-3.13")
def test_a_refund_may_lie_across_wallet_and_card(world: World, partner: PartnerClient) -> None:
    world.change_account(wallet_cents=4000)
    answer = cancel_rows(partner, created(partner.create_order(recipients=email_recipients(3))))
    assert [parts(row["refund"]) for row in answer["canceled"]] == [(2600, 0), (1400, 1200), (0, 2600)]
    assert answer["refunded_cents"] == 7800
    assert account_of(world)["wallet_cents"] == 4000


@shows("P-3.14", "P-3.13")
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


@shows("P-2.36")
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


@shows("P-2.37")
def test_nobody_is_refunded_twice(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2)))
    cancel_rows(partner, order, [0])
    assert request_cancel(partner, order, [0]).status == 409
    assert cancel_rows(partner, order, [0, 1])["refunded_cents"] == ROW_CENTS
    assert request_cancel(partner, order).status == 409
    assert account_of(world)["wallet_cents"] == 500_000


@shows("P-3.13")
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


@shows("P-3.13")
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


@shows("P-2.35", "P-2.37", "P-3.13", "P-3.14")
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


@shows("P-2.36", "P-3.13")
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


@shows("P-3.12", "P-3.13")
def test_only_what_could_be_canceled_goes_back(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(4)))
    move_parcels(world, order, "shipped", 0)
    move_parcels(world, order, "rejected", 1)
    answer = cancel_rows(partner, order)
    assert [row["recipient_id"] for row in answer["canceled"]] == recipient_ids(order)[1:]
    assert answer["refunded_cents"] == 3 * ROW_CENTS
    assert recipient_statuses(partner.read_order(1001)) == ["shipped", *["canceled"] * 3]
    assert ledger_balances(world)["order 1001"] == ROW_CENTS
