"""Lists of records: orders, parcels, payments, ledger, events, catalogue, accounts, teams and endpoints (G40)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.client.response import Response
from giftsim.engine.gateway.secret_kinds import SecretTable
from giftsim.services.secrets import KINDS, redact
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients
from tests.support.worlds import World

TABLE = SecretTable(KINDS)


def post_crm(world: World, **body: Any) -> Response:
    """The response of the verb."""
    return world.control.post(f"/worlds/{world.id}/simulate/crm", body)


def test_an_outage_lasts_until_it_is_ended(world: World) -> None:
    provider = world.simulate("crm", provider="hubspot", outage=True, message="down")
    assert (provider["outage"], provider["message"], provider["contacts"]) == (True, "down", 0)
    assert world.simulate("crm", provider="hubspot")["outage"] is True
    assert world.simulate("crm", provider="hubspot", message="still down")["message"] == "still down"
    assert world.simulate("crm", provider="salesforce")["outage"] is False
    ended = world.simulate("crm", provider="hubspot", outage=False)
    assert (ended["outage"], ended["message"]) == (False, None)


def test_trouble_of_a_provider_that_nobody_has_is_refused(world: World) -> None:
    for trouble in ({"outage": True}, {"outage": False}, {"message": "down"}, {"half": True}):
        error = post_crm(world, provider="hubspt", upsert=[], **trouble).json()["error"]
        assert error["code"] == "provider_not_found"
        assert error["message"] == "no team has connected the CRM provider hubspt: did you mean hubspot?"
    one = {"id": "1", "name": "Bo", "email": "bo@example.com"}
    assert world.simulate("crm", provider="hubspt", upsert=one, outage=True)["outage"] is True
    assert world.simulate("crm", provider="hubspt", outage=False)["outage"] is False


def test_an_outage_is_part_of_the_worlds_state(world: World) -> None:
    before = world.fingerprint()
    world.simulate("crm", provider="hubspot", outage=True)
    assert world.fingerprint() != before
    world.call_control("POST", "/reset")
    assert world.fingerprint() == before
    assert world.simulate("crm", provider="hubspot")["outage"] is False


def test_contacts_are_added_one_by_one_or_as_a_list(world: World) -> None:
    one = {"id": "1", "name": "Bo", "email": "bo@example.com"}
    assert world.simulate("crm", provider="pipedrive", upsert=one)["contacts"] == 1
    contacts = [one, {**one, "id": "2"}, {**one, "object_type": "lead"}]
    assert world.simulate("crm", provider="pipedrive", upsert=contacts)["contacts"] == 3
    assert world.simulate("crm", provider="pipedrive", team_id="other")["contacts"] == 0


def test_people_are_returned_with_their_managed_fields(world: World) -> None:
    row = {"work_email": "bo@example.com", "first_name": "Bo", "zip": "1"}
    (bo,) = world.simulate("crm", provider="hubspot", people=[row])["people"]
    assert (bo["display_name"], bo["managed_fields"]) == ("Bo", ["first_name", "zip"])
    (again,) = world.simulate("crm", provider="hubspot", people=[{**row, "managed_fields": []}])["people"]
    assert (again["id"], again["managed_fields"]) == (bo["id"], [])


BO = {"id": "1", "name": "Bo", "email": "bo@example.com"}


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"upsert": {"id": "5", "nam": "Bo"}}, "upsert: unknown member 'nam'; did you mean name?"),
        ({"upsert": {"id": "5", "name": "Bo"}}, "upsert.email: is required"),
        ({"upsert": [BO, {**BO, "email": "no"}]}, "upsert[1].email: "),
        ({"upsert": [BO, {**BO, "mail": "no"}]}, "upsert[1]: unknown member 'mail'; did you mean email?"),
        ({"upsert": 7}, "upsert takes a contact or an array of contacts, not 7"),
        ({"people": [{"work_email": "bo"}]}, "people[0].work_email: "),
        ({"deals": [{"id": "1", "trigger_type": "won"}]}, "deals[0].trigger_type: "),
        ({"upsert": BO, "deals": [{"id": "1", "trigger_type": "deal_won"}, {"id": "2", "trigger_type": "deal_won"}]},
         "deals[1]: the team has no contact"),
    ],
)  # fmt: skip
def test_the_verb_says_which_member_is_wrong(world: World, body: dict[str, Any], named: str) -> None:
    before = world.fingerprint()
    answer = post_crm(world, provider="hubspot", **body)
    assert answer.status in (400, 404)
    assert answer.json()["error"]["message"].startswith(named), answer.text
    assert world.fingerprint() == before


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"provider": "Hub Spot"},
        {"provider": "hubspot", "outages": True},
        {"provider": "hubspot", "upsert": {"id": "1 2", "name": "Bo", "email": "bo@example.com"}},
        {"provider": "hubspot", "upsert": [{"id": "1", "name": "Bo"}]},
        {"provider": "hubspot", "people": [{"first_name": "Bo"}]},
        {"provider": "hubspot", "people": [{"work_email": "bo@example.com", "birthday": "02-30"}]},
        {"provider": "hubspot", "key": "partner.prepaid"},
        {"provider": "hubspot", "key": "team.test", "team_id": "northwind"},
    ],
)
def test_an_invalid_body_is_refused_and_changes_nothing(world: World, body: dict[str, Any]) -> None:
    before = world.fingerprint()
    assert post_crm(world, **body).status == 400
    assert world.fingerprint() == before


def test_an_unknown_team_or_key_is_not_found(world: World) -> None:
    assert post_crm(world, provider="hubspot", team_id=999).json()["error"]["code"] == "team_not_found"
    assert post_crm(world, provider="hubspot", key="team.nobody").json()["error"]["code"] == "key_not_found"


AROUND = ' "{}:,\n'
# The whole pattern of secrets.
SECRETS = re.compile(
    r"((?:pk|ptk)_(?:live|test)_|whsec_|sess_)[A-Za-z0-9_.\-]+"
    r"|(\\?/(?:claim|previews)\\?/[a-z0-9-]{1,40}\\?/)[A-Za-z0-9_.%\-]+"
    r"|(\b(?:Basic|Session)\s+)[A-Za-z0-9+/=_.\-]+",
    re.IGNORECASE,
)
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("pk_live_default_prepaid", "pk_live_***"),
        ('{"key": "ptk_test_my-world_first"}', '{"key": "ptk_test_***"}'),
        ('"secret":"whsec_0a1b2c"', '"secret":"whsec_***"'),
        ("sess_default_owner.", "sess_***"),
        ("/claim/default/abc123", "/claim/default/***"),
        ("https://sim.example/claim/w-1/abc123?x=1", "https://sim.example/claim/w-1/***?x=1"),
        ("/claim/default/%61bc/more", "/claim/default/***/more"),
        ('"http:\\/\\/x\\/claim\\/w\\/abc123"', '"http:\\/\\/x\\/claim\\/w\\/***"'),
        ('"http://x/claim/w"', '"http://x/claim/w"'),
        ("https://sim.example/previews/w/abc123.png", "https://sim.example/previews/w/***"),
        ("Basic bXVzZXVtOm11c2V1bS1wYXNz", "Basic ***"),
        ("nothing secret", "nothing secret"),
        ("https://ada:hush@hooks.example/a", "https://***@hooks.example/a"),
        ("/x?url=https%3A%2F%2Fada%3Ahush%40b.example", "/x?url=https%3A%2F%2F***%40b.example"),
        ("/x?api_key=hush&page=2", "/x?api_key=***&page=2"),
        ('"https://hooks.example/a?limit=2&access_token=hush"', '"https://hooks.example/a?limit=2&access_token=***"'),
        ("/x?sig=hush;token=hush#token", "/x?sig=***;token=***#token"),
        ("/x?limit=5&monkey=a&postcode=89501&sign=now", "/x?limit=5&monkey=a&postcode=89501&sign=now"),
        ("PK_LIVE_default_prepaid", "PK_LIVE_***"),
    ],
)
def test_each_kind_of_secret_is_replaced_and_its_prefix_kept(text: str, redacted: str) -> None:
    assert redact(text) == redacted


@given(st.text(AROUND), st.text(LETTERS, min_size=8), st.text(AROUND))
def test_a_secret_is_redacted_in_any_surroundings(before: str, token: str, after: str) -> None:
    for secret in (f"pk_live_{token}", f"ptk_test_w-1_{token}", f"whsec_{token}", f"sess_{token}", f"/claim/w/{token}"):
        redacted = redact(before + secret + after)
        assert token not in redacted
        assert redacted.startswith(before)
        assert redacted.endswith(after)


PIECES = (
    *("pk_live_", "PTK_Test_", "whsec_", "we\u017f", "\u017fe\u017f\u017f_", "SESS_", "sess_", "/claim/", "/previews/"),
    *("\\/claim\\/w\\/", "Basic", "\u017fession", "\u212a", "pk", "p", "_", "live_", "hook_test_", " ", "\xa0"),
    *("\n", "a", "Z9", "/", "w", "\\", "\u0130", "\u00e9", "***"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_a_secret_begins_wherever_the_whole_pattern_says(text: str) -> None:
    """The places where one can begin are found faster than by the pattern."""
    expected = SECRETS.sub(lambda match: next(filter(None, match.groups())) + "***", text)
    assert redact(text) == expected


@pytest.mark.parametrize(
    ("name", "value", "redacted"),
    [
        ("Authorization", "Bearer pk_live_default_prepaid", "Bearer pk_live_***"),
        ("authorization", "Bearer some-other-token", "Bearer ***"),
        ("Authorization", "bearer  pk_live_w_x", "bearer  pk_live_***"),
        ("Authorization", "Basic bXVzZXVtOm11c2V1bS1wYXNz", "Basic ***"),
        ("Authorization", "Session sess_default_owner", "Session ***"),
        ("Authorization", "secret", "***"),
        ("Cookie", "session=anything", "***"),
        ("X-Api-Key", "ptk_live_default_approver", "ptk_live_***"),
        ("Content-Type", "application/json", "application/json"),
        ("Proxy-Authorization", "Basic aHVzaA==", "***"),
        ("X-Acme-Token", "hush", "***"),
        ("X-Tenant", "hush", "***"),
        ("Forwarded", "for=1.2.3.4;secret=hush", "***"),
        ("Referer", "https://ada:hush@a.example/?token=hush", "https://***@a.example/?token=***"),
        ("Idempotency-Key", "order-1", "order-1"),
        ("User-Agent", "app/1.0", "app/1.0"),
    ],
)
def test_credentials_in_headers_are_redacted(name: str, value: str, redacted: str) -> None:
    assert TABLE.redact_request_headers(((name, value),)) == {name: redacted}


def test_a_response_has_only_headers_of_the_simulator() -> None:
    headers = {"X-Own": "a", "Set-Cookie": "session=hush", "Location": "/claim/w/hush"}
    assert TABLE.redact_response_headers(headers) == {
        "X-Own": "a",
        "Set-Cookie": "***",
        "Location": "/claim/w/***",
    }


@pytest.fixture
def active_world(world: World, partner: PartnerClient) -> World:
    """A world with two orders, an event with a subscribed endpoint, and a refund."""
    partner.subscribe("team_order.claimed")
    partner.create_order(recipients=email_recipients(2), name="Welcome", reference="REF-1", open_seats=1)
    partner.create_order(idempotency_key="second", recipients=address_recipients(2))
    world.simulate("claim", team_order_id=1001, recipient=0)
    partner.post("/team-orders/1002/cancel", {"recipient_ids": [200_004]})
    return world


def test_orders_of_all_accounts_are_listed(active_world: World) -> None:
    active_world.partner("partner.net_terms").create_order()
    orders = active_world.call_control("GET", "/orders")["orders"]
    assert [(row["id"], row["key"], row["status"]) for row in orders] == [
        (1001, "partner.prepaid", "collecting_addresses"),
        (1002, "partner.prepaid", "in_progress"),
        (1003, "partner.net_terms", "collecting_addresses"),
    ]
    assert (orders[0]["name"], orders[0]["reference"], orders[0]["summary"]["claimed"]) == ("Welcome", "REF-1", 1)
    assert orders[0]["shared_claim_link"].startswith(f"http://giftsim.example/claim/{active_world.id}/")
    assert orders[1]["refunded_cents"] > 0


def test_parcels_are_listed_with_their_links_all_or_of_one_order(active_world: World) -> None:
    parcels = active_world.call_control("GET", "/parcels")["parcels"]
    assert [row["status"] for row in parcels] == ["submitted", "awaiting", "awaiting", "canceled", "submitted"]
    assert parcels[1]["claim_link"] in [link for mail in active_world.mail() for link in mail["links"]]
    assert parcels[4]["claim_link"] is None
    of_order = active_world.call_control("GET", "/parcels?team_order_id=1002")["parcels"]
    assert [row["order_id"] for row in of_order] == [500_004, 500_005]
    assert active_world.call_control("GET", "/parcels?team_order_id=77")["parcels"] == []


def test_payments_are_listed_with_their_outcomes(active_world: World) -> None:
    active_world.partner("partner.no_funds").create_order()
    payments = active_world.call_control("GET", "/payments")["payments"]
    assert [(row["team_order_id"], row["status"], row["code"]) for row in payments] == [
        (1001, "paid", None), (1002, "paid", None), (1003, "failed", "insufficient_funds_no_card"),
    ]  # fmt: skip


def test_the_postings_of_every_ledger_entry_add_up_to_zero(active_world: World) -> None:
    entries = active_world.call_control("GET", "/ledger")["ledger"]
    assert all(sum(posting["cents"] for posting in entry["postings"]) == 0 for entry in entries)
    assert [entry["kind"] for entry in entries[-3:]] == ["charge", "charge", "refund"]
    assert entries[-1]["ref"] == "team_order 1002"
    assert {posting["account"] for posting in entries[-1]["postings"]} <= {"wallet 501", "card 501", "order 1002"}


def test_events_are_listed_with_and_without_subscribers(active_world: World) -> None:
    active_world.simulate("shipment", team_order_id=1001, recipient=0, to="shipped")
    claimed, shipped = [row for row in active_world.events() if row["subject"].endswith("recipient 200001")]
    assert (claimed["type"], claimed["audience"], claimed["account_id"]) == ("team_order.claimed", 1, 501)
    assert claimed["data"]["team_order"]["id"] == 1001
    assert claimed["created_at"] is None
    assert (shipped["type"], shipped["audience"], shipped["data"]) == ("team_order.shipped", 0, None)
    active_world.advance(until="next")
    assert active_world.events()[0]["created_at"] == active_world.now
    of_type = active_world.call_control("GET", "/events?type=team_order.shipped")["events"]
    assert [row["type"] for row in of_type] == ["team_order.shipped"]


def test_the_data_of_an_event_equals_that_of_its_delivery(active_world: World) -> None:
    active_world.advance("1h")
    (delivery,) = active_world.deliveries()
    (event,) = [row for row in active_world.events() if row["id"] == delivery["event_id"]]
    assert json.loads(delivery["request"]["body"])["data"] == event["data"]


def test_the_catalogue_has_the_documented_products(world: World) -> None:
    products = world.call_control("GET", "/catalogue")["catalogue"]
    codes = [sku["code"] for product in products for sku in product["skus"]]
    assert {"MUG-01", "TEE-01", "PEN-01"} <= {code[:6] for code in codes}
    tee = next(product for product in products if product["name"] and product["variations"])
    assert tee["variations"][0]["options"]


def test_accounts_are_listed_with_their_keys(world: World) -> None:
    first = world.call_control("GET", "/accounts")["accounts"][0]
    assert (first["keys"][0], first["wallet_cents"], first["card"]) == ("partner.prepaid", 500_000, "good")


@pytest.mark.parametrize("view", ["orders", "parcels", "payments", "ledger", "events", "catalogue", "accounts"])
def test_the_pages_of_each_list_join_up(active_world: World, view: str) -> None:
    whole = active_world.call_control("GET", f"/{view}")
    assert whole["next"] is None
    joined, after = [], 0
    while after is not None:
        page = active_world.call_control("GET", f"/{view}?limit=1&after={after}")
        joined += page[view]
        after = page["next"]
    assert joined == whole[view]


def test_accounts_show_what_each_key_has_spent_today(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    assert prepaid_account(world)["spent_today_cents"] == {"partner.prepaid": 2600, "partner.no_capability": 0}
    world.advance("1d")
    assert prepaid_account(world)["spent_today_cents"]["partner.prepaid"] == 0


def prepaid_account(world: World) -> Any:
    """The account of the key `partner.prepaid`."""
    accounts = world.call_control("GET", "/accounts")["accounts"]
    return next(row for row in accounts if "partner.prepaid" in row["keys"])


def test_teams_are_listed_with_their_money(world: World) -> None:
    teams = world.call_control("GET", "/teams")["teams"]
    assert [(row["label"], row["balance_cents"], row["credit"]["net_days"]) for row in teams] == [
        ("northwind", 2_500_000, 30),
        ("other", 500_000, 30),
    ]


def test_endpoints_are_listed_with_their_pending_deliveries(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    order = partner.create_order().json()["team_order"]["id"]
    world.set_receiver(then={"status": 500})
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("1h")
    [row] = world.call_control("GET", "/endpoints")["endpoints"]
    assert (row["key"], row["team_id"], row["pending"], row["status"]) == ("partner.prepaid", None, 1, "active")
    assert row["events"] == ["team_order.claimed"]
