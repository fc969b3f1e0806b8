"""Creating team orders: the stored order, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.shows import shows
from tests.support.orders import RENO
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    KIT,
    KIT_CENTS,
    PARCEL_CENTS,
    approve,
    create_order,
    event_types,
    order_body,
    typed_recipients,
)

SHIPPING = {"US": 800, "CA": 1500, "GB": 1800, "AU": 2200, "DE": 1600, "FR": 1600, "NL": 1600, "IT": 1600, "ES": 1600}
BERLIN = {"address1": "Unter den Linden 1", "city": "Berlin", "zip": "10117", "country": "DE"}
in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)


def request_quote(team: TeamClients, **members: Any) -> Any:
    """Request a quote for welcome kits."""
    return team.live.post_json("/team-orders/quote", {"collection": KIT, "headcount": 1, **members}, 200)


@shows("T-4.46", "T-2.21")
def test_a_quote_prices_items_and_shipping_and_creates_nothing(team: TeamClients) -> None:
    before = team.world.observable_state()
    quote = request_quote(team, headcount=25, destination_countries=["US", "GB"])
    assert quote == {
        "collection": KIT,
        "headcount": 25,
        "destination_countries": ["US", "GB"],
        "items": [
            {"item_slug": slug, "merchant_product_id": product, "name": name, "quantity": 1, "unit_price_cents": cents,
             "total_cents": 25 * cents}
            for slug, product, name, cents in (
                ("mug-01", 101, "Stoneware mug", 1800), ("note-01", 111, "Dotted notebook", 1400),
                ("pen-01", 103, "Ballpoint pen", 600),
            )
        ],
        "totals": {
            "subtotal_cents": 25 * KIT_CENTS, "shipping_cents": 25 * 1800, "total_cents": 25 * (KIT_CENTS + 1800),
            "currency": "USD",
        },
        "livemode": True,
    }  # fmt: skip
    assert team.world.observable_state() == before
    assert team.live.list_all("/team-orders") == []


@in_one_world
@given(heads=st.integers(1, 5000), countries=st.lists(st.sampled_from(list(SHIPPING)), unique=True))
def test_each_recipient_is_priced_with_shipping_to_the_dearest_country(
    team: TeamClients, heads: int, countries: list[str]
) -> None:
    named = {"destination_countries": countries} if countries else {}
    totals = request_quote(team, headcount=heads, **named)["totals"]
    assert totals["subtotal_cents"] == heads * KIT_CENTS
    assert totals["shipping_cents"] == heads * max([SHIPPING[code] for code in countries], default=PARCEL_CENTS)
    assert totals["total_cents"] == totals["subtotal_cents"] + totals["shipping_cents"]


def test_a_quote_equals_the_price_of_the_order(team: TeamClients) -> None:
    assert create_order(team.live, headcount=7)["totals"] == request_quote(team, headcount=7)["totals"]


@in_one_world
@given(countries=st.lists(st.sampled_from(list(SHIPPING)), unique=True, min_size=1))
def test_an_order_to_other_countries_costs_what_its_quote_said(team: TeamClients, countries: list[str]) -> None:
    order = create_order(team.live, destination_countries=countries)
    quote = request_quote(team, headcount=2, destination_countries=countries)
    assert (order["totals"], order["destination_countries"]) == (quote["totals"], countries)


def test_recipients_claim_in_the_countries_of_the_order_alone(team: TeamClients) -> None:
    order = create_order(team.live, destination_countries=["DE", "FR"], headcount=1, recipients=typed_recipients(1))
    approve(team.world, order)
    [link] = [mail["links"][0] for mail in team.world.mail() if mail["to"] == "guest0@example.com"]
    token = link.rsplit("/", 1)[1]
    refused = expect_status(team.world.claim(token, address=RENO), 422)
    assert "this gift goes to DE, FR only" in refused.text
    expect_status(team.world.claim(token, address=BERLIN), 200)


@pytest.mark.parametrize("countries", [[], "US", ["US", "US"], ["XX"], [1]])
def test_an_order_to_unknown_countries_is_refused(team: TeamClients, countries: Any) -> None:
    body = {"collection": KIT, "headcount": 1, "destination_countries": countries}
    before = team.world.observable_state()
    [field] = invalid_fields(team.live.post("/team-orders", body))
    assert field.startswith("destination_countries")
    assert team.world.observable_state() == before


def test_a_price_change_applies_to_the_next_quote(team: TeamClients) -> None:
    team.world.simulate("price", product="mug-01", price_cents=1)
    assert request_quote(team)["totals"]["subtotal_cents"] == KIT_CENTS - 1800 + 1


def test_a_setting_changes_the_default_destination(team: TeamClients) -> None:
    team.world.change_settings(partner__destination_countries=["CA", "DE"])
    quote = request_quote(team)
    assert quote["destination_countries"] == ["CA", "DE"]
    assert quote["totals"]["shipping_cents"] == 1600
    assert create_order(team.live, headcount=1, recipients=None)["totals"] == quote["totals"]


@shows("T-2.21")
@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"collection": "no-such-kit"}, "collection"),
        ({"collection": None}, "collection"),
        ({"collection": 801}, "collection"),
        ({"headcount": 0}, "headcount"),
        ({"headcount": 5001}, "headcount"),
        ({"headcount": 1.5}, "headcount"),
        ({"headcount": "3"}, "headcount"),
        ({"destination_countries": []}, "destination_countries"),
        ({"destination_countries": "US"}, "destination_countries"),
        ({"destination_countries": ["US", "US"]}, "destination_countries"),
        ({"destination_countries": ["XX"]}, "destination_countries[0]"),
        ({"destination_countries": ["us"]}, "destination_countries[0]"),
    ],
)
def test_a_quote_of_unknown_goods_is_refused(team: TeamClients, members: dict[str, Any], field: str) -> None:
    body = {"collection": KIT, "headcount": 1, **members}
    assert invalid_fields(team.live.post("/team-orders/quote", body)) == [field]


@pytest.mark.parametrize("missing", ["collection", "headcount"])
def test_a_quote_needs_collection_and_headcount(team: TeamClients, missing: str) -> None:
    body = {name: value for name, value in {"collection": KIT, "headcount": 1}.items() if name != missing}
    assert invalid_fields(team.live.post("/team-orders/quote", body)) == [missing]


def test_a_test_key_sees_the_same_prices(team: TeamClients) -> None:
    body = {"collection": KIT, "headcount": 3}
    quote = team.test.post_json("/team-orders/quote", body, 200)
    assert quote == {**team.live.post_json("/team-orders/quote", body, 200), "livemode": False}


MENU: list[dict[str, Any]] = [
    {"label": "Something warm", "items": [{"item_slug": "sock-01"}]},
    {"label": "Something sweet", "items": [{"merchant_product_id": 125, "quantity": 2}, {"item_slug": "tea-01"}]},
]


@shows("T-4.48", "T-2.22", "T-2.4")
def test_a_team_order_shows_everything_requested_except_emails(team: TeamClients) -> None:
    order = create_order(team.live, headcount=3, gift_message="Welcome!\nAll of us", po_number="PO-77")
    items = order.pop("items")
    assert order == {
        "id": order["id"],
        "campaign_id": order["id"],
        "source": "team",
        "status": "awaiting_approval",
        "payment_status": "unpaid",
        "payment_method": None,
        "collection": KIT,
        "headcount": 3,
        "destination_countries": ["US"],
        "gift_message": "Welcome!\nAll of us",
        "po_number": "PO-77",
        "cost_center_id": None,
        "template_id": None,
        "revision": None,
        "mode": None,
        "gift_choices": [],
        "recipients": [
            {"id": row["id"], "name": f"Guest {i}", "status": "awaiting"} for i, row in enumerate(order["recipients"])
        ],
        "totals": {
            "subtotal_cents": 3 * KIT_CENTS, "shipping_cents": 3 * PARCEL_CENTS,
            "total_cents": 3 * (KIT_CENTS + PARCEL_CENTS), "currency": "USD",
        },
        "approval_id": None,
        "invoice_id": None,
        "receipt_id": None,
        "payment_id": None,
        "cancel_reason": None,
        "livemode": True,
        "created_at": team.world.now,
    }  # fmt: skip
    assert [(row["item_slug"], row["merchant_product_id"], row["quantity"], row["proof_status"]) for row in items] == [
        ("mug-01", 101, 1, None), ("note-01", 111, 1, None), ("pen-01", 103, 1, None),
    ]  # fmt: skip
    assert team.live.get_json(f"/team-orders/{order['id']}") == {**order, "items": items}


@shows("T-1.13")
def test_an_order_is_read_by_the_id_from_its_create(team: TeamClients) -> None:
    order = create_order(team.requester)
    assert team.live.list_all("/team-orders") == [order]
    assert team.requester.get_json(f"/team-orders/{order['id']}") == order


def test_recipients_are_optional(team: TeamClients) -> None:
    order = create_order(team.live, recipients=None, headcount=4)
    assert order["recipients"] == []
    assert order["totals"]["total_cents"] == 4 * (KIT_CENTS + PARCEL_CENTS)


def test_ids_of_orders_items_gifts_and_approvals_do_not_overlap(team: TeamClients) -> None:
    team.world.change_settings(approvals__auto_request=True)
    created = [create_order(team.live) for _ in range(3)]
    orders = {row["id"] for row in created}
    items = {item["id"] for row in created for item in row["items"]}
    approvals = {row["approval_id"] for row in created}
    recipients = {row["id"] for each in created for row in each["recipients"]}
    assert len(orders | items | approvals | recipients) == 3 + 9 + 3 + 6
    for item in items:
        expect_error(team.live.get(f"/team-orders/{item}"), 404, "not_found")


@shows("T-2.3", "T-2.4")
def test_records_of_a_test_key_have_uuids_and_are_not_live(team: TeamClients) -> None:
    order = create_order(team.test)
    assert order["livemode"] is False
    ids = [order["id"], *[row["id"] for row in order["items"] + order["recipients"]]]
    assert len(set(ids)) == len(ids) == 6
    for each in ids:
        assert isinstance(each, str)
        assert [len(part) for part in each.split("-")] == [8, 4, 4, 4, 12]


def test_creating_an_order_sends_no_event_and_moves_nothing(team: TeamClients) -> None:
    before = team.live.get_json("/billing/balance")
    create_order(team.live)
    assert (event_types(team.world), team.world.mail(), team.live.list_all("/approvals")) == ([], [], [])
    assert team.live.get_json("/billing/balance") == before


def test_a_setting_requests_approval_when_an_order_is_created(team: TeamClients) -> None:
    team.world.change_settings(approvals__auto_request=True)
    order = create_order(team.live)
    assert [row["id"] for row in team.live.list_all("/approvals")] == [order["approval_id"]]
    assert event_types(team.world) == ["approval.requested"]


@shows("T-2.44")
def test_gift_choices_are_priced_at_the_dearest_one(team: TeamClients) -> None:
    order = create_order(team.live, headcount=2, mode="bundle", gift_choices=MENU)
    assert order["mode"] == "bundle"
    assert order["gift_choices"] == [
        {"label": "Something warm", "items": [{"item_slug": "sock-01", "merchant_product_id": 108, "quantity": 1}]},
        {"label": "Something sweet", "items": [
            {"item_slug": "choc-01", "merchant_product_id": 125, "quantity": 2},
            {"item_slug": "tea-01", "merchant_product_id": 127, "quantity": 1},
        ]},
    ]  # fmt: skip
    assert order["totals"]["subtotal_cents"] == 2 * (KIT_CENTS + max(1500, 2 * 2000 + 1600))
    assert [row["item_slug"] for row in order["items"]] == ["mug-01", "note-01", "pen-01"]


@shows("T-2.44")
@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"gift_choices": MENU}, "body"),
        ({"mode": "single", "gift_choices": MENU}, "mode"),
        ({"mode": "bundle", "gift_choices": []}, "gift_choices"),
        ({"mode": "bundle", "gift_choices": MENU * 6}, "gift_choices"),
        ({"mode": "bundle", "gift_choices": [{"items": MENU[0]["items"]}]}, "gift_choices[0].label"),
        ({"mode": "bundle", "gift_choices": [{"label": "x", "items": []}]}, "gift_choices[0].items"),
        (
            {"mode": "bundle", "gift_choices": [{"label": "x", "items": [{"item_slug": "no-such"}]}]},
            "gift_choices[0].items[0].item_slug",
        ),
    ],
)
def test_gift_choices_without_bundle_mode_or_without_items_are_refused(
    team: TeamClients, members: dict[str, Any], field: str
) -> None:
    assert invalid_fields(team.live.post("/team-orders", order_body(**members))) == [field]
    assert team.live.list_all("/team-orders") == []


def test_bundle_mode_needs_no_gift_choices(team: TeamClients) -> None:
    order = create_order(team.live, mode="bundle")
    assert (order["mode"], order["gift_choices"]) == ("bundle", [])


@shows("T-2.22")
@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"collection": "no-such-kit"}, "collection"),
        ({"collection": 7}, "collection"),
        ({"headcount": 0}, "headcount"),
        ({"headcount": 5001}, "headcount"),
        ({"headcount": True}, "headcount"),
        ({"headcount": 1}, "recipients"),
        ({"recipients": {}}, "recipients"),
        ({"recipients": ["Bo"]}, "recipients[0]"),
        ({"recipients": [{"name": "Bo"}]}, "recipients[0].email"),
        ({"recipients": [{"email": "bo@example.com"}]}, "recipients[0].name"),
        ({"recipients": [{"name": " ", "email": "bo@example.com"}]}, "recipients[0].name"),
        ({"recipients": [*typed_recipients(1), {"name": "Bo", "email": "bo at home"}]}, "recipients[1].email"),
        ({"gift_message": 5}, "gift_message"),
        ({"gift_message": "x" * 2001}, "gift_message"),
        ({"po_number": 77}, "po_number"),
        ({"po_number": "two\nlines"}, "po_number"),
        ({"po_number": "two\u2028lines"}, "po_number"),
        ({"recipients": [{"name": "Bo\u2029Lind", "email": "bo@example.com"}]}, "recipients[0].name"),
        ({"payment_method": "card"}, "payment_method"),
        ({"payment_method": "balance"}, "payment_method"),
    ],
)
def test_an_invalid_order_is_refused_by_field_and_not_created(
    team: TeamClients, members: dict[str, Any], field: str
) -> None:
    response = team.live.post("/team-orders", {**order_body(), **members})
    assert invalid_fields(response) == [field]
    assert "bo at home" not in response.text
    assert team.live.list_all("/team-orders") == []


def test_all_errors_are_reported_at_once(team: TeamClients) -> None:
    response = team.live.post("/team-orders", {"headcount": 0, "recipients": [{"name": "Bo"}], "po_number": 5})
    assert set(invalid_fields(response)) == {"collection", "headcount", "recipients[0].email", "po_number"}


def test_no_member_of_a_body_selects_another_team(team: TeamClients) -> None:
    other = team.other.get_json("/team")["id"]
    order = create_order(team.live, team_id=other, owner_id=other, account_id=other, livemode=False, status="approved")
    assert team.other.list_all("/team-orders") == []
    assert (order["livemode"], order["status"]) == (True, "awaiting_approval")


@shows("T-4.208", "T-4.210")
def test_a_repeated_create_creates_one_order(team: TeamClients) -> None:
    first = team.live.post("/team-orders", order_body(), Idempotency_Key="k")
    again = team.live.post("/team-orders", order_body(), Idempotency_Key="k")
    assert (again.status, again.body) == (first.status, first.body) == (201, first.body)
    assert again.headers["idempotent-replayed"] == "true"
    expect_error(
        team.live.post("/team-orders", order_body(headcount=3), Idempotency_Key="k"), 409, "idempotency_key_reused"
    )
    assert len(team.live.list_all("/team-orders")) == 1


def test_orders_of_partners_and_teams_have_separate_ids(team: TeamClients) -> None:
    partner = team.world.partner()
    partner_order, team_order = partner.create_order().json()["team_order"]["id"], create_order(team.live)["id"]
    assert partner.get(f"/team-orders/{team_order}").status == 404
    expect_error(team.live.get(f"/team-orders/{partner_order}"), 404, "not_found")
    assert [row["id"] for row in partner.get("/team-orders").json()["team_orders"]] == [partner_order]
    assert partner.get("/team-orders").json()["total"] == 1
