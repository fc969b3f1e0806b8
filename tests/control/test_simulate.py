"""Verbs: claims, shipments, accounts, outcomes of charges, prices and personalization."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import later
from tests.support.orders import RENO, address_recipients, claim_tokens, email_recipients
from tests.support.responses import created, status_and_code
from tests.support.worlds import World


def refused(world: World, verb: str, **body: Any) -> tuple[int, str]:
    """Status and code of a verb that is refused."""
    return status_and_code(world.control.post(f"/worlds/{world.id}/simulate/{verb}", body))


def parcel_statuses(world: World) -> list[str]:
    """The status of every parcel."""
    return [parcel["status"] for parcel in world.call_control("GET", "/parcels")["parcels"]]


def test_verbs_are_listed_with_their_schemas(world: World) -> None:
    verbs = {row["verb"]: row for row in world.call_control("GET", "/simulate")["verbs"]}
    assert list(verbs) == [
        "claim", "claim_link", "address", "mail", "shipment", "parcel", "approval", "proof", "single_order", "account",
        "team", "crm", "payment", "invoice", "bank", "refund", "certificate", "outcome", "price", "stock",
        "personalization", "preview", "file",
        ]  # fmt: skip
    assert "team_order_id" in verbs["claim"]["schema"]["properties"]


def test_the_error_for_an_unknown_verb_names_the_nearest_one(world: World) -> None:
    response = world.client.call("POST", f"/_sim/v1/worlds/{world.id}/simulate/shipmnt", body={"to": "shipped"})
    assert response.status == 404
    assert "shipmnt" in response.json()["error"]["message"]
    assert "/simulate/shipment?" in response.json()["error"]["message"]


def test_a_claim_by_token_acts_like_the_recipient(world: World, partner: PartnerClient) -> None:
    (token,) = claim_tokens(partner.create_order(return_claim_links=True).json())
    parcel = world.simulate("claim", token=token, address=RENO)
    assert (parcel["status"], parcel["country"], parcel["recipient_id"]) == ("submitted", "US", 200_001)
    assert refused(world, "claim", token=token, address=RENO) == (410, "claim_used")
    assert refused(world, "claim", token="nosuchtoken", address=RENO) == (404, "claim_not_found")


def test_a_claim_names_its_recipient_by_link_index_or_id(world: World, partner: PartnerClient) -> None:
    order = partner.create_order(recipients=email_recipients(3)).json()
    world.simulate("claim", token=world.mail()[0]["links"][0], address=RENO)
    world.simulate("claim", team_order_id=1001, recipient=1, address=RENO)
    world.simulate("claim", team_order_id=1001, recipient_id=order["recipients"][2]["recipient_id"])
    assert parcel_statuses(world) == ["submitted"] * 3


def test_a_claim_must_name_exactly_one_recipient(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    for body in ({}, {"token": "x", "team_order_id": 1001}, {"team_order_id": 1001, "recipient": 0, "recipient_id": 1}):
        assert refused(world, "claim", **body) == (400, "invalid_body")
    assert refused(world, "claim", team_order_id=1001) == (400, "invalid_body")
    assert refused(world, "claim", team_order_id=1001, recipient=9) == (404, "recipient_not_found")
    assert refused(world, "claim", team_order_id=9, recipient=0) == (404, "team_order_not_found")


@pytest.mark.parametrize(
    ("verb", "body", "message"),
    [
        ("claim", {}, "name the recipient by token, or by team_order_id, gift_id or campaign_id with recipient(_id)"),
        ("claim", {"team_order_id": 1001}, "name one recipient: by recipient_id, or by recipient, its index from 0"),
        ("claim_link", {"recipient": 0}, "name one order, gift or campaign: by team_order_id, gift_id or campaign_id"),
        ("shipment", {"to": "shipped"}, "name parcels by order_id, or by team_order_id, gift_id or campaign_id, with or without a recipient"),  # noqa: E501
        ("shipment", {"order_id": 1, "to": "shipped"}, "there is no parcel with the order id 1"),
        ("account", {"wallet_cents": 1}, "name the account by key or by account_id"),
        ("account", {"key": "partner.unbound", "wallet_cents": 1}, "the key partner.unbound has no account"),
        ("outcome", {"team_order_id": 1001, "outcome": "paid"}, "team order 1001 has no charge with an unknown outcome; it is collecting_addresses"),  # noqa: E501
        ("payment", {"outcome": "settled"}, "name the payment by one of payment_id, team_order_id, gift_id"),
        ("payment", {"gift_id": 7, "outcome": "settled"}, "there is no payment without an outcome for gift_id 7"),
        ("invoice", {"invoice_id": 7}, "no team has an invoice with the id 7"),
        ("approval", {"decision": "approve"}, "name the approval by one of approval_id, team_order_id, gift_id, campaign_id"),  # noqa: E501
        ("approval", {"approval_id": 7, "decision": "approve"}, "no team has an approval with the id 7"),
        ("approval", {"gift_id": 7, "decision": "approve"}, "no team has a gift with the id 7"),
    ],
)  # fmt: skip
def test_the_error_of_a_verb_says_what_is_missing(
    world: World, partner: PartnerClient, verb: str, body: Any, message: str
) -> None:
    partner.create_order()
    response = world.control.post(f"/worlds/{world.id}/simulate/{verb}", body)
    assert response.json()["error"]["message"] == message


def test_an_invalid_address_is_refused_with_its_fields(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    response = world.control.post(
        f"/worlds/{world.id}/simulate/claim", {"team_order_id": 1001, "recipient": 0, "address": {**RENO, "zip": "1"}}
    )
    assert response.status == 422
    assert response.json()["error"]["details"]["errors"][0]["field"] == "address.zip"
    assert parcel_statuses(world) == ["awaiting"]


def test_the_account_can_claim_after_the_link_expired(world: World, partner: PartnerClient) -> None:
    (token,) = claim_tokens(partner.create_order(return_claim_links=True, claim_expiry_days=1).json())
    world.advance("2d")
    assert refused(world, "claim", token=token) == (410, "claim_expired")
    assert world.simulate("claim", team_order_id=1001, recipient=0)["status"] == "submitted"


def test_a_new_link_is_mailed_and_replaces_the_old_one(world: World, partner: PartnerClient) -> None:
    (token,) = claim_tokens(partner.create_order(return_claim_links=True, claim_expiry_days=1).json())
    world.advance("2d")
    parcel = world.simulate("claim_link", team_order_id=1001, recipient=0, resend=True, expiry_days=9)
    assert parcel["status"] == "awaiting"
    assert world.mail()[-1]["links"] == [parcel["claim_link"]]
    assert token not in parcel["claim_link"]
    assert refused(world, "claim", token=token) == (410, "claim_expired")
    assert world.simulate("claim", token=parcel["claim_link"])["status"] == "submitted"


@pytest.mark.parametrize("to", ["in_production", "labeled", "shipped", "delivered", "delayed", "rejected"])
def test_a_parcel_moves_to_a_status_through_the_earlier_ones(world: World, partner: PartnerClient, to: str) -> None:
    partner.create_order()
    (moved,) = world.simulate("shipment", team_order_id=1001, recipient=0, to=to)["parcels"]
    assert moved["status"] == to
    before = later(world.now, "-48h") if to == "delivered" else world.now
    assert (moved["claimed_at"], moved["country"]) == (before, "US")
    assert (moved["shipped_at"] is not None) == (to in ("shipped", "delivered"))
    assert (moved["tracking_number"] is not None) == (to in ("labeled", "shipped", "delivered"))


LONDON = {"address1": "10 Downing St", "city": "London", "zip": "SW1A 2AA", "country": "GB"}
STAMPS = ("claimed_at", "produced_at", "labeled_at", "shipped_at", "delivered_at")
in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)


@shows("P-2.31", "P-3.9", "P-6.2", "P-6.3")
@pytest.mark.parametrize(("placed", "shipped"), [("0s", "48h"), ("12h", "12h"), ("10d", "48h")])
def test_a_parcel_that_is_delivered_now_was_shipped_before(
    world: World, partner: PartnerClient, placed: str, shipped: str
) -> None:
    partner.subscribe("team_order.shipped", "team_order.delivered")
    order = partner.create_order()
    world.advance(placed)
    now = world.now
    (moved,) = world.simulate("shipment", team_order_id=1001, recipient=0, to="delivered")["parcels"]
    assert [moved[stamp] for stamp in STAMPS] == [later(now, f"-{shipped}")] * 4 + [now]
    assert world.now == now
    shipment = partner.read_order(order)["recipients"][0]["shipment"]
    assert (shipment["shipped_at"], shipment["delivered_at"]) == (moved["shipped_at"], now)
    steps = world.call_control("GET", "/orders/1001")["timeline"]
    causes = {row["status"]: row["cause"]["text"] for row in steps if row["status"] in ("shipped", "delivered")}
    assert causes == dict.fromkeys(("shipped", "delivered"), "POST simulate/shipment")
    world.advance("1h")
    occurred = [json.loads(row["request"]["body"])["data"]["occurred_at"] for row in world.deliveries()]
    assert occurred == [moved["shipped_at"], now]


def test_a_parcel_is_not_shipped_before_its_last_step(world: World, partner: PartnerClient) -> None:
    world.change_settings(**{"partner.lead_times.transit.GB": "6d"})
    rows = [{"name": "Bo", "address": RENO}, {"name": "Di", "address": LONDON}]
    partner.create_order(recipients=rows)
    world.advance("10h")
    world.simulate("shipment", team_order_id=1001, recipient=0, to="labeled")
    labeled = world.now
    world.advance("3h")
    first, second = world.simulate("shipment", team_order_id=1001, to="delivered")["parcels"]
    assert (first["labeled_at"], first["shipped_at"], first["delivered_at"]) == (labeled, labeled, world.now)
    assert (second["produced_at"], second["shipped_at"]) == (later(world.now, "-13h"),) * 2
    for country, transit in (("US", "-48h"), ("GB", "-6d")):
        parcel = world.simulate("single_order", to="delivered", country=country)
        assert (parcel["shipped_at"], parcel["delivered_at"]) == (later(world.now, transit), world.now)


@pytest.mark.parametrize("reached", ["in_production", "labeled"])
@pytest.mark.parametrize("placed", ["0s", "10h"])
def test_a_parcel_that_was_made_at_this_instant_ships_no_earlier(
    world: World, partner: PartnerClient, placed: str, reached: str
) -> None:
    partner.create_order()
    world.advance(placed)
    world.simulate("shipment", team_order_id=1001, recipient=0, to=reached)
    (parcel,) = world.simulate("shipment", team_order_id=1001, recipient=0, to="delivered")["parcels"]
    assert [parcel[stamp] for stamp in STAMPS[1:]] == [world.now] * 4


@in_one_world
@example(moves=[(1, "claim"), (71, "claim")])
@given(
    moves=st.lists(
        st.tuples(st.integers(1, 90), st.sampled_from(("claim", "claim_link", "labeled", "delayed", "delivered"))),
        max_size=5,
    )
)
def test_the_steps_of_a_parcel_are_in_order_however_it_was_moved(
    world: World, partner: PartnerClient, moves: list[tuple[int, str]]
) -> None:
    key = f"order {partner.get('/team-orders').json()['total']}"
    order = created(partner.create_order(claim_expiry_days=2, idempotency_key=key))["team_order"]["id"]
    placed = world.now
    before = dict[str, str]()
    for hours, move in [*moves, (1, "delivered")]:
        world.advance(f"{hours}h")
        [before] = world.call_control("GET", f"/parcels?team_order_id={order}")["parcels"]
        now, verb = world.now, move if move.startswith("claim") else "shipment"
        body = {"team_order_id": order, "recipient": 0} | ({"to": move} if verb == "shipment" else {})
        world.control.post(f"/worlds/{world.id}/simulate/{verb}", body)
        assert world.now == now
    (parcel,) = world.call_control("GET", f"/parcels?team_order_id={order}")["parcels"]
    stamps = [placed, *(parcel[stamp] for stamp in STAMPS)]
    assert stamps == sorted(stamps)
    assert parcel["shipped_at"] <= parcel["delivered_at"] <= world.now
    if parcel["shipped_at"] == parcel["delivered_at"]:  # it was shipped by itself at this instant, and then moved
        assert before["shipped_at"] == parcel["shipped_at"]


def test_a_parcel_can_be_named_by_its_order_id(world: World, partner: PartnerClient) -> None:
    order = partner.create_order(recipients=address_recipients(2)).json()
    order_id = order["recipients"][1]["shipment"]["order_id"]
    (moved,) = world.simulate("shipment", order_id=order_id, to="shipped")["parcels"]
    assert moved["order_id"] == order_id
    assert parcel_statuses(world) == ["submitted", "shipped"]
    assert refused(world, "shipment", order_id=1, to="shipped") == (404, "shipment_not_found")


def test_those_parcels_of_an_order_move_that_can(world: World, partner: PartnerClient) -> None:
    order = partner.create_order(recipients=address_recipients(4)).json()
    ids = [row["recipient_id"] for row in order["recipients"]]
    partner.post("/team-orders/1001/cancel", {"recipient_ids": [ids[0]]})
    world.simulate("shipment", team_order_id=1001, recipient=1, to="delivered")
    moved = world.simulate("shipment", team_order_id=1001, to="shipped")["parcels"]
    assert [parcel["recipient_id"] for parcel in moved] == ids[2:]
    assert parcel_statuses(world) == ["canceled", "delivered", "shipped", "shipped"]
    assert refused(world, "shipment", team_order_id=1001, to="in_production") == (409, "invalid_state")


def test_a_parcel_cannot_go_back_or_move_before_payment(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=address_recipients())
    world.simulate("shipment", team_order_id=1001, recipient=0, to="shipped")
    assert refused(world, "shipment", team_order_id=1001, recipient=0, to="labeled") == (409, "invalid_state")
    world.partner("partner.no_funds").create_order(recipients=address_recipients())
    assert refused(world, "shipment", team_order_id=1002, recipient=0, to="shipped") == (409, "invalid_state")


@shows("P-6.7", "P-6.8")
def test_a_single_order_sends_webhooks(world: World, partner: PartnerClient) -> None:
    partner.subscribe("order.shipped", "order.delivered")
    parcel = world.simulate("single_order", to="delivered", country="GB")
    assert (parcel["status"], parcel["team_order_id"], parcel["country"]) == ("delivered", None, "GB")
    world.advance("1h")
    assert [row["type"] for row in world.deliveries()] == ["order.shipped", "order.delivered"]


def test_a_single_order_can_belong_to_any_account(world: World) -> None:
    other = world.partner("partner.net_terms")
    other.subscribe("order.shipped")
    world.simulate("single_order", to="shipped", key="partner.net_terms")
    world.advance("1h")
    assert len(world.deliveries()) == 1
    assert refused(world, "single_order", to="shipped", key="partner.unbound") == (404, "account_not_found")


def test_money_card_and_limits_of_an_account_can_change(world: World, partner: PartnerClient) -> None:
    account = world.change_account(wallet_cents=100, card="declined", card_fallback=True, daily_limit_cents=None)
    assert (account["wallet_cents"], account["card"]) == (100, "declined")
    assert partner.create_order().json()["error"]["code"] == "card_charge_failed"
    assert world.change_account(add_cents=500_000)["wallet_cents"] == 500_100
    assert partner.create_order().status == 201
    by_id = world.simulate("account", account_id=account["account_id"], card="none")
    assert (by_id["card"], by_id["keys"][0]) == ("none", "partner.prepaid")


def test_an_invalid_change_of_an_account_is_refused(world: World) -> None:
    assert refused(world, "account", wallet_cents=1) == (400, "invalid_body")
    assert refused(world, "account", key="partner.prepaid", account_id=501) == (400, "invalid_body")
    assert refused(world, "account", account_id=99) == (404, "account_not_found")
    assert refused(world, "account", key="partner.nobody") == (404, "key_not_found")
    assert refused(world, "account", key="partner.prepaid", wallet_cents="much") == (400, "invalid_body")


def test_the_balance_of_a_team_is_set_and_added_to(world: World) -> None:
    assert world.simulate("team", balance_cents=100, add_cents=50)["balance_cents"] == 150
    assert world.simulate("team", add_cents=-150)["balance_cents"] == 0
    assert refused(world, "team", add_cents=-1) == (409, "invalid_state")
    assert [sum(entry["cents"] for entry in row["postings"]) for row in world.rows("ledger")[-3:]] == [0, 0, 0]
    assert world.rows("teams")[0]["balance_cents"] == 0


def test_the_balance_of_a_team_is_not_an_account_that_can_be_named(world: World) -> None:
    partners = {row["account_id"] for row in world.rows("accounts")}
    answers = {
        n: world.control.post(f"/worlds/{world.id}/simulate/account", {"account_id": n, "add_cents": 1}).status
        for n in range(501, 501 + 2 * len(partners) + 4)
    }
    assert {n for n, status in answers.items() if status == 200} == partners
    assert set(answers.values()) == {200, 404}


@pytest.mark.parametrize(("outcome", "status"), [("paid", "collecting_addresses"), ("failed", "unpaid")])
def test_a_charge_with_an_unknown_outcome_is_decided(
    world: World, partner: PartnerClient, outcome: str, status: str
) -> None:
    world.add_fault({"crash": "after_charge"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        partner.create_order()
    assert partner.create_order().status == 409
    assert [row["status"] for row in world.call_control("GET", "/payments")["payments"]] == ["sent"]
    payment = world.simulate("outcome", idempotency_key="first", outcome=outcome)
    assert (payment["status"], payment["team_order_id"]) == (outcome, 1001)
    assert world.call_control("GET", "/orders")["orders"][0]["status"] == status
    assert refused(world, "outcome", idempotency_key="first", outcome=outcome) == (409, "invalid_state")
    assert refused(world, "outcome", idempotency_key="never used", outcome=outcome) == (404, "team_order_not_found")


def test_a_settlement_with_an_unknown_outcome_is_named_by_its_account(world: World) -> None:
    partner = world.partner("partner.net_terms")
    world.change_account("partner.net_terms", card="good")
    partner.create_order()
    world.add_fault({"crash": "after_charge"}, match={"operation": "settleBalance"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        partner.post("/billing/settle", {})
    settled = world.simulate("outcome", key="partner.net_terms", outcome="paid")
    assert (settled["purpose"], settled["status"]) == ("settlement", "paid")
    assert refused(world, "outcome", key="partner.net_terms", outcome="paid") == (409, "invalid_state")


def test_an_idempotency_key_of_two_keys_needs_the_key_too(world: World) -> None:
    world.add_fault({"crash": "after_charge"})
    for name in ("partner.prepaid", "partner.net_terms"):
        with pytest.raises(ConnectionError):
            world.partner(name).create_order()
    assert refused(world, "outcome", idempotency_key="first", outcome="paid") == (400, "invalid_body")
    settled = world.simulate("outcome", idempotency_key="first", key="partner.net_terms", outcome="paid")
    assert settled["key"] == "partner.net_terms"


def test_a_new_price_applies_to_new_orders_only(world: World, partner: PartnerClient) -> None:
    before = partner.create_order().json()["totals"]["subtotal_cents"]
    changed = world.simulate("price", product="MUG-01", price_cents=before + 111)
    assert changed["price_cents"] == before + 111
    assert partner.create_order(idempotency_key="second").json()["totals"]["subtotal_cents"] == before + 111
    assert partner.read_order(1001)["team_order"]["totals"]["subtotal_cents"] == before
    assert refused(world, "price", product="NO-01", price_cents=1) == (404, "product_not_found")
    assert refused(world, "price", product="MUG-01", price_cents=-1) == (400, "invalid_body")


def test_a_personalization_is_reviewed_for_one_account_or_for_all(world: World, partner: PartnerClient) -> None:
    products = world.call_control("GET", "/catalogue")["catalogue"]
    waiting = next(row for row in products if row["personalization"] == "review_required")
    item = {"sku_code": waiting["skus"][0]["code"]}
    assert partner.create_order(items=[item]).json()["error"]["code"] == "personalization_review_required"
    product = world.simulate("personalization", product=waiting["slug"], reviewed=True, key="partner.prepaid")
    assert len(product["reviewed_for"]) == 1
    assert partner.create_order(items=[item]).status == 201
    other = world.partner("partner.net_terms")
    assert other.create_order(items=[item]).status == 409
    world.simulate("personalization", product=waiting["id"])
    assert other.create_order(items=[item]).status == 201
    assert world.simulate("personalization", product=waiting["id"], reviewed=False)["reviewed_for"] == []


@pytest.mark.parametrize("reviewed", [True, False])
def test_a_personalization_that_needs_no_review_cannot_be_reviewed(
    world: World, partner: PartnerClient, reviewed: bool
) -> None:
    before = world.fingerprint()
    response = world.control.post(
        f"/worlds/{world.id}/simulate/personalization", {"product": "MUG-01", "reviewed": reviewed}
    )
    assert status_and_code(response) == (409, "invalid_state")
    assert response.json()["error"]["message"] == (
        "product mug-01 needs no review, as its personalization is none; take a product that does, such as engr-01"
    )
    assert world.fingerprint() == before
    assert partner.create_order(items=[{"sku_code": "MUG-01"}]).status == 201


@shows("P-2.31")
def test_what_a_fixture_delivers_was_shipped_before(new_world: Callable[..., World]) -> None:
    parcels = [row for row in new_world(fixture="default").rows("parcels") if row["delivered_at"]]
    assert len(parcels) > 5
    assert [row for row in parcels if not row["shipped_at"] < row["delivered_at"]] == []
