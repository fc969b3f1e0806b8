"""What an order costs: goods, shipping by country, event fees; and whatever it is, it adds up (B14, P-2.25)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim import Simulator
from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import address_recipients, email_recipients
from tests.support.partner.catalogue import ADDRESSES, MUG_CENTS
from tests.support.partner.money import wallet_by_label
from tests.support.partner.orders import order_id
from tests.support.responses import created
from tests.support.worlds import World

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


@claims("P-2.14")
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


@claims("P-2.14")
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


@claims("P-2.25")
@given(
    items=st.lists(item, min_size=1, max_size=10),
    members=by_address | by_link,
    event=choices,
    cash=st.integers(0, 10**6),
)
def test_totals_shares_and_charges_always_add_up(
    simulator: Simulator, items: Any, members: Any, event: Any, cash: int
) -> None:
    world = World(simulator, fixture="empty")
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
